"""Stops a release whose tag, version and changelog disagree: python ci/check_release.py v0.1.0."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def complaint(tag: str, version_file: str, changelog: str) -> str | None:
    """What is wrong with the tag of a release, or None."""
    found = re.search(r'^__version__ = "(.+)"$', version_file, re.MULTILINE)
    if found is None:
        return "src/summeval/_version.py sets no __version__"
    version = found[1]
    if tag != f"v{version}":
        return f"the tag is {tag}, but src/summeval/_version.py says {version}; tag v{version}"
    if not re.search(
        rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE
    ):
        return f"CHANGELOG.md has no line '## [{version}] - YYYY-MM-DD'; date the section"
    return None


def main() -> None:
    """Check the tag that is named."""
    if len(sys.argv) != 2:
        sys.exit("usage: python ci/check_release.py TAG")
    version_file = ROOT / "src" / "summeval" / "_version.py"
    changelog = ROOT / "CHANGELOG.md"
    texts = [path.read_text(encoding="utf-8") for path in (version_file, changelog)]
    if message := complaint(sys.argv[1], *texts):
        sys.exit(f"error: {message}")


if __name__ == "__main__":
    main()
