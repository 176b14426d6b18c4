"""What a user holds: frozen results with their provenance, as tables, pictures and numbers.

Every result has ``rows()``-like methods that give plain values, and ``to_frame()`` that makes a tidy pandas frame of
them. Ids and column names are the same in every language; only what people read (`_repr_html_`, `plot`) is translated.
"""

from tlsim.results.estimated import DealLaw, EstimatedOdds, EventOdds
from tlsim.results.exact import ExactOdds
from tlsim.results.hand_report import HandReport
from tlsim.results.provenance import Listed, Provenance

__all__ = ["DealLaw", "EstimatedOdds", "EventOdds", "ExactOdds", "HandReport", "Listed", "Provenance"]
