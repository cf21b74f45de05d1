"""Fill in the tables of the documentation that repeat what stands elsewhere.

    python ci/docs_tables.py [--check]

README.md and the pages in docs/ hold blocks that this script writes:

    <!-- options: Rouge -->            the options of a class of summeval, from its docstring
    <!-- figures: rouge1 rouge2 -->    cost (docs/speed.md) and agreement (docs/study.md) of metrics
                                       or columns METRIC.FIELD, beside r1s and length

A block ends with `<!-- end -->`. So every figure is measured and written in one place. A page of
docs/metrics that the list of all metrics and mkdocs.yml lack is added to both, with what the class
says of its metric. With --check nothing is written, and the exit status is 1 where a page is not up
to date.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import summeval
from summeval.metrics.registry import INDEX

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SITE, METRICS = ROOT / "mkdocs.yml", DOCS / "metrics" / "index.md"
BLOCK = re.compile(r"<!-- (options|figures): ([^>]+?) -->\n.*?<!-- end -->", re.DOTALL)
AS_IN = re.compile(r"As in `(\w+)`")
SETS = ("REALSumm", "SummEval")
KEPT = "Topics kept apart"  # the part of docs/study.md with unseen topics
SIMPLE = {"rouge1-content": "r1s", "length": "length"}  # which stand beside all others
NONE = "–"


def main(argv: Sequence[str] | None = None) -> int:
    """Write the blocks of all pages, or check them; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args(argv).check
    paths = [ROOT / "README.md", SITE, *sorted(DOCS.rglob("*.md"))]
    texts = {path: path.read_text("utf-8") for path in paths}
    new = {path: filled(text) for path, text in texts.items()}
    new |= {path: with_pages(path, new[path], texts) for path in (SITE, METRICS)}
    old = [path for path in paths if new[path] != texts[path]]
    for path in old:
        print(f"{'not up to date' if check else 'written'}: {path.relative_to(ROOT)}")
        if not check:
            path.write_text(new[path], "utf-8")
    return int(check and bool(old))


def with_pages(path: Path, text: str, texts: Mapping[Path, str]) -> str:
    """Return the list of metrics or mkdocs.yml with a line for each page of a metric."""
    for page, told in texts.items():
        if page.parent != METRICS.parent or page == METRICS:
            continue
        title = told.partition("\n")[0].lstrip("# ")
        if path == SITE and f"metrics/{page.name}" not in text:
            line = f"      - {title}: metrics/{page.name}\n"
            text = text.replace("  - Coming from:\n", f"{line}  - Coming from:\n")
        named = re.search(r"^Names: (.*?)\.\s", told, re.MULTILINE | re.DOTALL)
        if path == METRICS and named and f"]({page.name})" not in text:
            name = re.findall(r"`([^`]+)`", named[1])[0]
            family = next(one for one in INDEX if name in one.names)
            says = next(s for pattern, s in family.summary if re.fullmatch(pattern, name))
            cells = [named[1], says, family.load().compared_with, f"[{title}]({page.name})"]
            text = text.replace("|\n\nWithout a name", f"|\n{row(cells)}\n\nWithout a name")
    return text


def filled(text: str) -> str:
    """A page with its blocks written anew."""
    makers: dict[str, Callable[[str], list[str]]] = {"options": options, "figures": figures}

    def block(found: re.Match[str]) -> str:
        kind, names = found.groups()
        lines = makers[kind](names)
        return "\n".join([f"<!-- {kind}: {names} -->", "", *lines, "", "<!-- end -->"])

    return BLOCK.sub(block, text)


# Options


class Option(NamedTuple):
    """An option as a docstring has it."""

    name: str
    values: str
    meaning: str


def options(name: str) -> list[str]:
    """The lines of the table of options of a class, or of a function by its full name."""
    subject = found(name)
    defaults = inspect.signature(subject).parameters
    lines = ["| option | default | values | meaning |", "|---|---|---|---|"]
    for option in described(subject):
        default = (
            defaults[option.name].default if option.name in defaults else inspect.Parameter.empty
        )
        shown = "" if default is inspect.Parameter.empty else f"`{literal(default)}`"
        cells = (f"`{option.name}`", shown, option.values, option.meaning)
        lines.append(row([cell.replace("|", "\\|") for cell in cells]))
    return lines


def found(name: str) -> Any:
    """What `name` names in summeval, or in a module of it."""
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(f"summeval.{module}" if module else "summeval"), last)


def literal(value: Any) -> str:
    """A default as one writes it."""
    return repr(value).replace("'", '"')


def described(subject: Any) -> Iterator[Option]:
    """The options of a docstring; those described elsewhere are looked up there."""
    documentation = inspect.getdoc(subject) or ""
    section = documentation.partition("Parameters\n----------\n")[2]
    section = re.split(r"\n\n?\w[^\n]*\n---+\n", section)[0]
    for head, body in re.findall(r"^(\S[^\n]*)\n?((?:[ ]+[^\n]*\n?|\n)*)", section, re.MULTILINE):
        names, _, values = head.partition(" : ")
        meaning = " ".join(body.split())
        elsewhere = AS_IN.match(meaning)
        other = near(subject, elsewhere[1]) if elsewhere else None
        there = {one.name: one for one in described(other)} if other else {}
        for name in names.split(", "):
            yield there.get(name, Option(name, readable(values), meaning))


def near(subject: Any, name: str) -> Any:
    """What a docstring refers to, of its own module or of summeval; None if it is elsewhere."""
    return getattr(sys.modules[subject.__module__], name, None) or getattr(summeval, name, None)


def readable(values: str) -> str:
    """`{"max", "average"} or callable` as `"max"`, `"average"` or callable."""
    shown = re.sub(r'None|"[^"]*"|\b\d+\b', lambda one: f"`{one[0]}`", values)
    return re.sub(r"[{}]", "", shown).removesuffix(", optional")


# Figures


def figures(names: str) -> list[str]:
    """The lines of the table of figures of metrics and of the simplest competitors."""
    costs, asked = cost_of(), names.split()
    splits = {data: (agreement_of(data), unseen_of(data)) for data in SETS}
    told = [data for data, (dev, _) in splits.items() if any(name in dev for name in asked)]
    asked += [name for name in SIMPLE if told and name not in asked]
    heads = ["µs a pair", *(f"{data}, {split}" for data in told for split in ("dev", "unseen"))]
    lines = [row(["", *heads]), "|---|--:|" + "---|" * (len(heads) - 1)]
    for name in asked:
        cells = []
        for data in told:
            column, *dev = splits[data][0].get(name, ["", NONE])
            unseen = splits[data][1].get(column, NONE)
            cells += [dev[0], unseen if unseen == NONE else two_digits(unseen)]
        shown = SIMPLE.get(name, f"`{name}`")
        lines.append(row([shown, costs.get(name, ""), *cells]))
    return lines


def two_digits(number: str) -> str:
    """A correlation as the other cells have it.

    >>> two_digits(".498")
    '.50'
    """
    return f"{float(number):.2f}".replace("0.", ".", 1)


def row(cells: Sequence[str]) -> str:
    """A row of a table of Markdown."""
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def cost_of() -> dict[str, str]:
    """Microseconds that a pair costs, by metric, as docs/speed.md prints them."""
    section = part(DOCS / "speed.md", "## What a pair costs")
    return {name.strip("`"): cost for name, cost in rows_of(section)}


def agreement_of(data: str) -> dict[str, list[str]]:
    """The column and Spearman's ρ, by metric and by column, as docs/study.md prints them."""
    result: dict[str, list[str]] = {}
    for name, *cells in rows_of(part(DOCS / "study.md", f"## {data}")):
        column = name.strip("*−")
        result[column] = [column, *cells]
        result.setdefault(column.rpartition(".")[0] or column, [column, *cells])
    return result


def unseen_of(data: str) -> dict[str, str]:
    """Spearman's ρ on the topics that were kept apart, by column."""
    section = part(DOCS / "study.md", f"## {KEPT}")
    heads = heads_of(section)
    place = next(i for i, head in enumerate(heads) if head.startswith(f"{data}, "))
    return {name.strip("*−"): cells[place] for name, *cells in rows_of(section)}


def heads_of(section: str) -> list[str]:
    """The heads of the columns of the table of agreement in a part of a page."""
    found = re.search(r"^\| Spearman, [\w-]+ \|(.*)\|$", section, re.MULTILINE)
    assert found is not None, "no table of agreement"
    return [head.strip() for head in found[1].split("|")]


def part(page: Path, heading: str) -> str:
    """The part of a page below a heading, up to the next one."""
    return page.read_text("utf-8").split(f"\n{heading}\n")[1].split("\n## ")[0]


def rows_of(text: str) -> list[list[str]]:
    """The rows of the first table of a text, without its head."""
    table = re.search(r"(?:^\|[^\n]*\n)+", text, re.MULTILINE)
    lines = table[0].splitlines() if table else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


if __name__ == "__main__":
    sys.exit(main())
