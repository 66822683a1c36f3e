"""Ratings on the server: which games count, their results, and the ratings that follow from them."""
