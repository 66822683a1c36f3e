"""What a host may do: end and delete tables, free seats, silence and ban people. All of it goes into the audit log."""
