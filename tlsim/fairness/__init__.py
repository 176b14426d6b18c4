"""Prices held against odds: whether a list is fair, and what list would be.

Fair means that every pattern costs a player the same on average: price × probability of winning the table is the same
for all patterns of a list. With n patterns that win at all, prices ``c`` and probabilities ``p``, the fair price of
pattern i is ``(Σ c·p / n) / p_i``, which keeps the mean cost of the list. Order is fair where no pattern that comes up
more often stands above a rarer one, or is dearer.
"""
