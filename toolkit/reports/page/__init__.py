"""A report as one page of HTML, which needs nothing else."""
