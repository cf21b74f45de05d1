"""The page around its sections: head, styles, contents, and what it may load: nothing."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from summeval.report.page.parts import text

POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(title: str, header: str, sections: Mapping[str, tuple[str, str]], footer: str = "") -> str:
    """The whole file.

    Parameters
    ----------
    title : str
    header, footer : str
        HTML above the contents, and below all sections.
    sections : mapping of str to (str, str)
        For each id the heading and the HTML below it; sections without HTML are left out.
    """
    style = files("summeval.report").joinpath("data/report.css").read_text(encoding="utf-8")
    kept = {key: section for key, section in sections.items() if section[1]}
    links = "".join(
        f'<li><a href="#{key}">{text(told)}</a></li>' for key, (told, _) in kept.items()
    )
    bodies = "".join(
        f'<section id="{key}" aria-labelledby="{key}-heading">'
        f'<h2 id="{key}-heading">{text(told)}</h2>\n{body}</section>\n'
        for key, (told, body) in kept.items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#main">To the contents</a>\n{header}'
        f'<nav aria-label="Contents"><ul>{links}</ul></nav>\n'
        f'<main id="main" tabindex="-1">\n{bodies}</main>\n{footer}</body>\n</html>\n'
    )
