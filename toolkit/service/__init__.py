"""The embedded service: the whole interface as an ASGI application."""
