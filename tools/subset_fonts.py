"""Cut the site's fonts down to what pages use: `python tools/subset_fonts.py FOLDER`.

FOLDER is a node_modules with @fontsource-variable/source-serif-4, inter and source-code-pro. The results
are committed; run this again only to change them.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

OUT = Path(__file__).parent.parent / "workings" / "assets" / "fonts"
TEXT = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100)])) + (
    "–—‘’“”•…′″‹›  −×÷½¼¾²³¹€™ıŁłŒœŠšŽž"
)
FACES = {
    "serif": ("source-serif-4", "normal", (400, 700)),
    "serif-italic": ("source-serif-4", "italic", 400),
    "sans": ("inter", "normal", (400, 700)),
    "mono": ("source-code-pro", "normal", 400),
}
FEATURES = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "tnum", "lnum", "zero"]


def main(folder: Path) -> None:
    """Write one woff2 for each face and say how large it is."""
    for name, (family, style, weight) in FACES.items():
        files = folder / "@fontsource-variable" / family / "files"
        font = TTFont(files / f"{family}-latin-wght-{style}.woff2")
        instancer.instantiateVariableFont(font, {"wght": weight}, inplace=True)
        whole = io.BytesIO()
        font.flavor = None
        font.save(whole)
        font = TTFont(whole)  # read again: the cut tables are indexed anew
        options = Options(flavor="woff2", layout_features=FEATURES, hinting=False)
        subsetter = Subsetter(options)
        subsetter.populate(text=TEXT)
        subsetter.subset(font)
        font.flavor = "woff2"
        target = OUT / f"{name}.woff2"
        font.save(target)
        print(f"{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
