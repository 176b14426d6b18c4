"""Every picture of every result, in both languages: nothing is cut off, and no letters lie on others."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from pictures import LANGUAGES, results, sheet

from tlsim.plotting.axes import new_axes

SHEETS = Path("build") / "pictures"


def drawn(axes):
    """Return the picture of axes, and its texts with the rooms that they take."""
    figure = axes.figure
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    shown = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        ticks = dict(zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True))
        shown = [text for text in shown if text not in ticks or (axes.axison and low <= ticks[text] <= high)]
    return np.array(canvas.buffer_rgba()), [(text.get_text(), Text.get_window_extent(text)) for text in shown]


def lies_on(one, other):
    return min(one.x1, other.x1) - max(one.x0, other.x0) > 1 and min(one.y1, other.y1) - max(one.y0, other.y0) > 1


@pytest.mark.look
def test_every_picture():
    """A contact sheet of each language stays in ``build/pictures``, to be looked at."""
    SHEETS.mkdir(parents=True, exist_ok=True)
    images = {lang: [] for lang in LANGUAGES}
    for name, result, views in results():
        for view in views:
            said = {}
            for lang in LANGUAGES:
                axes = result.plot(new_axes(), view=view, lang=lang)
                (image, texts), where = drawn(axes), f"{name} {view} {lang}"
                height, width, _ = image.shape
                cut = [text for text, box in texts if min(box.x0, box.y0, width - box.x1, height - box.y1) < -1]
                assert not cut, where
                assert not [(a, b) for (a, one), (b, other) in combinations(texts, 2) if lies_on(one, other)], where
                assert axes.get_title(loc="left"), where
                said[lang] = {text for text, _ in texts}
                images[lang].append(image)
            assert said["vi"] != said["en"], name
    for lang in LANGUAGES:
        sheet(images[lang], SHEETS / f"all-{lang}.png")
