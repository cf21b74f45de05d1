"""A headless Chromium, driven by selenium, and what it says of a page.

Tests take the fixture `browser` (see conftest.py). Without selenium or Chromium they are skipped;
SUMMEVAL_NO_SKIP='selenium chromium' makes that an error.
"""

from __future__ import annotations

import base64
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars"
    " --disable-background-networking --disable-component-update --disable-sync"
).split()
PHONE, DESKTOP = 390, 1280
HEIGHT = 800
MEASURE = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")
Scheme = Literal["light", "dark"]


class Browser:
    """One window; each `open` sets its width and its colour scheme anew."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, *, width: int = DESKTOP, scheme: Scheme = "light") -> None:
        """Open a file as at this width (in CSS pixels) and in this scheme; wait for `load`."""
        self.resize(width)
        self.prefer(scheme)
        self.driver.get("about:blank")
        self.driver.get_log("browser")  # what earlier pages said
        self.driver.get(path.resolve().as_uri())

    def resize(self, width: int, height: int = HEIGHT) -> None:
        """Set the size of the window's inside, in CSS pixels."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, scheme: Scheme) -> None:
        """Set the colour scheme that the system prefers."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns; the functions of measure.js are at hand."""
        return self.driver.execute_script(f"{MEASURE}\n{script}", *arguments)

    def errors(self) -> list[str]:
        """What the console said since the page was opened: errors, warnings, refused requests."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def faint(self, least: float = 4.5) -> list[str]:
        """The texts in view or below it whose contrast is less than `least`."""
        return list(self.run("return faint(arguments[0]);", least))

    def too_wide(self) -> list[str]:
        """What reaches beyond the window, unless it stands in a box that scrolls."""
        return list(self.run("return tooWide();"))

    def unnamed(self) -> list[str]:
        """The pictures, tables, links and controls without a name for screen readers."""
        return list(self.run("return unnamed();"))

    def unreached(self, most: int = 2000) -> list[str]:
        """The controls that repeated presses of Tab do not reach, or where nothing shows it."""
        from selenium.webdriver.common.keys import Keys

        wanted = set(self.run("return controls();"))
        body = self.driver.switch_to.active_element
        hidden = set()
        for _ in range(min(most, len(wanted) + 2)):
            body.send_keys(Keys.TAB)
            body = self.driver.switch_to.active_element
            name, shown = self.run("return [label(document.activeElement), outlined()];")
            wanted.discard(name)
            hidden |= set() if shown else {f"no outline: {name}"}
        return sorted(wanted | (hidden - {"no outline: "}))

    def pdf(self) -> bytes:
        """The page as it is printed."""
        found = self.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
        return base64.b64decode(found["data"])

    def screenshot(self, *, whole: bool = False) -> bytes:
        """What the window shows, or the whole page, as PNG."""
        options = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            size = self.run(
                "const page = document.documentElement;"
                " return [page.clientWidth, page.scrollHeight];"
            )
            clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
            options["clip"] = clip
        found = self.driver.execute_cdp_cmd("Page.captureScreenshot", options)
        return base64.b64decode(found["data"])


def binaries() -> tuple[str | None, str | None]:
    """The paths of Chromium and of its driver."""
    return next(filter(None, map(shutil.which, BROWSERS)), None), shutil.which("chromedriver")


def started(chromium: str, chromedriver: str, profile: str, more: Sequence[str] = ()) -> Browser:
    """A running browser with an empty profile; `driver.quit()` ends it."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={profile}", *more):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(chromedriver)
    return Browser(webdriver.Chrome(options=options, service=service))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser of this module's own."""
    asked = os.environ.get("SUMMEVAL_NO_SKIP", "").split()
    try:
        import selenium  # noqa: F401
    except ImportError:
        assert "selenium" not in asked
        pytest.skip("needs selenium: pip install --group pages")
    chromium, chromedriver = binaries()
    if not chromium or not chromedriver:
        assert "chromium" not in asked
        pytest.skip(f"needs chromedriver and one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        found = started(chromium, chromedriver, profile)
        yield found
        found.driver.quit()
