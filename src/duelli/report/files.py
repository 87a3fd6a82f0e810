"""Figures as files: PNG with a palette, and SVG."""

import io
from functools import lru_cache
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from duelli._files import atomic_path
from duelli.report.style import DPI, styled

COLOURS = 96  # of the palette of a PNG; lines, shades and their soft edges need no more


@lru_cache(maxsize=8)  # a page embeds the panels of an experiment right after they were saved
def png(figure: Figure) -> bytes:
    """Return the figure as a PNG with a palette, a third of the size of one with full colours.

    The figure is not to be changed any more.
    """
    drawn, small = io.BytesIO(), io.BytesIO()
    with styled():
        figure.savefig(drawn, format="png", dpi=DPI)
    figure.set_layout_engine("none")  # all is in its place, and finding it again is slow
    with Image.open(drawn) as image:
        flat = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        flat.save(small, format="png", optimize=True)
    return small.getvalue()


def save(figure: Figure, folder: Path, name: str) -> Path:
    """Write the figure as ``name.png`` and ``name.svg``, and return the path of the first."""
    with atomic_path(folder / f"{name}.png") as path:
        path.write_bytes(png(figure))
    title = figure.get_label()
    with atomic_path(folder / f"{name}.svg") as path, styled():
        figure.savefig(path, format="svg", metadata={"Date": None, "Title": title})
    return folder / f"{name}.png"
