"""How a terminal drives the toolkit, a file a command."""
