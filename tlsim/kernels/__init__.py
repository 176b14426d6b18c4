"""Compiled kernels: numbers and arrays in, numbers out; no rule files, names or units."""
