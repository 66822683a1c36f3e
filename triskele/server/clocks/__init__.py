"""Clocks of a server: when they rest, when their flags fall, and what players of games over days decide ahead."""
