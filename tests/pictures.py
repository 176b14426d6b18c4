"""Every kind of result that has pictures, and a contact sheet of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import tlsim

LANGUAGES = ("vi", "en")


def results() -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """Yield every kind of result that has pictures, with a name and its pictures."""
    regular, opening, sam, ladder = (tlsim.load_rules(name) for name in ("doithuong", "zing", "sam_loc", "tong_thong"))
    equal = regular.replace("toi_trang.sau_doi.pays", 3)
    for name in ("sanh_rong", "sau_doi_thong", "bon_bo_ba", "hai_tu_quy", "muoi_hai_dong_chat", "nam_doi_thong"):
        equal = equal.replace(f"toi_trang.{name}.pays", 3)
    sizes = {"games": 2_400, "seed": 7}
    mixed = tlsim.simulate(regular, policies="smart,lowest,lowest,random", **sizes)
    called = tlsim.simulate(sam, policies="smart[sam=1],smart,smart,smart", leader=0, **sizes)
    silent = tlsim.simulate(sam, policies="smart[sam=0],smart,smart,smart", leader=0, **sizes)
    titled, free = (tlsim.simulate(rules, players=5, **sizes)
                    for rules in (ladder, ladder.replace("president.exchange", [])))  # fmt: skip
    found = {
        "exact": tlsim.exact_odds(regular), "opening": tlsim.exact_odds(opening, opening=True),
        "estimated": tlsim.estimate_odds(regular, deals=200_000, seed=7),
        "none": tlsim.exact_odds(ladder),
        "games": mixed, "sam": called, "titles": titled,
        "gap": tlsim.compare(mixed, tlsim.simulate(regular, policies="lowest", **sizes)),
        "sam_gap": tlsim.compare(called, silent), "titles_gap": tlsim.compare(titled, free),
        "hand": tlsim.hand_value("2S 2C 2D 2H KS KC QS QC JS JC 9S 8S 7C", regular, games=200, seed=7),
        "sam_hand": tlsim.hand_value("2S 2C 2H AS AC KD KS QH QS QD", sam, games=200, seed=7),
        "plain_hand": tlsim.hand_value("3S 4C 6D 7H 8S 9C JD QH KS AC AD 2C 2H", regular, games=200, seed=7),
        "declare": tlsim.worth_of_declaring(regular, games=200, seed=7),
        "money": tlsim.mean_money(regular, games=480, policies="smart,lowest,lowest,lowest", seed=7),
        "fair": tlsim.payout_fairness(regular, games=480, seed=7),
        "fair_points": tlsim.payout_fairness(ladder, games=480, seed=7),
        "fair_equal": tlsim.payout_fairness(equal, games=0),
        "fair_opening": tlsim.payout_fairness(opening, games=0, opening=True),
    }  # fmt: skip
    for name, result in found.items():
        yield name, result, pictures_of(result)


def pictures_of(result: Any) -> tuple[str, ...]:
    """Return the names of the pictures of a result."""
    from tlsim.fairness.drawing import PICTURES
    from tlsim.fairness.judgement import Fairness

    if isinstance(result, Fairness):
        return PICTURES if result.played else PICTURES[:1]
    return tuple(view for view in result.PICTURES if view in result.views)


def sheet(images: Sequence[Any], to: Path, across: int = 4) -> None:
    """Put pictures onto one sheet."""
    from matplotlib.figure import Figure

    down = -(-len(images) // across)
    figure = Figure(figsize=(across * 5, down * 4))
    for at, image in enumerate(images):
        axes = figure.add_axes((at % across / across, 1 - (at // across + 1) / down, 1 / across, 1 / down))
        axes.imshow(image, interpolation="antialiased")
        axes.set_axis_off()
    figure.savefig(to, dpi=110)
