"""Puzzles: made, proved, rated and read."""
