"""The report in a browser: legible in light and dark, on a phone, by keyboard, on paper."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from browser import DESKTOP, PHONE, Browser, Scheme

from summeval.cli.main import main

pytest.importorskip("matplotlib")


def write(path: Path, systems: list[str], topics: int, metrics: int, *, people: bool) -> Path:
    """A file of scores whose texts and names are as long, and as odd, as they come."""
    random = np.random.default_rng(2)
    rows = [
        {
            "system": system,
            "topic": f"topic-{'0123456789' * 6}-{topic}",
            "candidate": "word <b>&amp; " * int(random.integers(3, 40)),
            "references": ["a word of reference"],
            "rouge1.fmeasure": float(random.random()) + place / 5,
            **{
                f"a-metric-of-some-length-{n}.value": float(random.random()) for n in range(metrics)
            },
            **{f"dimension_{n}": int(random.integers(1, 6)) for n in range(4 * people)},
        }
        for place, system in enumerate(systems)
        for topic in range(topics)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


NAMES = [
    f"a-system-with-a-long-name-{'and-more-' * 9}end", "<script>alert(1)</script> & \"co\"",
    "日本語の要約システム", "نظام التلخيص", "plain",
]  # fmt: skip


@pytest.fixture(scope="module", params=["systems", "people", "explained"])
def page(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "explained":  # the bundled summaries, whose scores are real
        demo = str(files("summeval.cli") / "data" / "demo.jsonl")
        scored, target = str(folder / "scores.jsonl"), folder / "report.html"
        assert (
            main(["score", demo, "-m", "rouge1,rouge2,support", "--keep-text", "-o", scored]) == 0
        )
        assert main(["report", scored, "--human", "none", "-o", str(target)]) == 0
        assert "sv-told" in target.read_text(encoding="utf-8")
        return target
    people = request.param == "people"
    scores = write(folder / "scores.jsonl", NAMES, 6 if people else 30, 11, people=people)
    more = ["--bootstrap", "99", "--coefficient", "pearson"] if people else []
    assert main(["report", str(scores), *more, "-o", str(folder / "report.html")]) == 0
    return folder / "report.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_every_text_can_be_read(browser: Browser, page: Path, width: int, scheme: Scheme) -> None:
    browser.open(page, width=width, scheme=scheme)
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; });")
    assert browser.faint() == []
    assert browser.too_wide() == []
    assert browser.errors() == []
    ground = browser.run("return luminance(behind(document.body));")
    assert (ground > 0.5) == (scheme == "light")
    assert browser.run("return texts().length;") > 200


def test_a_phone_is_shown_its_own_first_picture(browser: Browser, page: Path) -> None:
    shown = (
        "return [...document.querySelectorAll('header svg')].filter(visible)"
        ".map(s => [s.width.baseVal.value, s.getBoundingClientRect().width]);"
    )
    browser.open(page, width=PHONE)
    ((drawn, wide),) = browser.run(shown)
    assert drawn == pytest.approx(wide, rel=0.03), "letters would be too small"
    browser.open(page, width=DESKTOP)
    ((drawn, wide),) = browser.run(shown)
    assert drawn == pytest.approx(wide, rel=0.03)
    assert wide > 800


def test_letters_of_pictures_stay_inside_and_apart(browser: Browser, page: Path) -> None:
    """In the fonts of this browser, which are not those that the letters were measured with."""
    browser.open(page, width=DESKTOP)
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; });")
    assert browser.run("return crossing();") == []


def test_everything_has_a_name_and_can_be_reached(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.unnamed() == []
    assert browser.unreached() == []


def test_links_lead_to_what_is_there(browser: Browser, page: Path) -> None:
    browser.open(page)
    dead = browser.run(
        "return [...document.querySelectorAll('a[href^=\"#\"], use')]"
        ".map(n => n.getAttribute('href') || n.getAttribute('xlink:href'))"
        ".filter(h => !document.getElementById(h.slice(1)));"
    )
    assert dead == []
    ids = browser.run("return [...document.querySelectorAll('[id]')].map(n => n.id);")
    assert len(ids) == len(set(ids))
    assert browser.run("return document.querySelectorAll('h1').length;") == 1


def test_what_is_saved_is_a_picture_and_a_table(browser: Browser, page: Path) -> None:
    browser.open(page)
    saved = browser.run(
        "return [...document.querySelectorAll('a[download]')].map(a => [a.download, a.href]);"
    )
    assert {name.rpartition(".")[2] for name, _ in saved} == {"svg", "csv"}
    address = next(href for name, href in saved if name.endswith(".svg"))
    file = page.with_name("saved.svg")
    file.write_text(unquote(address.partition(",")[2]), encoding="utf-8")
    browser.open(file)
    assert browser.run("return document.documentElement.tagName;") == "svg"
    assert browser.run("return document.querySelectorAll('text').length;") > 5
    assert browser.errors() == []


def test_it_can_be_printed(browser: Browser, page: Path) -> None:
    browser.open(page)
    data = browser.pdf()
    assert data.startswith(b"%PDF-")
    assert data.count(b"/Type /Page") > 2


def test_the_p_values_of_pairs_are_in_view(browser: Browser, page: Path) -> None:
    browser.open(page, width=DESKTOP)
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; });")
    edges = browser.run(
        "return [...document.querySelectorAll('table.pairs')].map((table) =>"
        " [table.rows[0].cells[2], table.closest('.wide')].map((node) =>"
        " node.getBoundingClientRect().right));"
    )
    assert all(cell <= box for cell, box in edges)
    told = browser.run("return document.getElementById('systems-picture').textContent")
    assert ("Some of 12 metrics: the table below has all." in told) == (
        "explained" not in str(page)
    )


def test_names_are_no_markup(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.run("return document.querySelectorAll('script, b b, svg script').length;") == 0
    told = browser.run("return document.body.textContent;")
    assert ("<script>alert(1)</script>" in told) == ("explained" not in str(page))
