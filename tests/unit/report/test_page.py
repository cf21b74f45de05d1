"""What the report says of scores without human ones: its first sentence, its pictures, odd data."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote

import numpy as np
import pytest

from summeval.cli.main import main
from summeval.meta import rank
from summeval.report.drawing import COLOURS, columns, drawing, shortened
from summeval.report.systems import brief, of_other_metrics, of_systems

GREAT = 200


def scores(shifts: dict[str, float], topics: int = GREAT, noise: float = 0.02) -> dict[str, Any]:
    """Systems whose scores differ by these shifts: (table, systems, topics)."""
    random = np.random.default_rng(3)
    hard = random.random(topics) / 2
    values = [hard + shift + random.normal(0, noise, topics) for shift in shifts.values()]
    return {
        "table": {"rouge1.fmeasure": np.concatenate(values)},
        "systems": np.repeat(list(shifts), topics).tolist(),
        "topics": list(range(topics)) * len(shifts),
    }


def answer(shifts: dict[str, float], **options: Any) -> tuple[str, str]:
    given = scores(shifts, **options)
    made = rank(given["table"], given["systems"], [str(t) for t in given["topics"]])
    return of_systems(made["rouge1.fmeasure"], "rouge1", made.alpha)


def test_the_answer_names_the_better_system_with_difference_interval_and_p() -> None:
    told, rest = answer({"A": 0.1, "B": 0.2})
    form = r"B beats A on rouge1 by 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\], p < \.001\."
    assert re.fullmatch(form, told.replace("p = .001", "p < .001"))
    size, low, high = (float(n) for n in re.findall(r"0\.\d{3}", told)[:3])
    assert low < size < high
    assert size == pytest.approx(0.1, abs=0.01)
    assert rest == ""


def test_the_answer_says_what_cannot_be_told_apart() -> None:
    told, rest = answer({"A": 0.1, "B": 0.1})
    assert re.match(r"[AB] and [AB] cannot be told apart on rouge1: they differ by 0\.00", told)
    told, rest = answer({"A": 0.1, "B": 0.1, "C": 0.3})
    assert told.startswith("C beats ") and ", the next best, on rouge1 by 0.19" in told
    assert re.fullmatch("[AB] and [AB] cannot be told apart either.", rest)
    told, _ = answer({"A": 0.3, "B": 0.3, "C": 0.1})
    assert re.match("[AB] and [AB] lead and cannot be told apart on rouge1: they differ by", told)


def test_a_chain_of_small_differences_is_not_called_equal() -> None:
    """A and B, and B and C, cannot be told apart; A and C can, though they share a cluster."""
    given = scores({"A": 0.2, "B": 0.197, "C": 0.194}, topics=80, noise=0.01)
    made = rank(given["table"], given["systems"], [str(t) for t in given["topics"]])
    found = made["rouge1.fmeasure"]
    assert found.different.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    told, rest = of_systems(found, "rouge1", made.alpha)
    assert told.startswith("A and B lead and cannot be told apart on rouge1: they differ by")
    assert rest == ""


def test_the_answer_admits_too_few_rows() -> None:
    told, _ = answer({"A": 0.1, "B": 0.5, "C": 0.2}, topics=5)
    assert told.endswith("; 5 shared rows are too few to tell any two of 3 systems apart.")
    assert "beats" in answer({"A": 0.1, "B": 0.5}, topics=9)[0]


def test_a_metric_in_which_lower_is_better_is_turned() -> None:
    given = scores({"A": 0.1, "B": 0.2})
    table = {"simetrix.smoothedJSD": given["table"]["rouge1.fmeasure"]}
    made = rank(table, given["systems"], [str(t) for t in given["topics"]])
    told, _ = of_systems(made["simetrix.smoothedJSD"], "simetrix", made.alpha)
    assert re.match(r"A beats B on simetrix by 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\]", told)


def test_metrics_that_put_another_system_first_are_named() -> None:
    table = {"x": [3.0, 1.0, 2.0, 0.0], "y": [3.0, 1.0, 2.0, 0.0], "z": [0.0, 1.0, 2.0, 3.0]}
    made = rank(table, ["A", "A", "B", "B"], ["1", "2", "1", "2"])
    labels = {name: name for name in table}
    assert of_other_metrics(made, "x", labels) == "2 of 3 metrics put A first; z puts B first."
    del table["z"]
    made = rank(table, ["A", "A", "B", "B"], ["1", "2", "1", "2"])
    told = "Both metrics put A first, none of them significantly."
    assert of_other_metrics(made, "x", labels) == told
    rows = [str(row % 9) for row in range(18)]
    table = {"x": [2.0] * 9 + [1.0] * 9, "y": [2.0] * 9 + [1.0] * 8 + [9.5]}
    made = rank(table, ["A"] * 9 + ["B"] * 9, rows)
    told = "Both metrics put A first, 1 of them significantly."
    assert of_other_metrics(made, "x", labels) == told
    del table["y"]
    table["z"] = table["x"]
    made = rank(table, ["A"] * 9 + ["B"] * 9, rows)
    assert of_other_metrics(made, "x", {"x": "x", "z": "z"}) == "Both metrics put A first."


def test_names_are_cut_to_what_fits() -> None:
    name = "a-system-of-" + "very-" * 30 + "long-name"
    assert brief("short") == "short"
    assert (
        columns(brief(name)) <= 24 and brief(name)[:8] == name[:8] and brief(name)[-5:] == "-name"
    )
    assert columns(shortened("要約" * 40, 10)) <= 10
    assert shortened("a\x00\n b", 9) == "a b"


@pytest.mark.parametrize(
    "words", ["a<b>&\"c'", "{x} {0} {}", "$x_1^2$", "नमस्ते", '" id="x', "#0a5fb4", "a\x01b"]
)
def test_any_name_becomes_text_of_a_picture(words: str) -> None:
    pytest.importorskip("matplotlib")
    made = drawing("key", words, words, (200, 90), lambda canvas: canvas.text(0.1, 0.5, words))
    shown = words.replace("\x01", "")
    for text in (made.file, made.inline.replace("<svg ", '<svg xmlns:xlink="x" ', 1)):
        root = ET.fromstring(text)
        said = [
            node.text for node in root.iter() if node.tag.rpartition("}")[2] in ("text", "title")
        ]
        assert said == [shown, shown]


def test_a_picture_takes_the_colours_of_its_page_and_keeps_its_own_in_a_file() -> None:
    pytest.importorskip("matplotlib")

    def draw(canvas: Any) -> None:
        axes = canvas.add_axes((0.1, 0.1, 0.8, 0.8))
        axes.plot([1, 2, 4], [3, 1, 2], "-o", color=COLOURS["mark"])

    first, second = (drawing(key, "t", "d", (200, 90), draw) for key in ("one", "two"))
    assert drawing("one", "t", "d", (200, 90), draw) == first
    assert COLOURS["mark"] not in first.inline and "stroke: var(--mark)" in first.inline
    assert COLOURS["mark"] in first.file and "var(" not in first.file
    ids = [re.findall(r' id="([^"]+)"', made.inline) for made in (first, second)]
    assert ids[0] and not set(ids[0]) & set(ids[1]), "two pictures of a page share a name"
    for made, own in zip((first, second), ids, strict=True):
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', made.inline)) <= set(own)
    assert "DejaVu" not in first.inline + first.file
    assert not re.search(r"\d{4}-\d\d-\d\d", first.file), "a date would change the file"


def report(tmp_path: Path, rows: list[dict[str, Any]], *options: str, draws: bool = False) -> str:
    """The page; without pictures unless a test is about them, since they take most of the time."""
    path, target = tmp_path / "s.jsonl", tmp_path / "r.html"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    spec = object() if draws else None
    with patch("summeval.cli.report.find_spec", return_value=spec):
        assert main(["report", str(path), *options, "-o", str(target)]) == 0
    return target.read_text(encoding="utf-8")


def first(page: str) -> str:
    (found,) = re.findall("<h1>(.*?)</h1>", page)
    return unescape(re.sub("<[^>]+>", "", found))


def made(systems: list[str], topics: int, **more: Any) -> list[dict[str, Any]]:
    random = np.random.default_rng(4)
    return [
        {
            "id": topic,
            "system": system,
            "rouge1.fmeasure": float(random.random()) + place,
            "mine.score": float(random.random()),
            **more,
        }
        for place, system in enumerate(systems)
        for topic in range(topics)
    ]


def test_scores_of_plain_files_need_no_options(tmp_path: Path) -> None:
    for name, text in (("a", "the cat sat\nit ran"), ("b", "a dog\nit ran home")):
        (tmp_path / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    files = [str(tmp_path / f"{name}.txt") for name in "ab"]
    target = str(tmp_path / "scores.jsonl")
    hyps = ["--hyp", files[0], "--hyp", files[1], "--ref", files[0]]
    assert main(["score", *hyps, "-m", "rouge1,rouge2", "-o", target]) == 0
    assert main(["report", target, "-o", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "a has the best mean on rouge1, 1.000; 2 shared rows are too few" in first(page)
    assert "sv-told" in page, "the words behind a score are not shown"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (made(["only"], 9), "only scores "),
        (made(["only"], 1), "only scores "),
        ([{"rouge1.fmeasure": 0.25}], "One row, with 0.25 on rouge1."),
        ([{"rouge1.fmeasure": 0.25}] * 5, "All 5 rows score 0.25 on rouge1."),
        ([{"rouge1.fmeasure": n / 8} for n in range(9)], "Half of the 9 rows score 0.5 or more"),
        ([{"rouge1.fmeasure": None}], "No row has a score of rouge1."),
        (made(["a", "b"], 9, **{"rouge1.fmeasure": 0.5}), "cannot be told apart on mine.score"),
        (made(["a", "b"], 9, **{"rouge1.fmeasure": None}), "cannot be told apart on mine.score"),
        (
            made(["a", "b"], 9, **{"rouge1.fmeasure": 0.5, "mine.score": 1}),
            "All systems have the same mean on rouge1: 0.5.",
        ),
        (
            [row | {"id": row["system"] + str(row["id"])} for row in made(["a", "b"], 9)][:-2],
            "b has the best mean on rouge1, 1.4",
        ),
    ],
)
def test_odd_data_gets_a_clear_page(tmp_path: Path, rows: list[Any], told: str) -> None:
    assert told in first(report(tmp_path, rows))


def test_systems_without_shared_rows_are_not_tested(tmp_path: Path) -> None:
    rows = [row | {"id": row["system"] + str(row["id"])} for row in made(["a", "b"], 9)]
    assert "nothing pairs their rows" in report(tmp_path, rows[:-2])
    assert "nothing pairs their rows" not in report(tmp_path, rows)  # by their order
    assert "b beats a" in first(report(tmp_path, rows))


def test_columns_that_are_no_scores_are_named(tmp_path: Path) -> None:
    rows = [{"rouge1.fmeasure": n / 8, "year": 2000 + n} for n in range(9)]
    assert "year: not taken for human scores, as no row names its system" in report(tmp_path, rows)
    rows = [
        row | {"topic": row["id"], "overall": n * n % 7}
        for n, row in enumerate(made(["a", "b"], 6))
    ]
    told = unescape(report(tmp_path, rows))
    assert "people" in first(told)
    assert told.partition("</header>")[0].count("Holm's correction, intervals have none.") == 1
    assert "people" not in first(report(tmp_path, rows, "--human", "none"))


def test_judges_known_by_name_set_a_ceiling(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    rows = [
        row
        | {"topic": row["id"], "rouge1.fmeasure": good + random.normal(0, 1)}
        | {f"said_{judge}": good + random.normal(0, 0.5) for judge in range(3)}
        for row in made(list("abcdef"), 8)
        for good in [float(random.normal())]
    ]
    options = ["--human", "said", "--judge", "said_*", "--bootstrap", "99"]
    told = first(report(tmp_path, rows, *options))
    found = re.search(r"rouge1 agrees best with people on said: .*, of at most (0\.\d\d)\.", told)
    assert found and 0.85 < float(found[1]) < 1
    plain = [{**row, "said": row["said_0"]} for row in rows]
    assert "of at most" not in first(
        report(tmp_path, plain, "--human", "said", "--bootstrap", "99")
    )


def test_many_systems_are_compared_with_the_best_and_shown_in_part(tmp_path: Path) -> None:
    rows = made([f"s{n}" for n in range(45)], 12)
    page = report(tmp_path, rows, draws=True)
    assert "45 systems: each is compared with s44 only" in page
    assert "14 of 45 systems: the table below has all." in page
    assert "Tests have Holm's correction, intervals have none." in unescape(page)
    assert all(f"<bdi>s{n}</bdi>" in page for n in range(45))


def test_the_best_means_are_bold(tmp_path: Path) -> None:
    rows = [row for name in ("low", "high") for row in made([name], 20)]
    for n, row in enumerate(rows):
        row["rouge1.fmeasure"] = 0.1 + 0.5 * (row["system"] == "high") + n % 20 / 1000
    page = report(tmp_path, rows, draws=True)
    means = page.partition("Means of the systems.")[2].partition("</table>")[0]
    (low,) = re.findall(r"low</bdi></th>(.*?)</tr>", means)
    (high,) = re.findall(r"high</bdi></th>(.*?)</tr>", means)
    assert high.startswith("<td><b>")
    assert not low.startswith("<td><b>")


def test_a_system_alone_has_no_tests_to_correct(tmp_path: Path) -> None:
    assert "correction" not in report(tmp_path, made(["a"], 12), draws=True)


def test_the_best_of_many_systems_is_that_of_the_best_mean(tmp_path: Path) -> None:
    few = made([f"s{n}" for n in range(44)], 4)
    rows = [*few, *made(["often"], 24)]
    for row in rows[len(few) :]:
        row["rouge1.fmeasure"] = 2.0
    best = max(
        range(44), key=lambda n: sum(r["rouge1.fmeasure"] for r in few if r["system"] == f"s{n}")
    )
    page = report(tmp_path, rows)
    assert f"45 systems: each is compared with s{best} only" in page


def test_rows_where_metrics_part_and_outliers_are_shown_with_their_texts(tmp_path: Path) -> None:
    rows = [
        row | {"candidate": f"text {n} of it", "references": ["text of it"]}
        for n, row in enumerate(made(["a"], 40))
    ]
    rows[7] |= {"rouge1.fmeasure": 0.999, "mine.score": 0.0}
    rows[9]["mine.score"] = 50.0
    page = report(tmp_path, rows)
    (section,) = re.findall(r'<section id="rows".*?</section>', page, re.DOTALL)
    told = unescape(re.sub("<[^>]+>", "", section))
    assert "rouge1 ranks this row" in told and "of all rows higher than mine.score does" in told
    assert "text 7 of it" in told and "text 9 of it" in told
    assert "times the interquartile range outside" in told
    assert "text 8 of it" not in told
    # The scores are made up, so what explains them is not shown as if it did.
    assert "Not explained, as options changed the score: rouge1." in told
    assert "sv-told" not in section


def test_whatever_explain_explains_is_explained(tmp_path: Path) -> None:
    demo, scored = files("summeval.cli") / "data" / "demo.jsonl", tmp_path / "s.jsonl"
    assert main(["score", str(demo), "-m", "npower,tesla-e", "--keep-text", "-o", str(scored)]) == 0
    rows = [json.loads(line) for line in scored.read_text(encoding="utf-8").splitlines()]
    told = report(tmp_path, rows)
    assert {"npower", "tesla-e"} <= set(re.findall(r"<h3>([\w-]+) -?\d", told))
    missing = ImportError("npower needs a parser: pip install it")
    with patch("summeval.metrics.ngram_graphs.NPowER.explain", side_effect=missing):
        told = report(tmp_path, rows)
    assert "Not explained: npower (npower needs a parser: pip install it)." in told


def test_the_hill_reaches_the_highest_score() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    from summeval.meta.overview import survey
    from summeval.report.drawing import ridges

    values = np.linspace(0, 1, 200)
    found = survey({"m": values}, ["a"], np.zeros(200, dtype=np.int64), {"m": True}).spreads["m"]
    canvas = Figure()
    ridges(canvas, ["a"], found, [0])
    ends = [line.get_xdata() for line in canvas.axes[0].lines if len(line.get_xdata()) > 2]
    assert [(x[0], x[-1]) for x in ends] == [(0.0, 1.0)]


def test_words_are_counted_where_no_blanks_are(tmp_path: Path) -> None:
    rows = [row | {"candidate": "总理会见" * (row["id"] + 1)} for row in made(["a", "b"], 12)]
    assert '<th scope="row"><bdi>a</bdi></th><td>26' in report(tmp_path, rows)


def test_pictures_are_left_out_without_the_extra_and_the_page_says_so(tmp_path: Path) -> None:
    page = report(tmp_path, made(["a", "b"], 12))
    assert "<svg" not in page and "summeval[report]" in unescape(page)
    (address,) = re.findall(r'download="systems-picture.csv" href="([^"]+)"', page)
    lines = unquote(unescape(address)).partition(",")[2].splitlines()
    assert len(lines) == 1 + 2 * 2 and lines[0].startswith("system,metric,mean,lower,upper")


@pytest.mark.parametrize("form", ["csv", "json", "latex"])
def test_without_people_the_table_alone_is_the_ranking(
    tmp_path: Path, form: str, capsys: Any
) -> None:
    path = tmp_path / "s.jsonl"
    rows = made(["a", "b"], 12)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert main(["report", str(path), "--format", form]) == 0
    out = capsys.readouterr().out
    means = [np.mean([r["rouge1.fmeasure"] for r in rows if r["system"] == s]) for s in "ab"]
    assert all(f"{mean:.4f}"[:5] in out for mean in means)
