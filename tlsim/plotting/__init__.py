"""Pictures. The only room that imports matplotlib, and only when a picture is drawn.

What is to be told apart differs in shape, not only in colour, so that a picture can be printed in black and white.
"""

from tlsim.plotting.axes import check_name, new_axes, save, spoken
from tlsim.plotting.chances import plot_odds, plot_rates
from tlsim.plotting.lines import Line, plot_by_strength, plot_calls, plot_convergence, plot_runs
from tlsim.plotting.means import plot_amounts, plot_means
from tlsim.plotting.points import plot_money, plot_prices
from tlsim.plotting.squares import plot_flows, plot_matrix

__all__ = [
    "Line", "check_name", "new_axes", "plot_amounts", "plot_by_strength", "plot_calls", "plot_convergence",
    "plot_flows", "plot_matrix", "plot_means", "plot_money", "plot_odds", "plot_prices", "plot_rates", "plot_runs",
    "save", "spoken",
]  # fmt: skip
