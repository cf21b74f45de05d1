"""The page of explanations in a browser: rows, marks, order, search, keyboard, print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser import DESKTOP, PHONE, Browser

from summeval.cli.main import main

TRICKY = "</script><b>&amp; \u2028 \x00 🦊 The stórm\r\nhit the cafe\u0301"
ROWS = 300


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 rows of three systems, the second of which is tricky."""
    folder = tmp_path_factory.mktemp("page")
    rows = folder / "rows.jsonl"
    words = "storm coast house river night train man city law game".split()
    lines = []
    for k in range(ROWS):
        mine = [words[(k * j) % 10] for j in range(3, 9)]
        theirs = [words[(k * j) % 10] for j in range(2, 8)]
        lines.append(
            {
                "id": f"d{k}",
                "system": "abc"[k % 3],
                "candidate": " ".join(mine),
                "references": [" ".join(theirs), "the last reference"],
                "source": " ".join(words),
            }
        )
    lines[1] |= {"candidate": TRICKY, "references": ["🦊🦊 A stórm hit the café </title>"]}
    lines[2] |= {"candidate": None}
    rows.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = folder / "page.html"
    names = "rouge1,rougeSU4,support,readability,rougeLsum"
    assert main(["explain", str(rows), "-m", names, "-o", str(out), "--on-error", "skip"]) == 0
    return out


def opened(browser: Browser, page: Path, **how: Any) -> Browser:
    browser.open(page, **how)
    wait(browser, "return document.body.dataset.ready === 'yes'")
    return browser


def wait(browser: Browser, script: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser.driver, 20, 0.05).until(lambda driver: driver.execute_script(script))


def heading(browser: Browser) -> str:
    return str(browser.run("return document.querySelector('#detail h2')?.textContent ?? ''"))


def wait_for(browser: Browser, name: str) -> None:
    title = "document.querySelector('#detail h2')?.textContent"
    wait(browser, f"return {title}.includes({json.dumps(name)})")


def marks(browser: Browser, kind: str) -> list[str]:
    """The marked words of one kind, without those of the key."""
    script = "return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)"
    return list(browser.run(script, f"#detail .text mark.{kind}"))


def choose(browser: Browser, name: str, value: str) -> None:
    browser.run(
        "const box = document.getElementById(arguments[0]); box.value = arguments[1];"
        " box.dispatchEvent(new Event(box.tagName === 'INPUT' ? 'input' : 'change'))",
        name,
        value,
    )


def listed(browser: Browser) -> list[str]:
    """The labels of the rows in view, from above."""
    return list(
        browser.run(
            "return [...document.querySelectorAll('#list .row')]"
            ".sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))"
            ".map((node) => node.title)"
        )
    )


def status(browser: Browser) -> str:
    return str(browser.run("return document.getElementById('status').textContent"))


def test_it_opens_with_the_first_row_and_no_complaint(browser: Browser, page: Path) -> None:
    opened(browser, page)
    wait_for(browser, "row 1 (d0), a")
    assert status(browser) == "300 rows"
    assert len(listed(browser)) < 30  # only those in view
    assert marks(browser, "match") == ["storm"] * 12
    assert browser.errors() == []


def test_texts_are_shown_as_they_are(browser: Browser, page: Path) -> None:
    """Tags, separators and characters of two units are texts, and marks stand at their words."""
    opened(browser, page)
    browser.run("location.hash = '#row-2'")
    wait_for(browser, "(d1)")
    texts = browser.run(
        "return [...document.querySelectorAll('#detail .text')].map((node) => node.textContent)"
    )
    assert texts[0] == TRICKY
    assert texts[1] == "🦊🦊 A stórm hit the café </title>"
    assert marks(browser, "match") == ["The", "st", "rm", "hit", "st", "rm", "hit", "the"]
    assert marks(browser, "missing") == ["A", "caf", "title"]
    assert marks(browser, "extra") == ["script", "b", "amp", "the", "cafe"]
    assert browser.errors() == []


def test_each_metric_shows_its_own_marks(browser: Browser, page: Path) -> None:
    opened(browser, page)
    for number, name in enumerate(["rouge1", "rougeSU4", "support", "readability", "rougeLsum"]):
        browser.run("document.querySelectorAll('.metrics button')[arguments[0]].click()", number)
        wait(
            browser,
            f"return document.querySelectorAll('.metrics button')[{number}]"
            ".getAttribute('aria-pressed') === 'true'",
        )
        table = f'#detail table[aria-label="items of {name}"] tbody tr'
        assert browser.run("return document.querySelectorAll(arguments[0]).length", table) > 0
    assert browser.errors() == []


def test_rows_without_a_text_say_why(browser: Browser, page: Path) -> None:
    opened(browser, page)
    browser.run("location.hash = '#row-3'")
    wait_for(browser, "(d2)")
    assert "no candidate" in browser.run("return document.getElementById('detail').textContent")


def test_rows_are_sorted_and_filtered(browser: Browser, page: Path) -> None:
    opened(browser, page)
    choose(browser, "order", "0 -1")
    values = browser.run(
        "return [...document.querySelectorAll('#list .row')]"
        ".sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))"
        ".map((node) => parseFloat(node.querySelector('.value-beside').textContent))"
    )
    assert values == sorted(values, reverse=True)
    choose(browser, "system", "1")
    wait(browser, "return document.getElementById('status').textContent === '100 of 300 rows'")
    assert all(name.endswith(", b") for name in listed(browser))
    choose(browser, "system", "")
    choose(browser, "order", "")
    choose(browser, "find", "d29")
    wait(browser, "return document.getElementById('status').textContent === '11 of 300 rows'")
    wait_for(browser, "(d29)")
    choose(browser, "find", "STÓRM")
    wait(browser, "return document.getElementById('status').textContent === '1 of 300 rows'")
    assert listed(browser) == ["row 2 (d1), b"]
    choose(browser, "find", "nowhere at all")
    wait(browser, "return document.getElementById('status').textContent === '0 of 300 rows'")
    told = browser.run("return document.getElementById('detail').textContent")
    assert told == "No row has “nowhere at all” in its id, its system or its texts."
    assert listed(browser) == []
    assert browser.errors() == []


def test_a_row_of_the_list_has_its_name_and_the_value_that_sorts(
    browser: Browser, page: Path
) -> None:
    opened(browser, page)
    first = (
        "const [name, value] = document.querySelector('#list .row div').children;"
        " return [name.textContent, name.scrollWidth <= name.clientWidth + 1, value.textContent,"
        " name.getBoundingClientRect().right <= value.getBoundingClientRect().left,"
        " document.getElementById('beside').textContent];"
    )
    assert browser.run(first) == ["row 1 (d0), a", True, "1.0000", True, ", each with its rouge1"]
    choose(browser, "order", "3 1")
    wait(browser, "return document.getElementById('beside').textContent.includes('readability')")
    assert browser.run(first)[1::2] == [True, True]
    choose(browser, "order", "")


def test_long_texts_stand_side_by_side_and_unused_references_in_one_fold(
    browser: Browser, tmp_path: Path
) -> None:
    rows, out = tmp_path / "long.jsonl", tmp_path / "long.html"
    text = "the storm hit the coast " * 600
    row = {"candidate": text, "references": [text, *(f"no match{n}" for n in range(10))]}
    rows.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert main(["explain", str(rows), "-m", "rouge1", "-o", str(out)]) == 0
    tops = (
        "return [...document.querySelectorAll('.pair > div')]"
        ".map((box) => [box.getBoundingClientRect().top, box.getAttribute('aria-label')])"
    )
    opened(browser, out)
    (mine, name), (theirs, other) = browser.run(tops)
    assert (name, other, mine == theirs) == ("candidate", "reference 1", True)
    folds = "return [...document.querySelectorAll('summary')].map((node) => node.textContent)"
    assert browser.run(folds)[0] == "10 references, which do not count"
    assert browser.unreached() == []
    opened(browser, out, width=PHONE)
    (mine, _), (theirs, _) = browser.run(tops)
    assert 0 < theirs - mine < 500
    assert browser.too_wide() == []
    directions = (
        "return [...document.querySelectorAll('.text')].every((node) => node.dir === 'auto')"
    )
    assert browser.run(directions)


def test_the_last_row_is_unpacked_when_it_is_asked_for(browser: Browser, page: Path) -> None:
    opened(browser, page)
    browser.run("document.getElementById('list').scrollTop = 1e9")
    wait(
        browser,
        "return [...document.querySelectorAll('#list .row')].some((n) => n.title.includes('d299'))",
    )
    browser.run("location.hash = '#row-300'")
    wait_for(browser, "(d299)")


def test_keys_move_through_the_rows(browser: Browser, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(browser, page)
    rows = browser.driver.find_element("id", "list")
    rows.send_keys(Keys.ARROW_DOWN)
    wait_for(browser, "row 2 ")
    assert browser.run("return location.hash") == "#row-2"
    rows.send_keys(Keys.END)
    wait_for(browser, "row 300 ")
    assert rows.get_attribute("aria-activedescendant") == "option-299"
    rows.send_keys(Keys.PAGE_UP, Keys.HOME)
    wait_for(browser, "row 1 ")
    rows.send_keys(Keys.ENTER)
    assert browser.run("return document.activeElement.id") == "detail"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_it_can_be_read_and_reached(browser: Browser, page: Path, width: int, scheme: Any) -> None:
    opened(browser, page, width=width, scheme=scheme)
    wait_for(browser, "row 1 ")
    browser.run("for (const box of document.querySelectorAll('details')) box.open = true")
    assert browser.faint() == []
    assert browser.too_wide() == []
    assert browser.unnamed() == []
    assert browser.unreached() == []


def test_the_row_is_printed_without_the_list(browser: Browser, page: Path) -> None:
    opened(browser, page)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert browser.run(
            "return ['list', 'tools', 'detail'].map((id) =>"
            " document.getElementById(id).checkVisibility())"
        ) == [False, False, True]
        assert browser.pdf().startswith(b"%PDF")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_an_old_browser_is_told(browser: Browser, page: Path) -> None:
    added = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": "delete self.DecompressionStream"}
    )
    try:
        browser.open(page)
        assert "cannot unpack" in status(browser)
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_no_rows_are_said(browser: Browser, tmp_path: Path) -> None:
    import summeval
    from summeval.report.explanation_page import explanation_page

    out = tmp_path / "none.html"
    out.write_bytes(b"".join(explanation_page([], [summeval.metric("rouge1")], "none")))
    browser.open(out)
    wait(browser, "return document.getElementById('status').textContent === '0 rows'")
    assert browser.errors() == []
