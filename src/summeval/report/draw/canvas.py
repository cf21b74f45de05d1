"""From axes of matplotlib to SVG that fits a page in light and dark, and to a file of its own."""

from __future__ import annotations

import io
import re
import unicodedata
import warnings
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any
from xml.etree import ElementTree

from summeval._extras import need

# The colours of the light page; on a page each becomes the variable of this name in report.css.
COLOURS = {
    "ink": "#1a1f25",
    "quiet": "#57606b",
    "line": "#dfe3e7",
    "mark": "#0a5fb4",
    "other": "#7d8894",
    "band": "#cfe0f2",
    "warm": "#b4530a",
}
LETTER = 12.0  # size of letters, in pixels
_WIDE, _NARROW = 1.02, 0.61  # width of a letter, in sizes: of East Asian ones and of others
_XLINK = "{http://www.w3.org/1999/xlink}"
_SIZE = re.compile(r"font: ([\d.]+)px [^;]*")
_BOLD = re.compile(r"font: (?:bold|600|700) ([\d.]+)px [^;]*")
_FAMILY = re.compile(r"font-family: [^;]*;? ?")
_DIGITS = re.compile(r"(\d+\.\d)\d+")
_BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")  # not in XML


@dataclass(frozen=True)
class Drawing:
    """A picture in two forms.

    Attributes
    ----------
    inline : str
        An <svg> element for a page whose styles give the colours.
    file : str
        The same as an SVG file with colours and a white ground.
    """

    inline: str
    file: str


def drawing(
    name: str, title: str, told: str, size: tuple[float, float], draw: Callable[[Any], None]
) -> Drawing:
    """Draw on a canvas; the same calls always give the same text.

    Parameters
    ----------
    name : str
        Name of the picture on its page: letters, digits and minus.
    title, told : str
        What screen readers say: what the picture is, and what it shows.
    size : tuple of float
        Width and height in pixels.
    draw : callable
        Draws on the figure of matplotlib that it is given.

    Raises
    ------
    ImportError
        The extra `report` is not installed.
    """
    matplotlib = need("matplotlib", "Drawing figures", "report")
    canvas = need("matplotlib.figure", "Drawing figures", "report")
    settings = {
        "svg.hashsalt": name,
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",  # matplotlib brings it, so that widths are the same anywhere
        "font.size": LETTER,
        "text.color": COLOURS["ink"],
        "axes.edgecolor": COLOURS["line"],
        "axes.unicode_minus": True,
        "xtick.color": COLOURS["quiet"],
        "ytick.color": COLOURS["quiet"],
        "axes.formatter.use_mathtext": False,
        "text.parse_math": False,
    }
    data = io.StringIO()
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        warnings.simplefilter("ignore")  # of letters that its own font lacks; a browser has others
        figure = canvas.Figure(figsize=(size[0] / 72, size[1] / 72))
        draw(figure)
        metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(data, format="svg", transparent=True, metadata=metadata)
    width, height = (f"{side:g}" for side in size)
    box = f'viewBox="0 0 {width} {height}"'
    names = f"<title{{0}}>{escape(plain(title))}</title><desc{{1}}>{escape(plain(told))}</desc>"
    told_by = f'{name}-title" aria-describedby="{name}-desc'
    drawn = plain(data.getvalue())
    svg = ElementTree.fromstring(drawn)
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', drawn))
    parts = [part for child in svg for part in _cleaned(child, name, used)]
    body = "".join(ElementTree.tostring(part, encoding="unicode") for part in parts)
    for part in parts:
        _theme(part)
    themed = "".join(ElementTree.tostring(part, encoding="unicode") for part in parts)
    inline = (
        f'<svg {box} width="{width}" height="{height}" role="img" aria-labelledby="{told_by}">'
        + names.format(f' id="{name}-title"', f' id="{name}-desc"')
        + f"{themed}</svg>"
    )
    file = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {box}'
        f' width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif">'
        + names.format("", "")
        + f'<rect width="{width}" height="{height}" fill="#ffffff"/>{body}</svg>\n'
    )
    return Drawing(inline, file)


def _cleaned(element: Any, name: str, used: Collection[str]) -> Iterator[Any]:
    """The element without groups, names and fonts that nothing needs; names begin with `name`."""
    tag = element.tag.rpartition("}")[2]
    if tag in ("style", "metadata"):
        return
    given = {key.replace(_XLINK, "xlink:"): value for key, value in element.attrib.items()}
    told = {key: _attribute(key, value, name, used) for key, value in given.items()}
    kept = {key: value for key, value in told.items() if value}
    children = [part for child in element for part in _cleaned(child, name, used)]
    if tag in ("g", "defs") and not kept and (tag == "g" or not children):
        yield from children
        return
    if tag == "path" and kept.get("style") == "fill: none":
        return  # the empty grounds of figure and axes
    made = ElementTree.Element(tag, kept)
    made.text = (element.text or "").strip() or None
    made.extend(children)
    yield made


def _attribute(key: str, value: str, name: str, used: Collection[str]) -> str:
    """What becomes of an attribute; nothing where it is not needed."""
    if key == "id":
        return f"{name}-{value}" if value in used else ""
    if key == "xlink:href":
        return f"#{name}-{value[1:]}"
    if value.startswith("rotate(-0 "):
        return ""
    if key == "style":
        value = _BOLD.sub(r"font-weight: 600; font-size: \1px", value)
        value = _FAMILY.sub("", _SIZE.sub(r"font-size: \1px", value))
    value = value.replace("url(#", f"url(#{name}-")
    return _DIGITS.sub(r"\1", " ".join(value.split()))


def _theme(element: Any) -> None:
    """Turn colours into variables of the page."""
    for part in element.iter():
        style = part.get("style")
        for name, colour in COLOURS.items() if style else ():
            style = style.replace(colour, f"var(--{name})")
        if style:
            part.set("style", style)


def plain(text: str) -> str:
    r"""A text without the characters that XML does not have.

    >>> plain("a\x00b")
    'ab'
    """
    return _BAD.sub("", text)


def columns(text: str) -> float:
    """How wide a text is, in sizes of its letters.

    >>> round(columns("abc"), 2), round(columns("日本"), 2)
    (1.83, 2.04)
    """
    return sum(
        0.0
        if unicodedata.combining(letter)
        else _WIDE
        if unicodedata.east_asian_width(letter) in "WF"
        else _NARROW
        for letter in text
    )


def shortened(text: str, most: float) -> str:
    """A text in at most so many sizes of letters; its middle is left out, as ends tell apart.

    >>> shortened("a-system-with-a-long-name", 8.0)
    'a-syst…g-name'
    """
    text = plain(" ".join(text.split()))
    if columns(text) <= most:
        return text
    head = tail = ""
    letters = list(text)
    while columns(head + letters[0] + "…" + tail) <= most:
        head += letters.pop(0)
        if columns(head + "…" + letters[-1] + tail) > most:
            break
        tail = letters.pop() + tail
    return f"{head}…{tail}"
