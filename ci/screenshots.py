"""Photograph pages for the documentation: the report in light, dark and on a phone; explanations.

    python ci/screenshots.py [--folder FOLDER]

Runs `summeval demo` on the bundled summaries and opens its pages in Chromium. Needs the extra
`report`, the group `pages`, Chromium and chromedriver. Writes docs/pictures/page-*.png. The colours
of a picture are reduced to 64, so that it stays small; the fonts are those of the machine.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
MOST = 150_000  # bytes of a picture
COLOURS = 64
# Name of the picture: page, width and height of the window, scheme.
SHOTS = {
    "page-report": ("report.html", 1180, 800, "light"),
    "page-report-dark": ("report.html", 1180, 800, "dark"),
    "page-report-phone": ("report.html", 390, 800, "light"),
    "page-explanation": ("explained.html", 1180, 800, "light"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Write the pictures; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=PICTURES, help="where to write them")
    folder = parser.parse_args(argv).folder
    sys.path.insert(0, str(ROOT / "tests" / "pages"))
    import browser as pages

    chromium, driver = pages.binaries()
    if not chromium or not driver:
        print("needs Chromium and chromedriver", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        demo = [sys.executable, "-m", "summeval", "demo", "-o", name]
        subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
        window = pages.started(chromium, driver, str(Path(name) / "profile"))
        try:
            for shot, (page, width, height, scheme) in SHOTS.items():
                window.open(Path(name) / page, width=width, scheme=scheme)
                window.resize(width, height)
                window.run("return document.fonts.ready.then(() => true);")
                data = reduced(window.screenshot())
                if len(data) > MOST:
                    print(f"{shot}: {len(data):,} bytes, more than {MOST:,}", file=sys.stderr)
                    return 1
                (folder / f"{shot}.png").write_bytes(data)
                print(f"written: {shot}.png, {len(data):,} bytes")
        finally:
            window.driver.quit()
    return 0


def reduced(png: bytes) -> bytes:
    """The same picture in few colours."""
    from PIL import Image

    data = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(data, format="png", optimize=True)
    return data.getvalue()


if __name__ == "__main__":
    sys.exit(main())
