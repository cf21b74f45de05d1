"""The page of the service in a browser: two texts in by the keyboard, scores and marks out."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from browser import DESKTOP, PHONE, Browser

import summeval

pytest.importorskip("starlette", reason="starlette, of the extra serve, is not installed")
pytest.importorskip("uvicorn", reason="uvicorn, of the extra serve, is not installed")

TEXTS = ("The stórm hit <b>the</b> coast.", "A stórm struck the coast.")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "summeval.cli.main", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
        assert service.stderr is not None
        told = re.search(r"http://\S+", service.stderr.readline())
        assert told is not None
        yield told[0]
        service.terminate()


def opened(browser: Browser, address: str, width: int) -> None:
    browser.resize(width)
    browser.driver.get("about:blank")
    browser.driver.get_log("browser")  # what earlier pages said
    browser.driver.get(address)


def keys(browser: Browser, *typed: str) -> None:
    for text in typed:
        browser.driver.switch_to.active_element.send_keys(text)


def wait(browser: Browser, script: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser.driver, 20, 0.05).until(lambda driver: driver.execute_script(script))


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_two_texts_are_scored_and_explained_by_keyboard_alone(
    browser: Browser, address: str, width: int
) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(browser, address, width)
    keys(browser, Keys.TAB, TEXTS[0], Keys.TAB, TEXTS[1], Keys.TAB, Keys.TAB, "rouge1,chrf")
    keys(browser, Keys.TAB, Keys.ENTER)
    wait(browser, "return !document.getElementById('found').hidden")
    told = browser.run(
        "return [...document.querySelectorAll('#scores tbody tr')]"
        ".map((row) => [...row.children].map((cell) => cell.textContent))"
    )
    scores = summeval.score(TEXTS[0], TEXTS[1], ["rouge1", "chrf"])
    wanted = [[f"{n}.{f}", f"{v:.4f}"] for n, one in scores.items() for f, v in one.items()]
    assert told == wanted
    assert browser.run("return document.activeElement.id") == "found"
    shown = browser.run("return document.querySelector('#told p').textContent")
    marked = "return [...document.querySelectorAll('#told p:first-of-type .match')].length"
    assert (shown, browser.run(marked) > 0) == (TEXTS[0], True)
    line = "return getComputedStyle(document.querySelector('#told .match')).textDecorationLine"
    assert browser.run(line) == "underline"  # the policy lets the style sheet through
    assert browser.errors() == []
    assert browser.too_wide() == [] and browser.unnamed() == []
    assert browser.unreached() == []


def test_a_refusal_is_shown_and_the_texts_stay(browser: Browser, address: str) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(browser, address, DESKTOP)
    keys(browser, Keys.TAB, TEXTS[0], Keys.TAB, TEXTS[1], Keys.TAB, Keys.TAB, "ruge1", Keys.ENTER)
    wait(browser, "return document.getElementById('problem').textContent !== ''")
    said, hidden, kept = browser.run(
        "return ['problem', 'found', 'candidate'].map((id) => document.getElementById(id))"
        ".map((one) => one.value ?? (one.hidden || one.textContent))"
    )
    assert said.startswith("unknown metric 'ruge1'; did you mean rouge1")
    assert (hidden, kept) == (True, TEXTS[0])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_the_page(browser: Browser, address: str, scheme: str) -> None:
    browser.prefer("dark" if scheme == "dark" else "light")
    opened(browser, address, DESKTOP)
    assert browser.faint() == []
