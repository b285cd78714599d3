"""What numbers of sites can show: intervals, tests and corrections over plain arrays."""
