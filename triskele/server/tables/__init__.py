"""What a table is and what can happen at it: moves, offers, seats, chat, dice. Knows nothing of connections."""
