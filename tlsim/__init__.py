"""Exact and simulated odds of Vietnamese climbing card games."""

__version__ = "0.1.0"
