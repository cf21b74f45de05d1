"""The heat map: a cell for each share, in its colour."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from summeval.report.figures import heat_map


def test_each_share_has_a_cell_with_its_number():
    shares = {("loop", "a<b"): 1.0, ("loop", "rouge1"): 0.4567, ("bag", "a<b"): float("nan")}
    drawn = heat_map("Wins & losses", ["loop", "bag"], ["a<b", "rouge1"], shares, ["a note"])
    texts = [element.text for element in ET.fromstring(drawn).iter() if element.text]
    assert [text for text in texts if text.strip()] == [
        "Wins & losses",
        "Wins & losses",
        "a<b",
        "rouge1",
        "loop",
        "1",
        ".457",
        "bag",
        "a note",
    ]
    colours = re.findall(r'fill="(#\w+)"/>', drawn)
    assert colours == ["#ffffff", "#2166ac", "#b2182b"]


def test_rows_apart_have_a_gap():
    places = []
    for apart in ((), ("lead",)):
        drawn = heat_map("t", ["bag", "lead"], ["c"], {("lead", "c"): 0.9}, apart=apart)
        places.append(float(re.search(r'y="([\d.]+)"[^>]*>lead<', drawn)[1]))
    assert places[1] > places[0]
