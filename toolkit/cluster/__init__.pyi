from .runs import run_dask

__all__ = [
    "run_dask",
]
