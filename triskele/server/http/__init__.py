"""The HTTP interface: routes, middleware, static files and the uvicorn protocols."""
