"""Migrations of the database, run by Alembic when a server starts."""
