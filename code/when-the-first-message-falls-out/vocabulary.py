"""What the simulated people talk about, and the words that fill their sentences.

The sentences say nothing: only their length matters. A word costs one unit or two, and which place
of the list holds one of two units is part of the experiment, so words may be exchanged only for
words of the same cost.
"""

TOPICS = (
    "raised beds",
    "soil depth",
    "tomato supports",
    "crop rotation",
    "seed trays",
    "rain barrels",
    "frost dates",
    "green beans",
    "pollinators",
    "watering times",
    "strawberries",
    "plum trees",
    "garden paths",
    "composting",
    "winter cover",
    "perennials",
    "hand tools",
    "shade plants",
)
INTRODUCTIONS = "introductions"  # the topic of the first turn

_FILLER = """
    garden soil water seed plant root leaf stem flower fruit bed row path shade light sun rain
    frost wind cloud spring summer autumn winter morning evening week month day hour early late
    warm cold wet dry deep shallow wide narrow long short tall low heavy loose dark pale green
    brown red yellow white ripe fresh old new small large many few some most each other next
    last first again often never always mostly maybe about around under over near between beside
    before seedling after while sunlight until moisture since because when where branches how
    together why which who can could should would might must will need keep grow dig sow pick
    cut tie move turn mix cover store share clean check measure count note plan water start stop
    wait help try find hold carry bring leave and or but if then so as with without for from
    into onto off up down straight here there the
"""
WORDS = tuple(_FILLER.split())
