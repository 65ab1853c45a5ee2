"""A pytest plugin for `make test`: a skipped browser test proves nothing, so it fails the run."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name each browser test that did not run, before the closing line."""
    for test in _skipped(terminalreporter.config):
        terminalreporter.write_line(f"ERROR {test} was skipped, and must run here.", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a skipped browser test fail the run."""
    if session.exitstatus == 0 and _skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _skipped(config: pytest.Config) -> list[str]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    return [report.nodeid for report in reports if "browser/" in report.nodeid]
