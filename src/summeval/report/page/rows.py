"""Rows worth a look: where metrics part, outliers, and what explains a score."""

from __future__ import annotations

from summeval.metrics.run.explain.shown import STYLE
from summeval.report.numbers import count, short
from summeval.report.page.contents import Contents, Told
from summeval.report.page.parts import details, name, paragraph, text


def section(contents: Contents) -> str:
    """The chosen rows, each with its scores, and with its text if that is known."""
    if not contents.told:
        return ""
    far = contents.survey.far_out
    told = "Rows on which metrics differ most in rank, and those far from the rest of their system."
    if far:
        told += f" {count(far, 'score')} in all {'is' if far == 1 else 'are'} far out."
    style = f"<style>{STYLE}</style>\n" if any(one.explanations for one in contents.told) else ""
    return (
        style
        + paragraph(told)
        + "".join(_told(contents, one, not place) for place, one in enumerate(contents.told))
    )


def _told(contents: Contents, one: Told, shown: bool) -> str:
    scores = "".join(
        f"<li>{name(contents.label(metric))} <b>{short(value)}</b></li>"
        for metric, value in one.scores.items()
    )
    if len(one.scores) < len(contents.metrics):
        scores += f"<li>{len(one.scores)} of {len(contents.metrics)} metrics</li>"
    inner = [paragraph(one.why), f'<ul class="scores">{scores}</ul>']
    inner += [f'<div class="explained">{html}</div>' for _, html in one.explanations]
    if one.candidate and not one.explanations:
        inner.append(f'<blockquote dir="auto">{text(one.candidate)}</blockquote>')
    if one.note:
        inner.append(paragraph(one.note, "quiet"))
    system = f", {one.system}" if one.system else ""
    return details(f"{one.name}{system}", "".join(inner), shown=shown)
