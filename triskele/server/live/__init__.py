"""The WebSocket interface: the protocol, connections, and the broadcast of what happens at a table."""
