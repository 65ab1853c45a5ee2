"""Runs the lesson's own tests and counts them. Needs pytest, which a browser lacks."""

import contextlib
import io
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
OPTIONS = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", f"--rootdir={FOLDER}"]


class Outcomes:
    """Counts the tests that pass, and keeps the names of those that do not.

    >>> outcomes = Outcomes()
    >>> outcomes.passed, outcomes.failed
    (0, [])
    """

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called by pytest for each part of each test; only the test itself counts."""
        self.passed += report.when == "call" and report.passed
        self.failed += [report.nodeid] * report.failed

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Called by pytest for each file: one that cannot be imported has failed."""
        self.failed += [report.nodeid] * report.failed


def tests_passed() -> int:
    """How many tests pass; RuntimeError with their names where some do not."""
    outcomes = Outcomes()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*OPTIONS, str(FOLDER)], plugins=[outcomes])
    if outcomes.failed or not outcomes.passed:
        raise RuntimeError(f"These tests fail: {', '.join(outcomes.failed) or 'none was found'}.")
    return outcomes.passed


def window_trials() -> int:
    """How many random chats the test of the window tries."""
    import test_window  # a test file: pytest must be the first to import it

    return test_window.TRIALS
