"""A ranking of systems as text, CSV, LaTeX, Markdown, HTML and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import floor, isnan, log10
from typing import Any, NamedTuple

from summeval.meta.differences import MetricRanking, Ranking, plain
from summeval.metrics.bibliography import printed
from summeval.report.tables import Cell, Sheet, csv_lines, document_lines, json_lines

LAYOUTS = ("table", "csv", "latex", "markdown", "html", "json")
DATA = ("csv", "json")  # those with all digits

_MOST_LINES = 40  # of the tables by metric, so that they fit on a screen
_LEAST, _MOST_DIGITS = 4, 10
_BROAD = 1e9  # from here on numbers are written with an exponent
_CORRECTED = {"holm": ", corrected by Holm's method", "bonferroni": ", corrected by Bonferroni's"}


class _Style(NamedTuple):
    """How numbers and names are written: times `scale`, with `digits` if any are asked for."""

    scale: float
    digits: int | None
    document: bool
    """Whether metrics have the names that papers print."""

    def name(self, one: MetricRanking) -> str:
        return printed(one.metric) if self.document else one.metric

    def number(self, value: float | None, one: MetricRanking) -> str:
        return _number(None if value is None else value * self.scale, self.places(one))

    def places(self, one: MetricRanking) -> int:
        """Digits behind the point: four without a scale, more where intervals are narrow."""
        if self.digits is not None:
            return self.digits
        halves = [(up / 2 - low / 2) * self.scale for low, up in one.intervals.tolist() if up > low]
        least = max(0, _LEAST - floor(log10(self.scale)))
        if not halves:
            return least
        return min(max(least, 1 - floor(log10(min(halves)))), _MOST_DIGITS)


def ranking_lines(  # noqa: PLR0917 - all that a table needs
    made: Ranking,
    form: str,
    settings: Mapping[str, Any],
    notes: Sequence[str],
    scale: float = 1.0,
    digits: int | None = None,
) -> list[str]:
    """The lines of a ranking in one of `LAYOUTS`, with the settings and notes where it has room.

    Text has a table for each metric, or one table of all if they would take more than a screen. A
    document has the latter; for one metric, the former. Scores are multiplied by `scale` and have
    so many `digits` behind the point; `DATA` has neither.
    """
    if form == "csv":
        return csv_lines(made.to_rows())
    if form == "json":
        results = {"results": made.to_rows(), "pairs": made.to_pairs()}
        return json_lines({**settings, "notes": list(notes), **results})
    short = form == "table" and len(made) * (len(made.systems) + 3) <= _MOST_LINES
    by_metric = len(made) == 1 or short
    style = _Style(scale, digits, document=form != "table")
    sheets = [_sheet(made, one, style) for one in made.values()] if by_metric else []
    sheets = sheets or [_all(made, style)]
    footer = [f"Scores times {scale:g}."] * (scale != 1)
    footer += [*_caption(made, by_metric, style.document), *(f"note: {note}" for note in notes)]
    footer.append(", ".join(f"{key} {v}" for key, v in settings.items() if v is not None))
    return document_lines(form, sheets, footer)


def _sheet(made: Ranking, one: MetricRanking, style: _Style) -> Sheet:
    """Return the table of one metric: a row for each system with its comparison with the other."""
    rows = [row for row in made.to_rows() if row["metric"] == one.metric]
    several = len(made.systems) > 1
    head = ["system", "corpus" if one.corpus else "mean", "interval"]
    if several:
        marks = "letters" if made.baseline is None else "differs"
        head += [marks, "difference", "p", "effect", "w/t/l", "needed"]
    strong, width = _strong(made, one), max(map(len, one.letters), default=0)
    body = []
    for place, row in zip(one.order.tolist(), rows, strict=True):
        bounds = (style.number(row[key], one) for key in ("lower", "upper"))
        cells = [
            Cell(one_line(row["system"])),
            Cell(style.number(row["mean"], one), strong=place in strong),
            Cell(f"[{', '.join(bounds)}]"),
        ]
        if several:
            found = row["wins"], row["ties"], row["losses"]
            mark = made.mark(one, place).ljust(width)
            texts = [
                mark if made.baseline is None else _verdict(row, one, made.alpha),
                style.number(row["difference"], one),
                _share(row["p corrected"]),
                _number(row["effect"], 2),
                "-" if row["other"] is None else "/".join(map(str, found)),
                "-" if row["needed"] is None else f"{row['needed']:,}",
            ]
            cells += map(Cell, texts)
        body.append(cells)
    falls = "" if one.higher_is_better else " (lower is better)"
    return Sheet(style.name(one) + falls, list(map(Cell, head)), body, "l" + "r" * (len(head) - 1))


def _verdict(row: Mapping[str, Any], one: MetricRanking, alpha: float) -> str:
    """Return whether a system differs from the baseline, in a word."""
    if row["p corrected"] is None:
        return "-"
    if row["p corrected"] > alpha:
        return "no"
    return "better" if (row["difference"] > 0) == one.higher_is_better else "worse"


def _strong(made: Ranking, one: MetricRanking) -> Sequence[int]:
    """Return the systems in bold: those that are not significantly worse than the best.

    None if that is all of them. With a baseline, which is all that the others were compared with,
    the best if it differs from it.
    """
    leaders = one.leaders
    if not leaders:
        return ()
    best = leaders[0]
    if made.baseline is None:
        return leaders if one.different[best].any() else ()
    own = made.systems.index(made.baseline)
    others = [place for place in range(len(made.systems)) if place != own]
    sure = one.different[own, others].all() if best == own else one.different[own, best]
    return (best,) if others and sure else ()


def one_line(name: str) -> str:
    r"""Return a name without line breaks, which would end the row of a table.

    >>> one_line("a\nb")
    'a b'
    """
    return " ".join(name.splitlines()) if len(name.splitlines()) > 1 else name.rstrip("\r\n")


def _all(made: Ranking, style: _Style) -> Sheet:
    """Return the table of all metrics: a row for each system, in the order of the first metric."""
    head = [Cell("system")]
    head += [Cell(style.name(one), "" if one.higher_is_better else "v") for one in made.values()]
    first = next(iter(made.values()))
    strong = [_strong(made, one) for one in made.values()]
    body = []
    for place in first.order.tolist():
        cells = (
            Cell(_mean(one, place, style), made.mark(one, place), place in best)
            for one, best in zip(made.values(), strong, strict=True)
        )
        body.append([Cell(one_line(made.systems[place])), *cells])
    return Sheet("", head, body, "l" + "r" * len(made))


def _mean(one: MetricRanking, place: int, style: _Style) -> str:
    """Mean and half the interval."""
    text = style.number(plain(one.means[place]), one)
    lower, upper = one.intervals[place].tolist()
    if isnan(lower):
        return text
    return f"{text} ± {(upper - lower) / 2 * style.scale:.{style.places(one)}f}"


def _caption(made: Ranking, by_metric: bool, document: bool) -> Iterator[str]:
    """Yield what the numbers mean, in sentences that can stand below the table of a paper."""
    share = f"{100 * made.confidence:g} %"
    form = ", and their {} intervals" if by_metric else " ± half of their {} intervals"
    summed = [name for name, one in made.items() if one.corpus]
    if len(summed) < len(made):
        yield f"Means{form.format(share)} over rows (Student's t)."
    if summed:
        whose = f" of {', '.join(summed)}" if len(summed) < len(made) else ""
        drawn = f"from {made.resamples:,} draws of rows; tests, too, are of sums"
        yield f"Scores of the corpus{whose}{form.format(share)} {drawn}."
    if len(made.systems) == 1:
        return
    tests = (
        f"paired approximate randomisation, two-sided, {made.resamples:,} draws, p <="
        f" {made.alpha:g}{_CORRECTED.get(made.correction, ', not corrected')}"
    )
    base, bold = made.baseline, "Bold: not significantly worse than the best."
    if base is None:
        yield f"Systems that share a letter do not differ significantly, all others do ({tests})."
        if by_metric:
            yield "Differences, p and the rest compare a system with the one below it."
    else:
        bold = f"Bold: the best, where it differs from {base}."
        differs = "Differs: whether the system is significantly better or worse than"
        rest = f"({tests}); differences, p and the rest compare with {base}."
        yield f"{differs} {base} {rest}" if by_metric else f"*: differs from {base} ({tests})."
    if document and any(_strong(made, one) for one in made.values()):
        yield bold
    if by_metric:
        yield (
            "Effect: mean difference in standard deviations of the differences. w/t/l: rows won,"
            " tied, lost. Needed: rows with which a t-test sees such a difference, with power 0.8."
        )


def _number(value: float | None, digits: int = _LEAST) -> str:
    if value is None:
        return "-"
    return f"{value:.{digits}f}" if abs(value) < _BROAD else f"{value:.{digits + 2}g}"


def _share(value: float | None) -> str:
    return "<0.0001" if value is not None and value < 0.0001 else _number(value)
