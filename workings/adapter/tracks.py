"""The blocks `/// plain` and `/// deep` of a page's two tracks."""

from __future__ import annotations

import xml.etree.ElementTree as etree
from typing import Any

import markdown
from pymdownx.blocks import BlocksExtension
from pymdownx.blocks.block import Block


class Plain(Block):
    """What a reader of the plain track reads."""

    NAME = "plain"

    def on_create(self, parent: etree.Element) -> etree.Element:
        return etree.SubElement(parent, "section", {"class": "wk-track", "data-track": self.NAME})


class Deep(Plain):
    """What a reader of the deep track reads."""

    NAME = "deep"


class TracksExtension(BlocksExtension):
    """Registers both blocks."""

    def extendMarkdownBlocks(self, md: markdown.Markdown, block_mgr: Any) -> None:
        block_mgr.register(Plain, self.getConfigs())
        block_mgr.register(Deep, self.getConfigs())


def makeExtension(**options: Any) -> TracksExtension:  # the name Markdown looks for
    """Called by Markdown for `workings.adapter.tracks`."""
    return TracksExtension(**options)
