"""What a report of many rows costs: its size, the time to write it, and to open it in a browser.

    python benchmarks/report.py [--rows 100000] [--systems 10] [--metrics 6] [--json FILE]

The rows are made up: metrics that follow a system, a topic and a length. Each goal is printed
beside its figure. The browser part needs selenium (the extra `pages`), Chromium and chromedriver;
the time to open is that from the request to the end of `load`, the median of the openings.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

TESTS = Path(__file__).resolve().parents[1] / "tests" / "pages"
SIZE, OPEN = 2.0, 2.0  # goals: MB, seconds


def main(argv: Sequence[str] | None = None) -> int:
    """Write, measure and print; returns the exit status: 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--metrics", type=int, default=6)
    parser.add_argument("--openings", type=int, default=5)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    given = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        scores, page = Path(name) / "scores.jsonl", Path(name) / "report.html"
        made_up(scores, given.rows, given.systems, given.metrics)
        figures: dict[str, Any] = {"rows": given.rows, "systems": given.systems}
        figures |= {"metrics": given.metrics, "scores MB": scores.stat().st_size / 1e6}
        figures |= written(scores, page)
        figures |= opened(page, given.openings, Path(name) / "profile")
    goals = {"page MB": SIZE, "open s": OPEN}
    for key, value in figures.items():
        goal = f"   goal: at most {goals[key]:g}" if key in goals else ""
        print(f"{key:14} {value if isinstance(value, str) else f'{value:,.4g}'}{goal}")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    missed = [key for key, most in goals.items() if key in figures and figures[key] > most]
    print(f"missed: {', '.join(missed)}" if missed else "all goals reached")
    return int(bool(missed))


def made_up(path: Path, rows: int, systems: int, metrics: int) -> None:
    """Write rows with scores and texts."""
    random = np.random.default_rng(0)
    names = "rouge1.fmeasure rouge2.fmeasure rougeL.fmeasure tesla-s.fmeasure support.explained"
    columns = [*names.split(), *(f"judge{n}.score" for n in range(metrics))][:metrics]
    hard = random.normal(0, 0.08, max(1, rows // systems))
    with path.open("w", encoding="utf-8") as file:
        for system in range(systems):
            for topic, own in enumerate(hard.tolist()):
                words = int(random.integers(20, 90))
                base = 0.3 + 0.004 * system + own + 0.001 * words
                scores = (base + random.normal(0, 0.07, metrics)).round(5).tolist()
                row = {"id": topic, "system": f"system-{system}", "candidate": "word " * words}
                row["references"] = ["what a person wrote of the same text " * 6]
                file.write(json.dumps(row | dict(zip(columns, scores, strict=True))) + "\n")


def written(scores: Path, page: Path) -> dict[str, float]:
    """What the command takes, and the size of the page."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "summeval", "report", str(scores), "-o", str(page)], check=True
    )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "write s": time.perf_counter() - start,
        "write CPU s": used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime,
        "write peak MB": used.ru_maxrss / 1024,
        "page MB": page.stat().st_size / 1e6,
    }


def opened(page: Path, openings: int, profile: Path) -> dict[str, Any]:
    """How long the browser takes to open the page."""
    sys.path.insert(0, str(TESTS))
    if not find_spec("selenium"):
        return {"browser": "none: selenium is not installed"}
    import browser as pages

    chromium, driver = pages.binaries()
    if not chromium or not driver:
        return {"browser": "none: Chromium or chromedriver is not installed"}
    window = pages.started(chromium, driver, str(profile))
    try:
        times = []
        for _ in range(openings):
            window.open(page)
            timing = (
                "const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd;"
            )
            times.append(window.run(timing) / 1000)
        told = window.driver.capabilities["browserVersion"]
    finally:
        window.driver.quit()
    return {"open s": median(times), "browser": f"Chromium {told}, selenium {version('selenium')}"}


if __name__ == "__main__":
    sys.exit(main())
