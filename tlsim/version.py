"""The version: numbers of two versions are never mixed."""

__version__ = "0.2.0"
