"""The engine: work is a list of blocks, any executor runs them, integer tallies add up."""
