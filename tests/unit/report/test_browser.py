"""The report in a real browser: drawn, legible in light and dark, no wider than the window."""

from __future__ import annotations

import html
import json
import re
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from summeval.cli.main import main

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars"
    " --disable-background-networking --disable-component-update --disable-sync"
    " --allow-file-access-from-files"
).split()
DARK = "--blink-settings=preferredColorScheme=0"
WIDTHS = (400, 1280)

# Frames of a set width, each with the report; what is amiss is told in the title.
MEASURE = """<!DOCTYPE html><title>not yet</title><body>{frames}<script>
const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
const rgb = colour => {{  // rgb(…) from 0 to 255, color(srgb …) from 0 to 1
  const [r, g, b, alpha = 1] = numbers(colour.replace("color(srgb", "("));
  const scale = colour.startsWith("color") ? 255 : 1;
  return {{ channels: [r * scale, g * scale, b * scale], alpha }};
}};
const luminance = channels => {{
  const [r, g, b] = channels.map(c => c / 255).map(
    c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}};
const behind = (node, view) => {{
  const colour = rgb(view.getComputedStyle(node).backgroundColor);
  return colour.alpha ? colour.channels : behind(node.parentElement, view);
}};
const contrast = (node, view) => {{
  const style = view.getComputedStyle(node);
  const ink = rgb(node.closest("svg") ? style.fill : style.color).channels;
  const [low, high] = [luminance(ink), luminance(behind(node, view))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}};
const told = node => [...node.childNodes].some(n => n.nodeType === 3 && n.data.trim());
addEventListener("load", () => {{
  document.title = JSON.stringify([...document.querySelectorAll("iframe")].map(frame => {{
    const page = frame.contentDocument.documentElement, view = frame.contentWindow;
    const boxes = [...page.querySelectorAll(".wide")];
    const nodes = [...page.querySelectorAll("main *")];
    const texts = nodes.filter(node => node.tagName !== "title" && told(node));
    const faint = texts.filter(node => contrast(node, view) < 4.5);
    const free = nodes.filter(node => !node.closest(".wide, svg"));
    const wide = free.filter(n => n.getBoundingClientRect().right > page.clientWidth + 1);
    const drawn = [...page.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().width);
    // Wherever a table is scrolled to, its caption and the names of its rows are in view.
    boxes.forEach(box => {{ box.scrollLeft = box.scrollWidth; }});
    const kept = boxes.flatMap(box => [...box.querySelectorAll("caption span, tbody th")]);
    const gone = kept.filter(node => {{
      const {{ left, right }} = node.getBoundingClientRect();
      return right && (left < -1 || right > page.clientWidth + 1);
    }});
    return {{
      gone: gone.map(node => node.textContent),
      width: page.clientWidth,
      scroll: page.scrollWidth,
      scrolling: boxes.filter(box => box.scrollWidth > box.clientWidth).length,
      wide: wide.map(node => node.className + node.tagName),
      plots: drawn.length,
      texts: texts.length,
      faint: faint.map(node => node.tagName + " " + node.textContent),
      page: luminance(behind(frame.contentDocument.body, view)),
    }};
  }}));
}});
</script>"""


@pytest.fixture(scope="module")
def browser() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"needs a browser: none of {', '.join(BROWSERS)} is installed")
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    random = np.random.default_rng(2)
    rows = [
        {
            "system": f"a-system-with-a-long-name-{system}",
            "topic": f"topic-{'0123456789' * 6}-{topic}",
            "candidate": "word " * int(random.integers(3, 40)),
            **{f"a-metric-of-some-length-{n}.value": float(random.random()) for n in range(12)},
            **{f"dimension_{n}": int(random.integers(1, 6)) for n in range(4)},
            # Passed over, so that a note names long topics.
            "dimension_constant": 1 if topic else system,
        }
        for system, topic in np.ndindex(5, 4)
    ]
    scores = folder / "scores.jsonl"
    scores.write_text("".join(json.dumps(row) + "\n" for row in rows))
    humans = [f"dimension_{n}" for n in range(4)] + ["dimension_constant"]
    arguments = ["--bootstrap", "19", "--coefficient", "pearson", "-o", str(folder / "r.html")]
    assert main(["report", str(scores), "--human", *humans, *arguments]) == 0
    return folder / "r.html"


def run(browser: str, folder: Path, *arguments: str) -> str:
    profile = folder / "profile"
    shutil.rmtree(profile, ignore_errors=True)
    ran = subprocess.run(
        [browser, *FLAGS, f"--user-data-dir={profile}", *arguments],
        capture_output=True,
        timeout=120,
        check=True,
    )
    return ran.stdout.decode()


@pytest.fixture(scope="module", params=["light", "dark"])
def measured(
    request: pytest.FixtureRequest, browser: str, report: Path, tmp_path_factory: Any
) -> tuple[str, list[dict[str, Any]]]:
    """The scheme, and for each width what the browser says of the page."""
    folder = tmp_path_factory.mktemp(request.param)
    frames = "".join(
        f'<iframe src="{report.as_uri()}" style="border:0;width:{width}px;height:700px"></iframe>'
        for width in WIDTHS
    )
    wrapper = folder / "wrapper.html"
    wrapper.write_text(MEASURE.format(frames=frames))
    more = [DARK] if request.param == "dark" else []
    dumped = run(browser, folder, *more, "--dump-dom", wrapper.as_uri())
    title = re.search(r"<title>(.*?)</title>", dumped, re.DOTALL)
    assert title
    return request.param, json.loads(html.unescape(title[1]))


def test_nothing_is_wider_than_the_window(measured: tuple[str, list[dict[str, Any]]]) -> None:
    _, frames = measured
    assert [frame["width"] for frame in frames] == list(WIDTHS)
    for frame in frames:
        assert frame["wide"] == []
        assert frame["scroll"] <= frame["width"]
        assert frame["gone"] == []
    assert frames[0]["scrolling"] > 0, "no table was wide enough to try this"


def test_page_is_drawn_and_every_text_can_be_read(
    measured: tuple[str, list[dict[str, Any]]],
) -> None:
    scheme, frames = measured
    for frame in frames:
        assert (frame["page"] > 0.5) == (scheme == "light")
        assert frame["faint"] == []  # less contrast than WCAG 2, 1.4.3 asks for: 4.5 to 1
        assert frame["texts"] > 500
        assert frame["plots"] > 13 * 5  # intervals, the plots of one dimension, histograms


def test_screenshot_has_the_size_of_the_window(browser: str, report: Path, tmp_path: Path) -> None:
    target = tmp_path / "shot.png"
    run(browser, tmp_path, "--window-size=400,700", f"--screenshot={target}", report.as_uri())
    data = target.read_bytes()
    assert struct.unpack(">II", data[16:24]) == (400, 700)
    assert len(data) > 10_000, "hardly anything is drawn"
