"""Two chat templates, written in the form in which models carry theirs.

A template is what really turns messages into the text that a model reads, so a budget must count
its output: marks, headers and tool schemas too. These two are like two formats in wide use, but
are not copies of any model's own template; take that from its tokenizer.

Needs jinja2. Templates run sandboxed, as they come with models that others made.
"""

import json
from collections.abc import Sequence

from jinja2.sandbox import ImmutableSandboxedEnvironment

from chat_messages import ChatMessage, Render, Tool

# Between start and end marks, the role on the first line. Calls and results are marked text; the
# results of parallel calls share one turn.
START_END_SOURCE = """
{%- set opening = messages[0].content if messages and messages[0].role == "system" else "" -%}
{%- if opening or tools -%}
{{ "<|im_start|>system\n" + opening }}
{%- if tools -%}
{{ "\n\nYou may call these tools:" }}
{%- for tool in tools %}{{ "\n" + (tool | tojson) }}{% endfor -%}
{%- endif -%}
{{ "<|im_end|>\n" }}
{%- endif -%}
{%- for message in messages if message.role != "system" -%}
{%- if message.role == "tool" -%}
{%- if loop.previtem is undefined or loop.previtem.role != "tool" -%}
{{ "<|im_start|>user" }}
{%- endif -%}
{{ "\n<tool_response>\n" + message.content + "\n</tool_response>" }}
{%- if loop.nextitem is undefined or loop.nextitem.role != "tool" -%}
{{ "<|im_end|>\n" }}
{%- endif -%}
{%- else -%}
{{ "<|im_start|>" + message.role + "\n" + message.content }}
{%- for call in message.tool_calls -%}
{{ "\n<tool_call>\n" + (call.function | tojson) + "\n</tool_call>" }}
{%- endfor -%}
{{ "<|im_end|>\n" }}
{%- endif -%}
{%- endfor -%}
{{ "<|im_start|>assistant\n" }}
"""

# A header with the role before each message, an end mark after it; one begins the whole text.
HEADER_SOURCE = """
{%- set opening = messages[0].content if messages and messages[0].role == "system" else "" -%}
{{ "<|begin_of_text|>" }}
{%- if opening or tools -%}
{{ "<|start_header_id|>system<|end_header_id|>\n\n" }}
{%- if tools -%}
{{ "Tools that you may call, as JSON:\n" + (tools | tojson) + "\n\n" }}
{%- endif -%}
{{ opening + "<|eot_id|>" }}
{%- endif -%}
{%- for message in messages if message.role != "system" -%}
{{ "<|start_header_id|>" + message.role + "<|end_header_id|>\n\n" + message.content | trim }}
{%- for call in message.tool_calls %}{{ call.function | tojson }}{% endfor -%}
{{ "<|eot_id|>" }}
{%- endfor -%}
{{ "<|start_header_id|>assistant<|end_header_id|>\n\n" }}
"""

TEMPLATES = {"start and end marks": START_END_SOURCE, "headers": HEADER_SOURCE}


def chat_template(source: str) -> Render:
    """A function that renders messages and tools with a template, ready for the model's reply.

    >>> render = chat_template(START_END_SOURCE)
    >>> print(render([ChatMessage("system", "Be brief."), ChatMessage("user", "Hello")], []))
    <|im_start|>system
    Be brief.<|im_end|>
    <|im_start|>user
    Hello<|im_end|>
    <|im_start|>assistant
    <BLANKLINE>
    """
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.filters["tojson"] = _json
    template = environment.from_string(source)

    def render(messages: Sequence[ChatMessage], tools: Sequence[Tool]) -> str:
        shaped = [message.as_template_input() for message in messages]
        return template.render(messages=shaped, tools=list(tools))

    return render


def _json(value: object) -> str:
    """JSON as it is; jinja2's own filter would escape signs for HTML."""
    return json.dumps(value, ensure_ascii=False)
