"""Running a lesson's code: its values and their sources, alone, limited and side by side."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_lessons import Lesson, processes_left_in

from workings.execution import launch
from workings.execution.execute import execute, execute_all, merged, run_line, run_numbers
from workings.execution.launch import LAUNCHER, Surroundings
from workings.execution.run import Job, Limits, run_job, run_jobs
from workings.problems import Problem
from workings.project import Project
from workings.registry import Formula

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

KETTLE = """\
    CUP_ML = 250


    def water_ml(guests, cups=1):
        return guests * cups * CUP_ML
    """

NUMBERS = """\
    import kettle

    UNITS = {"water_ml": "ml"}


    def numbers(*, guests=4, name="Earl Grey"):
        n = {"guests": guests, "name": name}
        n["water_ml"] = kettle.water_ml(guests)
        n["heat_bytes"] = n["water_ml"] * 0.5
        n["rows"] = [
            {"cups": cups, "water_ml": kettle.water_ml(guests, cups)}
            for cups in (1, 2)
        ]
        return n
    """


@pytest.fixture
def tea(tmp_path: Path) -> Lesson:
    return Lesson(tmp_path).write({"kettle.py": KETTLE, "show_numbers.py": NUMBERS})


@pytest.fixture(params=["fork server", "plain process"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of the two ways in which a child is started."""
    if request.param == "plain process":
        monkeypatch.setattr(launch, "FORKS", False)
    return str(request.param)


# --- values and where they come from ------------------------------------------------------------


@pytest.mark.usefixtures("way")
def test_values_keep_their_kinds(tea: Lesson) -> None:
    assert tea.values() == {
        "guests": 4,
        "name": "Earl Grey",
        "water_ml": 1000,
        "heat_bytes": 500.0,
        "rows": ({"cups": 1, "water_ml": 1000}, {"cups": 2, "water_ml": 2000}),
    }
    lesson = tea.numbers("return {'a': 1, 'b': 1.0, 'c': True, 'd': '1', 'e': [], 'f': 1e300}")
    assert [repr(value) for value in lesson.values().values()] == [
        "1", "1.0", "True", "'1'", "()", "1e+300"
    ]  # fmt: skip


def test_each_value_knows_its_line_its_expression_and_its_formula(tea: Lesson) -> None:
    water = tea.run().registry.numbers["water_ml"]
    assert (water.path, water.line) == ("code/tea/show_numbers.py", 8)
    assert (water.expression, water.unit) == ("kettle.water_ml(guests)", "ml")
    assert water.formula == Formula(
        function="water_ml",
        path="code/tea/kettle.py",
        line=4,
        text="guests × cups × CUP_ML",
        substituted="4 × 1 × 250",
        inputs={"guests": 4, "cups": 1, "CUP_ML": 250},
    )
    heat = tea.run().registry.numbers["heat_bytes"]
    assert heat.unit == "bytes"
    assert heat.formula and heat.formula.text == "water_ml × 0.5"
    assert heat.formula.substituted == "1,000 × 0.5"


def test_a_table_has_a_line_and_no_formula(tea: Lesson) -> None:
    rows = tea.run().registry.numbers["rows"]
    assert (rows.line, rows.formula) == (10, None)


def test_names_may_be_set_in_functions_and_dictionaries_of_the_file(tmp_path: Path) -> None:
    source = """\
        def cost(n):
            return n * 3

        def first(n):
            return {"a": cost(n)}

        def second(n):
            found = dict(b=cost(n + 1))
            found.update(c=n)
            return found

        def numbers(n=2):
            return first(n) | {**second(n), "d": 4}
        """
    run = Lesson(tmp_path).write({"show_numbers.py": source}).run()
    numbers = run.registry.numbers
    assert [(n.name, n.line) for n in numbers.values()] == [("a", 5), ("b", 8), ("c", 9), ("d", 13)]
    formulas = {name: n.formula.substituted for name, n in numbers.items() if n.formula}
    assert formulas == {"a": "2 × 3", "b": "3 × 3", "c": "2"}


def test_a_field_of_a_row_is_not_taken_for_a_name(tmp_path: Path) -> None:
    lesson = Lesson(tmp_path).numbers(
        """\
        rows = []
        for k in range(2):
            rows.append({"cost": k})
        cost = 7 + 1
        return {"cost": cost, "rows": rows}
        """
    )
    assert lesson.run().registry.numbers["cost"].line == 6


def test_parameters_come_from_the_signature_and_change_the_values(tea: Lesson) -> None:
    assert tea.run().defaults == {"guests": 4, "name": "Earl Grey"}
    assert tea.values(guests=6)["water_ml"] == 1500
    assert tea.values()["water_ml"] == 1000
    assert [str(problem) for problem in tea.run(gests=1).problems] == [
        "code/tea/show_numbers.py:6:1: [unknown-parameter] numbers() has no parameter 'gests'. "
        "Did you mean 'guests'?"
    ]


def test_build_only_numbers_are_merged_with_their_reasons(tmp_path: Path) -> None:
    source = """\
        BUILD_ONLY = {"tests": "They need pytest."}

        def numbers():
            return {"a": 1}

        def build_only():
            print("21 passed")
            return {"tests": 21}
        """
    lesson = Lesson(tmp_path).write({"show_numbers.py": source})
    runs = execute_all(tmp_path, ["tea"])["tea"]
    assert [(run.kind, run.problems) for run in runs] == [("numbers", ()), ("build_only", ())]
    numbers = merged("tea", runs).numbers
    assert [(n.name, n.value, n.build_only) for n in numbers.values()] == [
        ("a", 1, None),
        ("tests", 21, "They need pytest."),
    ]
    said: list[str] = []
    problems: list[Problem] = []
    assert list(run_numbers(Project(tmp_path), ["tea"], said.append, problems)) == ["tea"]
    assert (said, problems) == ([], [])
    assert lesson.run().state == "cached"


def test_pytest_can_count_the_lessons_own_tests_there(tmp_path: Path) -> None:
    source = """\
        from pathlib import Path

        BUILD_ONLY = {"tests": "They need pytest."}

        class Count:
            passed = 0

            def pytest_runtest_logreport(self, report):
                self.passed += report.when == "call" and report.passed

        def numbers():
            return {}

        def build_only():
            import pytest

            count, here = Count(), str(Path(__file__).parent)
            options = ["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", here]
            pytest.main([*options, "--confcutdir", here, here], plugins=[count])
            return {"tests": count.passed}
        """
    tests = "import kettle\n\ndef test_a():\n    assert kettle.water_ml(1) == 250\n"
    lesson = Lesson(tmp_path).write(
        {"show_numbers.py": source, "kettle.py": KETTLE, "test_kettle.py": tests}
    )
    run = execute(tmp_path, "tea", "build_only")
    assert run.problems == ()
    assert run.registry.numbers["tests"].value == 1
    assert {"code/tea/kettle.py", "code/tea/test_kettle.py"} <= set(run.closure.files)
    lesson.write({"test_more.py": "def test_b():\n    pass\n"})
    assert execute(tmp_path, "tea", "build_only").registry.numbers["tests"].value == 2


# --- alone --------------------------------------------------------------------------------------


def test_lessons_never_share_a_module_and_start_clean(tmp_path: Path) -> None:
    source = """\
        import os
        import sys
        import topic

        def numbers():
            return {
                "value": topic.VALUE,
                "hash": hash("tea"),
                "folder": os.path.basename(os.getcwd()),
                "secret": os.environ.get("WORKINGS_SECRET", "unset"),
                "input": sys.stdin.read(),
                "zone": os.environ["TZ"],
            }
        """
    for slug, value in (("one", 1), ("two", 2)):
        Lesson(tmp_path, slug).write({"show_numbers.py": source, "topic.py": f"VALUE = {value}\n"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKINGS_SECRET", "x")
        one, two = Lesson(tmp_path, "one").values(), Lesson(tmp_path, "two").values()
    assert (one["value"], two["value"]) == (1, 2)
    assert one["hash"] == two["hash"], "the hash seed is fixed"
    assert (one["folder"], one["secret"], one["input"], one["zone"]) == ("one", "unset", "", "UTC")


def test_the_engine_and_the_project_stay_out_of_the_lessons_sight(tmp_path: Path) -> None:
    (tmp_path / "build_figures.py").write_text("")
    lesson = Lesson(tmp_path).write({"show_numbers.py": "import build_figures\n"})
    assert lesson.messages() == [
        "code/tea/show_numbers.py:1:1: [missing-module] there is no module 'build_figures'. "
        "A lesson uses its own modules and Python's."
    ]


def test_compiled_code_is_never_used(tmp_path: Path) -> None:
    """A .pyc of the same second and size as its changed source is what Python would take."""
    lesson = Lesson(tmp_path).write({"topic.py": "VALUE = 1\n"})
    topic = lesson.folder / "topic.py"
    py_compile.compile(str(topic), importlib.util.cache_from_source(str(topic)))
    stat = topic.stat()
    topic.write_text("VALUE = 2\n")
    os.utime(topic, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    lesson.write(
        {"show_numbers.py": "import topic\n\ndef numbers():\n    return {'a': topic.VALUE}\n"}
    )
    assert lesson.values() == {"a": 2}
    assert sorted(path.name for path in lesson.folder.iterdir()) == [
        "__pycache__", "show_numbers.py", "topic.py"
    ]  # fmt: skip


# --- side by side -------------------------------------------------------------------------------


@pytest.mark.usefixtures("way")
def test_lessons_run_side_by_side(tmp_path: Path) -> None:
    """Each waits for a sign of the other: one after the other neither would end."""
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    root = tmp_path / "site"
    for me, other in (("one", "two"), ("two", "one")):
        Lesson(root, me).numbers(
            f"""\
            import os, time
            open({str(meeting / me)!r}, "w").close()
            while not os.path.exists({str(meeting / other)!r}):
                time.sleep(0.01)
            return {{"met": True}}
            """
        )
    runs = execute_all(root, ["one", "two"], at_once=2)
    assert [run.problems for (run,) in runs.values()] == [(), ()]


def test_a_job_of_the_engine_runs_in_the_same_way(tmp_path: Path) -> None:
    Lesson(tmp_path).write({"show_numbers.py": "def numbers():\n    return {'a': 1}\n"})
    job = Job("tea", "workings.execution.lesson:numbers_job", {"parameters": {}})
    results = run_jobs(tmp_path, [job, Job("tea", "workings.no_such:job")])
    assert results[0].value["values"] == {"a": 1}
    assert [problem.rule for problem in results[1].problems] == ["missing-module"]


def test_surroundings_are_imported_and_set_before_the_job(tmp_path: Path) -> None:
    Lesson(tmp_path).numbers(
        """\
        import os, sys
        return {"there": "colorsys" in sys.modules, "flavour": os.environ["FLAVOUR"]}
        """
    )
    around = Surroundings(("colorsys", "no_such_module"), (("FLAVOUR", "mint"),))
    LAUNCHER.warm(around)
    job = Job(
        "tea", "workings.execution.lesson:numbers_job", {"parameters": {}}, surroundings=around
    )
    assert run_job(tmp_path, job).value["values"] == {"there": True, "flavour": "mint"}


def test_a_server_that_dies_is_replaced(tea: Lesson) -> None:
    assert tea.run().state == "fresh"
    for server in list(LAUNCHER._servers.values()):
        server.process.kill()
        server.process.wait()
    assert tea.run(guests=5).state == "fresh"


# --- ends ---------------------------------------------------------------------------------------


@linux
@pytest.mark.usefixtures("way")
def test_a_time_out_leaves_no_process_behind(tmp_path: Path) -> None:
    lesson = Lesson(tmp_path).numbers(
        """\
        import ctypes, time
        ctypes.CDLL(None).fork()
        while True:
            time.sleep(60)
        """
    )
    assert lesson.messages(Limits(0.3)) == [
        "code/tea/show_numbers.py:5:9: [lesson-times-out] the lesson's code was still running "
        "after 0.3 s."
    ]
    assert processes_left_in(tmp_path) == []


@linux
@pytest.mark.usefixtures("way")
def test_a_lesson_that_ends_leaves_no_process_behind(tmp_path: Path) -> None:
    lesson = Lesson(tmp_path).numbers(
        """\
        import ctypes, threading, time
        if not ctypes.CDLL(None).fork():
            time.sleep(60)
        threading.Thread(target=time.sleep, args=(60,)).start()
        return {"a": 1}
        """
    )
    assert lesson.values() == {"a": 1}
    assert processes_left_in(tmp_path) == []


@pytest.fixture
def interrupt_soon() -> Iterator[None]:
    """Ctrl-C while lessons run."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.7)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@linux
@pytest.mark.usefixtures("way", "interrupt_soon")
def test_an_interrupt_ends_every_lesson(tmp_path: Path) -> None:
    for slug in ("one", "two", "three"):
        Lesson(tmp_path, slug).numbers("import time\ntime.sleep(60)\n")
    with pytest.raises(KeyboardInterrupt):
        execute_all(tmp_path, ["one", "two", "three"], at_once=2)
    assert processes_left_in(tmp_path) == []


# --- what is said -------------------------------------------------------------------------------


def test_each_run_says_how_it_went(tea: Lesson, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "workings.execution")
    first, second = tea.run(), tea.run()
    failed = tea.numbers("return {}['a']").run()
    lines = [record.getMessage() for record in caplog.records]
    assert lines == [
        f"code/tea: numbers fresh in {first.seconds:.2f} s (first run)",
        f"code/tea: numbers cached in {second.seconds:.2f} s (nothing changed)",
        f"code/tea: numbers failed in {failed.seconds:.2f} s (code/tea/show_numbers.py changed)",
    ]
    assert run_line(failed) == lines[2]
