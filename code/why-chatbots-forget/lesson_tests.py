"""Runs the lesson's own tests and counts them. Needs pytest, which a browser lacks."""

import contextlib
import io
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
OPTIONS = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", f"--rootdir={FOLDER}"]


class Outcomes:
    """Counts the tests that pass and those that do not.

    >>> outcomes = Outcomes()
    >>> outcomes.passed, outcomes.failed
    (0, 0)
    """

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called by pytest for each part of each test; to pass, the test itself counts."""
        self.passed += report.when == "call" and report.passed
        self.failed += report.failed

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Called by pytest for each file: one that cannot be imported has failed."""
        self.failed += report.failed


def outcomes() -> Outcomes:
    """The outcomes of a real run of all tests in this folder."""
    counted = Outcomes()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*OPTIONS, str(FOLDER)], plugins=[counted])
    return counted


def window_trials() -> int:
    """How many random chats the test of the window tries."""
    import test_window  # a test file: pytest must be the first to import it

    return test_window.TRIALS
