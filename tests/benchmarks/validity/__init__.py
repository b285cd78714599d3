"""Simulations that hold findings to what they claim: how often an interval holds the truth, how often a test errs."""
