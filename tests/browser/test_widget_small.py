"""The calculator where things go wrong, and where two lessons meet, on a small site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.small_widgets import Behaviour, Served, build_site, serve_with, write_project

RUNTIME = re.compile(r"/assets/py-[0-9a-f]{10}/")
SHOWN_STILL = "The results on screen are the last ones that were computed."
READY = re.compile("^ready$")
FAILED = re.compile("^failed$")


@pytest.fixture(scope="session")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("small")
    write_project(root)
    build_site(root, root / "site")
    return root / "site"


@pytest.fixture
def behaviour() -> Behaviour:
    return Behaviour()


@pytest.fixture
def small(small_site: Path, behaviour: Behaviour) -> Iterator[Served]:
    served = serve_with(small_site, behaviour)
    yield served
    served.server.shutdown()
    served.server.server_close()


def state(page: Page, panel: str, wanted: re.Pattern[str] = READY) -> None:
    expect(page.locator(f"#widget-{panel}")).to_have_attribute("data-state", wanted, timeout=60_000)


def enter(
    page: Page, name: str, text: str, panel: str = "cake", wanted: re.Pattern[str] = READY
) -> None:
    page.locator(f"#wk-{panel}-{name}").fill(text)
    state(page, panel, wanted)


def value(page: Page, name: str) -> str:
    return page.locator(f'[data-part="output-{name}"]').inner_text().strip()


def expect_messages(page: Page, *parts: str) -> None:
    page.watched.expected.extend(parts)  # type: ignore[attr-defined]


# --- as it should be ------------------------------------------------------------------------------


def test_results_follow_the_entries(open_page: Callable[..., Page], small: Served) -> None:
    page = open_page("cake.html", base=small)
    assert value(page, "cake_g") == "480"
    enter(page, "guests", "7")
    assert value(page, "cake_g") == "560"
    assert "= 7 × 80" in page.locator('[data-part="formula-cake_g"]').inner_text()
    page.locator("#wk-cake-nuts").check()
    state(page, "cake")
    assert value(page, "cake_g") == "1,120"
    page.locator("#wk-cake-size").select_option("large")
    state(page, "cake")
    assert value(page, "cake_g") == "19,200"
    assert page.locator("#wk-cake-guests").input_value() == "120"


def test_nothing_of_python_is_fetched_before_an_intent(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("both.html", base=small)
    page.wait_for_load_state("networkidle")
    expect(page.locator("#wk-cake-guests")).to_be_enabled()
    assert [path for path in small.requests if RUNTIME.search(path)] == []
    page.locator("#widget-tea").hover()
    state(page, "tea")
    assert len([path for path in small.requests if path.endswith(".wasm")]) == 1


def test_two_lessons_with_modules_of_one_name_share_one_worker(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("both.html", base=small)
    enter(page, "guests", "10")
    enter(page, "cups", "3", "tea")
    assert value(page, "water_ml") == "750"
    enter(page, "guests", "11")
    assert value(page, "cake_g") == "880"
    enter(page, "cups", "4", "tea")
    assert value(page, "water_ml") == "1,000"
    assert len(page.workers) == 1
    assert len([path for path in small.requests if path.endswith("worker.mjs")]) == 1


def test_a_page_below_other_folders_finds_the_runtime(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("deep/er/both.html", base=small)
    enter(page, "cups", "5", "tea")
    assert value(page, "water_ml") == "1,250"


def test_of_a_hundred_quick_edits_the_latest_wins(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("cake.html", base=small)
    enter(page, "guests", "2")
    page.evaluate("""() => {
        const entry = document.querySelector("#wk-cake-guests");
        for (let guests = 20; guests < 120; guests += 1) {
            entry.value = String(guests);
            entry.dispatchEvent(new Event("input", { bubbles: true }));
        }
    }""")
    state(page, "cake")
    assert value(page, "cake_g") == "9,520"
    assert "119 × 80" in page.locator('[data-part="formula-cake_g"]').inner_text()


def test_a_wrong_entry_shows_its_error_and_no_number(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("cake.html", base=small)
    enter(page, "guests", "12 cats")
    error = page.locator("#wk-cake-guests-error")
    assert error.inner_text() == "“12 cats” is no number. Type a whole number from 1 to 1,000."
    entry = page.locator("#wk-cake-guests")
    assert entry.get_attribute("aria-invalid") == "true"
    assert "wk-cake-guests-error" in (entry.get_attribute("aria-describedby") or "")
    assert value(page, "cake_g") == "–"
    assert not re.search(
        r"\d", page.locator(".wk-results").inner_text() + page.locator(".wk-headline").inner_text()
    )
    enter(page, "guests", "12")
    assert error.is_hidden()
    assert entry.get_attribute("aria-invalid") is None
    assert value(page, "cake_g") == "960"


def test_what_cannot_be_computed_says_why_in_its_place(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("cake.html", base=small)
    enter(page, "guests", "16")
    assert value(page, "trouble").split("\n") == ["–", "Sixteen is one too many."]
    assert value(page, "cake_g") == "1,280"


def test_the_address_holds_the_state(open_page: Callable[..., Page], small: Served) -> None:
    page = open_page("both.html", base=small)
    page.locator("#wk-cake-size").select_option("large")
    enter(page, "slice_g", "90,5")
    enter(page, "cups", "9", "tea")
    page.wait_for_url(re.compile(r"cake\.slice_g=90\.5.*tea\.cups=9"))
    assert "cake.size=large" in page.url
    assert "cake.guests" not in page.url
    again = open_page(page.url.removeprefix(small.url), base=small)
    state(again, "cake")
    state(again, "tea")
    assert value(again, "cake_g") == "10,860"
    assert value(again, "water_ml") == "2,250"
    again.locator("#widget-cake .wk-reset").click()
    state(again, "cake")
    assert value(again, "cake_g") == "480"
    again.wait_for_url(re.compile(r"both\.html\?tea\.cups=9$"))


def test_an_element_that_moves_goes_on_working(
    open_page: Callable[..., Page], small: Served
) -> None:
    """Instant navigation takes elements out of the page and puts others in."""
    page = open_page("both.html", base=small)
    enter(page, "guests", "10")
    page.evaluate("""() => {
        const tea = document.querySelector("#widget-tea"), cake = document.querySelector("#widget-cake");
        const html = cake.outerHTML;
        cake.remove();
        tea.remove();
        document.querySelector("main").append(tea);
        const fresh = document.createElement("div");
        fresh.innerHTML = html;
        document.querySelector("main").append(fresh.firstElementChild);
    }""")
    enter(page, "cups", "7", "tea")
    assert value(page, "water_ml") == "1,750"
    enter(page, "guests", "9")
    assert value(page, "cake_g") == "720"
    assert len(page.workers) == 1


# --- progress, limits, faults ---------------------------------------------------------------------


def test_progress_counts_the_bytes(
    open_page: Callable[..., Page], small: Served, behaviour: Behaviour
) -> None:
    behaviour.rules["stdlib.zip"] = "slow:1500000"
    page = open_page("cake.html", base=small)
    page.locator("#wk-cake-guests").fill("8")
    expect(page.locator(".wk-status")).to_have_text(
        re.compile(r"^Loading Python: \d+\.\d of 12\.\d MB$")
    )
    assert value(page, "cake_g") == "480"
    state(page, "cake")
    got, total = page.locator(".wk-progress").evaluate("bar => [bar.value, bar.max]")
    assert got == total > 10_000_000
    assert value(page, "cake_g") == "640"


def test_a_loop_is_stopped_and_the_next_edit_works(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("cake.html", base=small)
    page.locator("#widget-cake").evaluate("widget => { widget.dataset.limitMs = '1000'; }")
    enter(page, "guests", "5")
    enter(page, "guests", "13", wanted=FAILED)
    said = page.locator(".wk-status").inner_text()
    assert said == f"This took longer than 1 seconds and was stopped. {SHOWN_STILL}"
    assert value(page, "cake_g") == "400"
    enter(page, "guests", "6")
    assert value(page, "cake_g") == "480"


def test_an_exception_names_its_place_and_shows_no_number(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("cake.html", base=small)
    enter(page, "guests", "15")
    assert page.locator(".wk-error").inner_text() == (
        "The lesson's code could not compute this: KeyError: 'no such key' (code/cake/portions.py, line 25)."
    )
    assert value(page, "cake_g") == "–"
    enter(page, "guests", "3")
    assert page.locator(".wk-error").is_hidden()
    assert value(page, "cake_g") == "240"


def test_a_module_that_was_cut_away_brings_the_whole_library(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("cake.html", base=small)
    enter(page, "guests", "5")
    assert page.locator("#widget-cake").get_attribute("data-library") == "cut"
    enter(page, "guests", "14")
    assert value(page, "trouble") == "1"
    assert page.locator("#widget-cake").get_attribute("data-library") == "whole"


def test_too_little_memory_ends_in_a_sentence(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("cake.html", base=small)
    enter(page, "guests", "17")
    assert page.locator(".wk-error").inner_text() == "The browser has not enough memory for this."
    assert value(page, "cake_g") == "–"
    enter(page, "guests", "4")
    assert value(page, "cake_g") == "320"


LOADER = r"Python could not run here: .*"
FAULTS: dict[str, tuple[dict[str, int | str], str]] = {
    "wasm-missing": ({"pyodide.asm.wasm": 404}, r"the file pyodide\.asm\.wasm could not be loaded"),
    "library-missing": ({"/stdlib.zip": 404}, r"the file stdlib\.zip could not be loaded"),
    "engine-missing": ({"workings_browser-0.1.0-cp314-none-any.whl": 404}, r"the file workings_browser"),
    "lesson-missing": ({"lesson_cake-0.1.0-py3-none-any.whl": 404}, r"the file workings_lesson_cake"),
    "loader-missing": ({"pyodide.mjs": 404}, LOADER + r"pyodide\.mjs"),
    "machine-missing": ({"pyodide.asm.mjs": 404}, LOADER + r"pyodide\.asm\.mjs"),
    "manifest-missing": ({"manifest.json": 404}, r"manifest\.json could not be loaded \(HTTP 404\)"),
    "worker-missing": ({"worker.mjs": 404}, r"the script that runs Python could not be loaded"),
    "wasm-other": ({"pyodide.asm.wasm": "other"}, r"pyodide\.asm\.wasm could not be loaded, or is not"),
    "library-other": ({"/stdlib.zip": "other"}, r"stdlib\.zip could not be loaded, or is not the one"),
    "lesson-other": ({"lesson_cake-0.1.0-py3-none-any.whl": "other"}, r"workings_lesson_cake"),
    "wasm-hangs": ({"pyodide.asm.wasm": "hang"}, r"nothing happened for 2 seconds"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_fails_ends_in_a_sentence_and_a_retry_mends_it(
    fault: str, open_page: Callable[..., Page], small: Served, behaviour: Behaviour
) -> None:
    rules, sentence = FAULTS[fault]
    behaviour.rules |= rules
    page = open_page("cake.html", base=small)
    expect_messages(
        page,
        "Failed to load resource",
        "integrity",
        "wasm instantiation failed",
        "TypeError",
        "Error:",
    )
    page.locator("#widget-cake").evaluate("widget => { widget.dataset.patienceMs = '2000'; }")
    enter(page, "guests", "8", wanted=FAILED)
    said = page.locator(".wk-status").inner_text()
    assert re.search(sentence, said), said
    assert said.endswith(SHOWN_STILL)
    assert value(page, "cake_g") == "480"
    assert page.locator("#wk-cake-guests").input_value() == "8"
    behaviour.rules.clear()
    page.locator(".wk-retry").click()
    state(page, "cake")
    assert value(page, "cake_g") == "640"
    assert page.locator(".wk-retry").is_hidden()


def test_a_host_that_does_not_know_wasm_does_not_matter(
    open_page: Callable[..., Page], small: Served, behaviour: Behaviour
) -> None:
    behaviour.rules["pyodide.asm.wasm"] = "type:text/plain"
    page = open_page("cake.html", base=small)
    enter(page, "guests", "8")
    assert value(page, "cake_g") == "640"


@pytest.mark.parametrize("missing", ["WebAssembly", "Worker"])
def test_an_old_browser_is_told_so(
    missing: str, open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("cake.html", base=small)
    page.evaluate(f"delete globalThis.{missing}")
    enter(page, "guests", "8", wanted=FAILED)
    assert (
        "this browser has no WebAssembly or no workers" in page.locator(".wk-status").inner_text()
    )
    assert value(page, "cake_g") == "480"


POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; "
    "img-src 'self' data:; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'"
)


def test_a_strict_policy_is_kept(
    open_page: Callable[..., Page], small: Served, behaviour: Behaviour
) -> None:
    behaviour.headers["Content-Security-Policy"] = POLICY
    page = open_page("cake.html", base=small)
    page.locator("#wk-cake-guests").fill("60")
    page.locator('[data-part="output-cake_g"] data[value="4800"]').wait_for()


def test_a_policy_that_forbids_it_ends_in_a_sentence(
    open_page: Callable[..., Page], small: Served, behaviour: Behaviour
) -> None:
    behaviour.headers["Content-Security-Policy"] = POLICY.replace(" 'wasm-unsafe-eval'", "")
    page = open_page("cake.html", base=small)
    expect_messages(page, "Content Security Policy", "wasm instantiation failed", "CompileError")
    page.locator("#wk-cake-guests").fill("60")
    page.locator('#widget-cake[data-state="failed"]').wait_for()
    assert page.locator(".wk-status").inner_text().startswith("Python could not run here: ")
    assert value(page, "cake_g") == "480"


def test_without_script_the_results_stand_and_the_entries_are_off(
    open_page: Callable[..., Page], small: Served
) -> None:
    page = open_page("both.html", base=small, java_script_enabled=False)
    assert "480" in page.locator('[data-part="output-cake_g"]').inner_text()
    assert "6 × 80" in page.locator('[data-part="formula-cake_g"]').inner_text()
    assert page.locator("#wk-cake-guests").is_disabled()
    assert "needs JavaScript" in page.locator("#widget-cake noscript").inner_text()
