"""Keep tables in a database: the writer thread, the schema and its migrations."""
