"""Seats that engines play, and the workers that run engines and other jobs that take long."""
