"""Campaigns that take minutes, and are run by hand: each prints a table, and its exit status says whether it held."""
