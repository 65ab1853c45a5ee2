"""Rules about figures: their declaration, their drawing, and how they read."""

from workings.rules import Rule, register

_TEXTS = (
    'FIGURES = {"steam": {"title": "...", "alt": "...", "caption": "...", "data": "steam_rows"}}'
)

register(
    Rule("figure-syntax", "figures.py is no Python.", "Nothing can be drawn.", "def steam(n:", "def steam(n):"),
    Rule(
        "figure-literal",
        "FIGURES is missing, or is computed.",
        "It is read without running the file, so that texts can be checked where they stand.",
        "FIGURES = dict(...)",
        _TEXTS,
    ),
    Rule("figure-key", "A figure has a key that nobody reads.", "It would be without effect.",
         '{"titel": "..."}', '{"title": "..."}'),
    Rule("figure-text", "A figure lacks a title, an alternative text or a caption.",
         "A reader who cannot see the figure has only its texts.", '{"title": "Steam"}', _TEXTS),
    Rule("figure-name", "A figure's name is not in lower case with hyphens, or is there twice.",
         "The name is part of addresses.", '"Steam Rate"', '"steam-rate"'),
    Rule("figure-function", "A figure has no function of its name.", "Nothing draws it.",
         '"steam-rate" without def steam_rate(n)', "def steam_rate(n): ..."),
    Rule("figure-undeclared", "A public function of figures.py is declared as no figure.",
         "It would be drawn by nobody.", "def steam(n): ... without an entry", _TEXTS),
    Rule("figure-data", "A figure's data names no table of the lesson.",
         "Each figure offers its data as a table.", '"data": "steam"', '"data": "steam_rows"'),
    Rule("figure-raises", "Drawing a figure raises an exception.", "There is nothing to show.",
         "n['rows'][99]", "Mend the code at the line that is named."),
    Rule("figure-type", "A figure's function does not return a matplotlib Figure.",
         "There is nothing to show.", "return axes", "return figure"),
    Rule("figure-empty", "A figure draws nothing.", "There is nothing to show.",
         "return plt.figure()", "Draw something."),
    Rule("figure-colour", "A figure uses a colour outside of the palette.",
         "It would not follow light and dark, nor be proved to have contrast.",
         'color="#ff0000"', 'color="C1"'),
    Rule("figure-unsupported", "A figure uses what a themed SVG cannot hold, such as a raster image.",
         "It would not follow light and dark.", "axes.imshow(...)", "Draw with lines, bars and text."),
    Rule("figure-too-big", "A figure's SVG is larger than the budget.", "A phone has to load it.",
         "a scatter of many thousand points", "Draw fewer marks, or raise figure_budget_bytes."),
    Rule("figure-warning", "matplotlib warns while a figure is drawn.",
         "What it warns of is seldom what was meant.", "a glyph that the font lacks", "Do as it says."),
    Rule("figure-small-text", "A text would be too small to read on a phone.", "Text is there to be read.",
         "fontsize=6", "Leave the size to the style sheet."),
    Rule("figure-clipped", "A text leaves the figure.", "Its end would be cut off.",
         "a long label at the right edge", "Shorten it, or give it room."),
    Rule("figure-lines", "A text of a figure is set in more lines than its place holds.",
         "It would run over its neighbour.", "a long label between two bars", "Shorten it."),
    Rule("figure-differs", "Two runs draw different bytes.", "A build must be repeatable.",
         "random.random()", "random.Random(1).random()"),
    Rule("typed-number", "A figure shows digits that no number of the lesson wrote.",
         "A number in a drawing goes stale like one in prose.",
         'axes.text(x, y, "450 tokens")', "axes.text(x, y, f\"{n['window_tokens']:,} tokens\")"),
)  # fmt: skip
