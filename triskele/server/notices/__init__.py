"""Notices: what people are told about their games while they do not look at them, by which ways, and when."""
