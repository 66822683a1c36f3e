"""The lobby: who is here, who looks for a game, and which games can be watched."""
