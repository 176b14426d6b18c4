"""Pictures. The only room that imports matplotlib, and only when a picture is drawn.

The colours are told apart by the colour-blind (M. Okabe, K. Ito, Color Universal Design, 2008), and what is to be told
apart differs in shape or in brightness too, so that a picture can be printed in black and white. Numbers stand beside
their marks.
"""

from tlsim.plotting.axes import check_name, new_axes, save, spoken, titled
from tlsim.plotting.lines import Line, plot_by_strength, plot_calls, plot_convergence, plot_squares
from tlsim.plotting.rows import Marks, plot_amounts, plot_money, plot_rows

__all__ = [
    "Line", "Marks", "check_name", "new_axes", "plot_amounts", "plot_by_strength", "plot_calls", "plot_convergence",
    "plot_money", "plot_rows", "plot_squares", "save", "spoken", "titled",
]  # fmt: skip
