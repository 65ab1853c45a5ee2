"""What an author reads when a lesson's code goes wrong: one sentence, at her own line."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from small_lessons import Files, Lesson

from workings.execution import launch
from workings.execution.execute import execute_all, run_numbers
from workings.execution.run import Limits
from workings.problems import Problem
from workings.project import Project

HERE = "code/tea/show_numbers.py"


def main(*lines: str) -> dict[str, str | bytes]:
    return {"show_numbers.py": "def numbers():\n" + "".join(f"    {line}\n" for line in lines)}


CASES: dict[str, tuple[Files, list[str]]] = {
    "raises, two files down": (
        {
            "show_numbers.py": "import a\n\ndef numbers():\n    return {'x': a.f()}\n",
            "a.py": "import b\n\ndef f():\n    return b.g(0) + 1\n",
            "b.py": "def g(n):\n    é = 1; return 1 / n\n",
        },
        ["code/tea/b.py:2:19: [lesson-raises] the lesson's code raised ZeroDivisionError: "
         "division by zero."],
    ),
    "raises in Python's own code": (
        main("import statistics", "return {'x': statistics.mean([])}"),
        [f"{HERE}:3:18: [lesson-raises] the lesson's code raised StatisticsError: mean requires "
         "at least one data point."],
    ),
    "raises without words": (
        main("raise AssertionError"),
        [f"{HERE}:2:5: [lesson-raises] the lesson's code raised AssertionError."],
    ),
    "raises many words": (
        main("raise ValueError('no\\n  good, ' + 'x' * 400)"),
        [f"{HERE}:2:5: [lesson-raises] the lesson's code raised ValueError: no good, "
         + "x" * 288 + "..."],
    ),
    "raises when imported": (
        {"show_numbers.py": "LIMIT = 1 + None\n"},
        [f"{HERE}:1:9: [lesson-raises] the lesson's code raised TypeError: unsupported operand "
         "type(s) for +: 'int' and 'NoneType'."],
    ),
    "syntax": (
        {"show_numbers.py": "import a\n", "a.py": "def f():\n    return (1 +\n"},
        ["code/tea/a.py:2:12: [lesson-syntax] SyntaxError: '(' was never closed."],
    ),
    "exits": (
        main("raise SystemExit(3)"),
        [f"{HERE}:2:5: [lesson-exits] the lesson's code ended the program (exit code 3)."],
    ),
    "exits with a word": (
        main("import sys", "sys.exit('no')"),
        [f"{HERE}:3:5: [lesson-exits] the lesson's code ended the program (exit code 1)."],
    ),
    "exits at once": (
        main("import os", "os._exit(0)"),
        [f"{HERE}:1:1: [lesson-exits] the lesson's code ended the process (exit code 0)."],
    ),
    "prints": (
        {
            "show_numbers.py": "import a\n\ndef numbers():\n    return {'x': a.f()}\n",
            "a.py": "def f():\n    print('hello', 2)\n    return 1\n",
        },
        ["code/tea/a.py:2:5: [lesson-prints] the lesson's code prints 'hello 2' while it computes. "
         'Print only under `if __name__ == "__main__":`.'],
    ),
    "prints past Python": (
        main("import os", "os.write(2, b'junk' * 20)", "return {}"),
        [f"{HERE}:1:1: [lesson-prints] the lesson's code prints '" + "junk" * 14 + "j...' while it "
         'computes. Print only under `if __name__ == "__main__":`.'],
    ),
    "no file": (
        {"kettle.py": ""},
        [f"{HERE}:1:1: [no-numbers] there is no such file. Write it with a function numbers() that "
         "returns the lesson's numbers by name."],
    ),
    "no function": (
        {"show_numbers.py": "def number():\n    return {}\n"},
        [f"{HERE}:1:1: [no-numbers] there is no function numbers() here. Did you mean 'number'?"],
    ),
    "no module": (
        {"show_numbers.py": "import ketle\n", "kettle.py": ""},
        [f"{HERE}:1:1: [missing-module] there is no module 'ketle'. Did you mean 'kettle'?"],
    ),
    "hides a module": (
        {**main("return {}"), "json.py": "", "queue/__init__.py": ""},
        ["code/tea/json.py:1:1: [hidden-module] the name json.py hides Python's own module 'json'. "
         "Give it another name.",
         "code/tea/queue:1:1: [hidden-module] the name queue hides Python's own module 'queue'. "
         "Give it another name."],
    ),
    "missing data": (
        {**main("return {'x': open('models/qwen.json').read()}"), "models/qwen3.json": "{}"},
        [f"{HERE}:2:18: [missing-data-file] there is no file code/tea/models/qwen.json. "
         "Did you mean 'qwen3.json'?"],
    ),
    "broken data": (
        {**main("import json", "return json.load(open('a.json'))"), "a.json": '{\n  "x" 1\n}'},
        ["code/tea/a.json:2:7: [broken-data-file] the file is broken: Expecting ':' delimiter "
         f"(read at {HERE}:3)."],
    ),
    "data that is no text": (
        {**main("return {'x': open('a.txt').read()}"), "a.txt": b"tea\n\xff"},
        ["code/tea/a.txt:2:1: [broken-data-file] the file is no UTF-8 text: invalid start byte "
         f"(read at {HERE}:2)."],
    ),
    "starts a process": (
        main("import subprocess", "try:", "    subprocess.run(['true'])", "except BaseException:",
             "    return {'x': 1}"),
        [f"{HERE}:4:9: [lesson-forks] the lesson's code starts another process (subprocess.Popen), "
         "whose reads cannot be followed."],
    ),
    "starts a process with multiprocessing": (
        main("import multiprocessing as m", "m.get_context('spawn').Process(target=print).start()"),
        [f"{HERE}:3:5: [lesson-forks] the lesson's code starts another process (subprocess.Popen), "
         "whose reads cannot be followed."],
    ),
    "uses the network": (
        main("import socket", "socket.create_connection(('localhost', 9))"),
        [f"{HERE}:3:5: [lesson-uses-network] the lesson's code uses the network "
         "(socket.getaddrinfo)."],
    ),
    "writes": (
        main("open('cache.txt', 'w').close()"),
        [f"{HERE}:2:5: [lesson-writes] the lesson's code writes code/tea/cache.txt: a lesson reads "
         "its folder and changes nothing."],
    ),
    "no dictionary": (
        main("return [1]"),
        [f"{HERE}:1:1: [bad-value] numbers() returned a list, not a dictionary of values. "
         "Return a dictionary from names to values."],
    ),
    "no return": (
        main("pass"),
        [f"{HERE}:1:1: [bad-value] numbers() returned None, not a dictionary of values. "
         "Return a dictionary from names to values."],
    ),
    "parameters": (
        {"show_numbers.py": "def numbers(a, *b, c=None, **d):\n    return {}\n"},
        [f"{HERE}:1:1: [bad-parameter] numbers() takes **d. Name each parameter.",
         f"{HERE}:1:1: [bad-parameter] numbers() takes *b. Name each parameter.",
         f"{HERE}:1:1: [bad-parameter] the default of the parameter 'c' is no int, float, str or "
         "bool.",
         f"{HERE}:1:1: [bad-parameter] the parameter 'a' of numbers() has no default. "
         "Give it one: a=..."],
    ),
    "units": (
        {"show_numbers.py": "UNITS = {'xs': 'ml'}\n\ndef numbers():\n    return {'x': 1}\n"},
        [f"{HERE}:3:1: [bad-units] UNITS names 'xs', which numbers() does not return. "
         "Did you mean 'x'?"],
    ),
    "units of another kind": (
        {"show_numbers.py": "UNITS = ['x']\n\ndef numbers():\n    return {'x': 1}\n"},
        [f"{HERE}:3:1: [bad-units] UNITS is no dictionary from names to texts."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_one_sentence_at_the_authors_line(tmp_path: Path, name: str) -> None:
    files, messages = CASES[name]
    run = Lesson(tmp_path).write(files)
    assert run.messages() == messages
    assert run.run().state == "failed"


KINDS = "A value is an int, a float, a str, a bool, or a list of rows for a table."
ROWS = "A list holds rows: dictionaries with the same names."
NAMES = "Names have small letters, digits and underscores, and start with a letter."


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("float('nan')", "x is not a number (NaN)."),
        ("-float('inf')", "x is infinite."),
        ("None", "x is None. Does the function that computes it end in a return statement?"),
        ("object()", f"x is an object. {KINDS}"),
        ("{'a': 1}", f"x is a dict. {KINDS}"),
        ("1j", f"x is a complex. {KINDS}"),
        ("b'a'", f"x is a bytes. {KINDS}"),
        ("__import__('fractions').Fraction(1, 2)",
         "x is a fractions.Fraction. Convert it with float()."),
        ("__import__('signal').SIGINT", "x is a signal.Signals. Convert it with int()."),
        ("'\\ud800'", "x holds half of a character, which no page can show."),
        ("10**5000", "x has more than 4,000 digits."),
        ("[1]", f"x[0] is an int. {ROWS}"),
        ("[[1]]", f"x[0] is a list. {ROWS}"),
        ("[{'a': [1]}]", "x[0].a is a list. A cell of a table is a single value."),
        ("[{'a': 1}, {'a': float('nan')}]", "x[1].a is not a number (NaN)."),
        ("[{'a b': 1}]", "x[0] has the field 'a b', which is no name."),
        ("[{'a': 1}, {'b': 1}]",
         "x[1] has the fields b, but x[0] has a. Give every row of a table the same fields."),
    ],
)  # fmt: skip
def test_what_is_no_value(tmp_path: Path, value: str, says: str) -> None:
    lesson = Lesson(tmp_path).numbers(f"return {{'good': 1,\n        'x': {value}}}")
    assert lesson.messages() == [f"{HERE}:3:18: [bad-value] {says}"]


@pytest.mark.parametrize("name", ["'Cups'", "'cups of tea'", "'class'", "''", "'_cups'"])
def test_what_is_no_name(tmp_path: Path, name: str) -> None:
    lesson = Lesson(tmp_path).numbers(f"return {{\n        {name}:\n        1}}")
    assert lesson.messages() == [f"{HERE}:4:13: [bad-value] {name} is no name for a value. {NAMES}"]


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    lesson = Lesson(tmp_path).numbers("return {3: 1}")
    assert lesson.messages() == [f"{HERE}:1:1: [bad-value] 3 is no name for a value. {NAMES}"]


def test_every_bad_value_is_found_in_one_run(tmp_path: Path) -> None:
    lesson = Lesson(tmp_path).numbers("return {'a': None,\n    'b': {},\n    'c': 1}")
    assert [message.split(" ", 1)[0] for message in lesson.messages()] == [
        f"{HERE}:2:18:", f"{HERE}:3:14:"
    ]  # fmt: skip


# --- build_only ---------------------------------------------------------------------------------

BUILD_ONLY = """\
    BUILD_ONLY = {"a": "It needs pytest.", "b": "It needs pytest."}

    def numbers():
        return {"c": 1}

    def build_only():
        return RESULT
    """


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        (BUILD_ONLY.replace("RESULT", "{'a': 1, 'd': 2}"),
         [f"{HERE}:6:1: [bad-build-only] build_only() lacks 'b', which BUILD_ONLY names.",
          f"{HERE}:6:1: [bad-build-only] build_only() returns 'd', which BUILD_ONLY lacks. "
          "Add it to BUILD_ONLY with the reason why a browser cannot compute it."]),
        (BUILD_ONLY.replace("RESULT", "{'a': 1, 'b': None}"),
         [f"{HERE}:7:26: [bad-value] b is None. Does the function that computes it end in a return "
          "statement?"]),
        (BUILD_ONLY.replace("build_only()", "build_onely()"),
         [f"{HERE}:1:1: [bad-build-only] there is no function build_only() here. "
          "Did you mean 'build_onely'?"]),
        (BUILD_ONLY.replace('"c"', '"a"'),
         [f"{HERE}:3:1: [bad-build-only] BUILD_ONLY names 'a', which numbers() returns too. "
          "A number comes from numbers() or from build_only()."]),
        (BUILD_ONLY.replace('"It needs pytest."', '""'),
         [f"{HERE}:3:1: [bad-build-only] BUILD_ONLY is no dictionary from names to texts."]),
    ],
)  # fmt: skip
def test_faults_of_build_only(tmp_path: Path, source: str, messages: list[str]) -> None:
    Lesson(tmp_path).write({"show_numbers.py": source})
    problems: list[Problem] = []
    assert run_numbers(Project(tmp_path), ["tea"], lambda line: None, problems) == {}
    assert [str(problem) for problem in problems] == messages


def test_faults_of_several_lessons_come_in_one_run(tmp_path: Path) -> None:
    Lesson(tmp_path, "one").numbers("return {}['a']")
    Lesson(tmp_path, "two").numbers("return {'a': 1}")
    runs = execute_all(tmp_path, ["one", "two", "three"]).values()
    rules = [[problem.rule for run in each for problem in run.problems] for each in runs]
    assert rules == [["lesson-raises"], [], ["no-numbers"]]


# --- limits -------------------------------------------------------------------------------------

LATE = "the lesson's code was still running after 0.3 s."


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("while True:\n    pass", "2"),
        ("while True:\n    try:\n        while True:\n            1 + 1\n"
         "    except BaseException:\n        pass", None),
        ("import time\ntime.sleep(60)", "3:5"),
        ("import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True:\n    pass",
         "1:1"),
    ],
    ids=["loop", "swallows", "sleeps", "ignores the alarm"],
)  # fmt: skip
def test_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, place: str | None
) -> None:
    monkeypatch.setattr(launch, "GRACE_S", 0.5)
    (message,) = Lesson(tmp_path).numbers(body).messages(Limits(0.3))
    start, _, rest = message.partition(" ")
    assert rest == f"[lesson-times-out] {LATE}"
    assert start.startswith(HERE) and (place is None or start.startswith(f"{HERE}:{place}:"))


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
@pytest.mark.parametrize(
    "body",
    ["return {'a': len(bytearray(10**9))}", "a = []\nwhile True:\n    a.append(bytes(10**6))"],
)
def test_too_much_memory(tmp_path: Path, body: str) -> None:
    (message,) = Lesson(tmp_path).numbers(body).messages(Limits(20, memory_mib=200))
    assert message.startswith(f"{HERE}:")
    assert message.endswith(
        ": [lesson-out-of-memory] the lesson's code needs more memory than it may have."
    )


@pytest.mark.parametrize(
    ("sign", "says"),
    [
        (signal.SIGKILL, "[lesson-out-of-memory] the lesson's code was killed by the system, most "
                         "likely for want of memory."),
        (signal.SIGSEGV, "[lesson-exits] the lesson's code crashed Python (SIGSEGV)."),
    ],
)  # fmt: skip
def test_a_process_that_dies(tmp_path: Path, sign: signal.Signals, says: str) -> None:
    lesson = Lesson(tmp_path).numbers(f"import os\nos.kill(os.getpid(), {int(sign)})")
    assert lesson.messages() == [f"{HERE}:1:1: {says}"]
