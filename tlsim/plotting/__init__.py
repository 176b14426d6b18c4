"""Pictures. The only room that imports matplotlib, and only when a picture is drawn.

What is to be told apart differs in shape, not only in colour, so that a picture can be printed in black and white.
"""

from tlsim.plotting.axes import check_name, new_axes, save
from tlsim.plotting.calls import plot_by_strength, plot_calls
from tlsim.plotting.games import plot_amounts, plot_match_wins, plot_means, plot_money, plot_rates
from tlsim.plotting.lines import Line
from tlsim.plotting.odds import plot_odds
from tlsim.plotting.prices import plot_prices
from tlsim.plotting.titles import plot_matrix, plot_runs

__all__ = [
    "Line", "check_name", "new_axes", "plot_amounts", "plot_by_strength", "plot_calls", "plot_match_wins",
    "plot_matrix", "plot_means", "plot_money", "plot_odds", "plot_prices", "plot_rates", "plot_runs", "save",
]  # fmt: skip
