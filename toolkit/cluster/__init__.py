"""Runs over a Dask cluster."""
