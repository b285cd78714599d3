"""A service that answers oddly: seeded bodies, each with what must come of it, over real sockets.

``python -m tests.mutants --bodies 20000 --seed 1`` sends them to the clients and to runs, and judges. Nothing here is
made from what the toolkit accepts: the interface's description is the only source of what a right answer looks like.
"""
