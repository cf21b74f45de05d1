"""The measures of a page: each finds what is wrong in a page made to be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import DESKTOP, PHONE, Browser

WRONG = """<!DOCTYPE html><html lang="en"><title>wrong</title>
<style>
:root { color-scheme: light dark; --ink: #222; --page: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #333; --page: #111; } }
body { background: var(--page); color: var(--ink); margin: 0; } a:focus-visible { outline: none; }
</style>
<p>clear in light</p><p style="color: #999">pale</p>
<div style="width: 500px">wide</div><div style="overflow: auto"><i style="width: 900px">no</i></div>
<svg viewBox="0 0 40 20" width="40" height="20"><path d="M0 0H40V20H0Z" fill="#333"/>
<text x="5" y="15" fill="#222">dim</text></svg>
<svg viewBox="0 0 99 30" width="99" height="30" aria-labelledby="two"><text x="5" y="15">over</text>
<text x="9" y="17">one</text><text x="80" y="25">beyond</text></svg>
<a href="#x">seen?</a><button tabindex="-1" aria-label="aside"></button><button></button>
<div style="display: none">hidden <a href="#y">away</a></div>
<script>console.error("broken")</script></html>"""


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.html"
    path.write_text(WRONG, encoding="utf-8")
    return path


def test_what_is_pale_is_found_in_each_scheme(browser: Browser, wrong: Path) -> None:
    browser.open(wrong)
    assert [text.split()[2] for text in browser.faint()] == ["pale", "dim"]
    browser.open(wrong, scheme="dark")
    assert {text.split()[2] for text in browser.faint()} >= {"clear", "dim"}


def test_what_is_wider_than_the_window_is_found(browser: Browser, wrong: Path) -> None:
    browser.open(wrong, width=PHONE)
    assert [one.split()[1] for one in browser.too_wide()] == ["wide", "page"]
    browser.open(wrong, width=DESKTOP)
    assert browser.too_wide() == []


def test_letters_on_letters_are_found(browser: Browser, wrong: Path) -> None:
    browser.open(wrong)
    assert browser.run("return crossing();") == ["two: beyond", "two: over"]


def test_what_has_no_name_or_no_outline_is_found(browser: Browser, wrong: Path) -> None:
    browser.open(wrong)
    assert [one.split()[0] for one in browser.unnamed()] == ["svg", "BUTTON"]
    assert any(one.startswith("no outline: A") for one in browser.unreached())


def test_what_the_console_says_is_found(browser: Browser, wrong: Path) -> None:
    browser.open(wrong)
    assert any("broken" in message for message in browser.errors())
    assert browser.errors() == []


def test_a_page_can_be_printed_and_photographed(browser: Browser, wrong: Path) -> None:
    browser.open(wrong)
    assert browser.pdf().startswith(b"%PDF-")
    assert browser.screenshot(whole=True).startswith(b"\x89PNG")
