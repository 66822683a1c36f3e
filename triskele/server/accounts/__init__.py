"""Accounts: names, passwords and passkeys, sessions, tokens, mail; what people report, mute and block."""
