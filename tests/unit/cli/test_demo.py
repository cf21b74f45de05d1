"""`summeval demo`: its table, its pairs, the commands it prints, and any kind of output."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib.resources import files

import pytest
from shared import ROOT

import summeval
from summeval.cli import demo
from summeval.cli.demo import Page, Scored
from summeval.cli.main import main

DEMO = files("summeval.cli") / "data" / "demo.jsonl"
METRICS = [
    "rouge1", "rouge2", "rougeL", "tesla-s", "bewte", "simetrix",
    "readability", "dicomer", "coherence-order", "cremer",
]  # fmt: skip
SYSTEMS = ["abstract", "lead", "partial", "repeat"]


def rows() -> list[dict]:
    return [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]


def printed(width: int = 80, **options) -> list[str]:
    return demo.report(DEMO, Page(width), **options)


def table(lines: list[str]) -> dict[str, list[str]]:
    """The values behind each name, as printed."""
    found = (
        re.fullmatch(r" *([a-z][\w-]*)(?: ↓| v)?((?: +-?\d+\.\d+\*?){4})", one) for one in lines
    )
    return {match[1]: match[2].split() for match in found if match}


def means(name: str) -> list[float]:
    """The mean value of each system by a metric, or by people."""
    if name == "people":
        values = [row["human"] for row in rows()]
    else:
        texts = [[row[key] for row in rows()] for key in ("candidate", "references", "source")]
        values = summeval.score_batch(*texts[:2], [name], sources=texts[2])[name]
    named = list(zip(rows(), values, strict=True))
    of = {one: [value for row, value in named if row["system"] == one] for one in SYSTEMS}
    return [sum(values) / len(values) for values in of.values()]


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return printed()


@pytest.fixture
def without_spacy(monkeypatch):
    """As in an environment without the extra `nlp`."""
    score = summeval.Metric.score

    def lacking(metric, *texts, **source):
        if metric.name in ("bewte", "dicomer", "coherence-order", "cremer"):
            raise ImportError("spaCy is not installed; pip install 'summeval[nlp]'")
        return score(metric, *texts, **source)

    monkeypatch.setattr(summeval.Metric, "score", lacking)


def test_the_table_has_a_row_for_people_and_for_ten_metrics(lines):
    assert list(table(lines)) == ["people", *METRICS]
    assert all(len(line) <= 80 or str(DEMO) in line for line in lines)


@pytest.mark.parametrize("name", ["people", *METRICS])
@pytest.mark.filterwarnings("ignore::summeval.ScoreWarning")
def test_a_row_has_the_means_and_a_mark_on_the_best(lines, name):
    expected = means(name)
    best = (min if name == "simetrix" else max)(expected)
    digits = 2 if name == "people" else 3
    assert table(lines)[name] == [
        f"{mean:.{digits}f}" + ("*" if mean == best else "") for mean in expected
    ]


def test_falling_metrics_are_marked_and_no_others(lines):
    assert [line.split()[0] for line in lines if re.search(r"^ +\S+ ↓", line)] == ["simetrix"]


def test_equal_values_are_all_the_best_of_rising_and_falling_metrics():
    groups = {
        "none": [],
        "some": [
            Scored("up", [0.5, 0.25, 0.5]),
            Scored("down", [0.5, 0.25, 0.25], higher_is_better=False),
        ],
    }
    _, people, blank, title, up, down = Page().table(
        ["a", "b", "c"], Scored("p", [1, 2, 3]), groups
    )
    assert (blank, title) == ("", "some")
    assert people.split() == ["p", "1.000", "2.000", "3.000*"]
    assert up.split() == ["up", "0.500*", "0.250", "0.500*"]
    assert down.split() == ["down", "↓", "0.500", "0.250*", "0.250*"]


def test_metrics_that_disagree_with_people_are_named(lines):
    text = " ".join(lines)
    assert (
        "People put abstract first, these metrics another system: coherence-order (repeat)." in text
    )


def test_the_pairs_are_the_best_and_the_worst_by_rouge1(lines):
    scores = [
        (
            summeval.score(row["candidate"], row["references"], metrics=["rouge1"])["rouge1"].value,
            row,
        )
        for row in rows()
    ]
    for title, (value, row) in (
        ("Best", max(scores, key=lambda pair: pair[0])),
        ("Worst", min(scores, key=lambda pair: pair[0])),
    ):
        start = lines.index(
            f"{title} summary by rouge1: {row['topic']}, by the system {row['system']}"
        )
        shown = lines[start + 1 : start + 5]
        assert shown[0].startswith(f"  people {row['human']:.2f}, rouge1 {value:.3f}, rouge2 ")
        texts = {"candidate": row["candidate"], "reference": row["references"][0]}
        for name, text in texts.items():
            (line,) = (line for line in shown if line.startswith(f"  {name}  "))
            assert line.endswith("…") and len(line) <= 80
            beginning = line.removeprefix(f"  {name}  ").removesuffix("…")
            assert " ".join(text.split()).startswith(beginning) and len(beginning) > 40


def test_the_page_is_the_same_for_any_workers(lines):
    assert printed(workers=2) == printed(workers=3) == lines


@pytest.mark.parametrize("workers", ["0", "-2", "1025", "9" * 30])
def test_the_demo_takes_as_many_workers_as_score_does(workers, capsys):
    assert main(["demo", "--workers", workers]) == 2
    assert "--workers takes a number from 1 to 1024" in capsys.readouterr().err


def test_a_file_is_no_folder_for_the_pages(tmp_path, capsys):
    (tmp_path / "out").write_text("mine")
    assert main(["demo", "-o", str(tmp_path / "out")]) == 2
    assert "out is a file; name a folder with -o" in capsys.readouterr().err


def test_without_spacy_the_demo_says_once_what_is_left_out(without_spacy, capsys):
    assert main(["demo", "--no-pages"]) == 0
    out, err = capsys.readouterr()
    assert list(table(out.splitlines())) == ["people", *METRICS[:4], "simetrix", "readability"]
    assert " ".join(out.split()).count(
        "Left out: bewte, dicomer, coherence-order, cremer. "
        "spaCy is not installed; pip install 'summeval[nlp]'"
    ) == 1  # fmt: skip
    assert out.count("spaCy") == 1 and err == ""
    assert {"readability, from the summary alone"} & set(out.splitlines())


def test_with_spacy_nothing_is_left_out(lines):
    assert not any("Left out" in line for line in lines)


def test_the_commands_run_as_they_are_printed(lines, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "summaries.jsonl").write_bytes(DEMO.read_bytes())
    for name in ("a.txt", "b.txt", "gold.txt"):
        (tmp_path / name).write_text("a cat\na dog\n")
    commands = [shlex.split(line) for line in lines if line.startswith("  summeval ")]
    kinds = ["score", "score", "report", "explain", "metrics"]
    assert [command[1] for command in commands] == kinds
    for _, *arguments in commands:
        assert main(arguments) == 0
    scored = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    assert [row["id"] for row in scored] == [row["id"] for row in rows()]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "human" in page and "tesla-s" in page
    assert "tesla-s.gap" in capsys.readouterr().out


def test_a_pair_is_explained_by_two_metrics(lines):
    (start,) = (place for place, line in enumerate(lines) if line.startswith("What is behind"))
    worst = min(
        rows(),
        key=lambda row: summeval.metric("rouge1").score(row["candidate"], row["references"]).value,
    )
    assert f"{worst['topic']} by the system {worst['system']}" in " ".join(lines[start : start + 3])
    for name in ("rouge1", "tesla-s"):
        told = summeval.metric(name).explain(worst["candidate"], worst["references"])
        place = lines.index(f"  {name} {told.value:.4f}", start)
        shown = str(told).splitlines()[1]
        assert lines[place + 1].split()[:3] == shown.split()[:3]


def test_the_demo_ends_with_two_pages(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("summeval.cli.report.find_spec", lambda _: None)
    monkeypatch.setattr(demo, "_GROUPS", {"content": ("rouge1", "tesla-s")})
    assert main(["demo", "-o", str(tmp_path / "pages")]) == 0
    out = capsys.readouterr().out
    written = {path.name: path for path in (tmp_path / "pages").iterdir()}
    assert written.keys() == {
        "scores.jsonl",
        "scores.jsonl.signatures",
        "report.html",
        "explained.html",
    }
    for name in ("report.html", "explained.html"):
        assert f"  {written[name]}" in out.splitlines()
        assert written[name].read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert "agrees best with people: Pearson" in written["report.html"].read_text(encoding="utf-8")


def test_the_page_names_the_file_of_the_texts(lines):
    assert f"  {DEMO}" in lines


def long_ones(lines: list[str], width: int) -> list[str]:
    return [line for line in lines if len(line) > width]


@pytest.mark.parametrize("width", [44, 52])
def test_a_narrow_terminal_gets_values_below_their_names(lines, width):
    narrow = printed(width)
    values = {name: narrow[narrow.index(f"  {name}") + 1].split() for name in METRICS[:5]}
    assert values == {name: table(lines)[name] for name in METRICS[:5]}
    assert "  simetrix ↓" in narrow
    commands = [line for line in lines if line.startswith("  summeval ")]
    assert set(long_ones(narrow, width)) <= {*commands, f"  {DEMO}"}


def test_a_wide_terminal_shows_more_of_the_texts(lines):
    wide = printed(100)
    assert table(wide) == table(lines)
    assert max(len(line) for line in wide if line.startswith("  candidate")) > 80


def test_the_width_is_that_of_the_terminal(monkeypatch, capsys, lines):
    monkeypatch.setenv("COLUMNS", "52")
    assert main(["demo", "--no-pages"]) == 0
    assert capsys.readouterr().out.splitlines() == printed(52)
    monkeypatch.setenv("COLUMNS", "3")
    assert main(["demo", "--no-pages"]) == 0
    assert capsys.readouterr().out.splitlines() == printed(24)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_output_without_arrows_gets_other_signs(monkeypatch, encoding):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["demo", "--no-pages"]) == 0
    text = stream.buffer.getvalue().decode(encoding)
    assert "simetrix v" in text and "v lower is better" in text and "↓" not in text
    assert table(text.splitlines()).keys() == {"people", *METRICS}


def test_what_an_encoding_lacks_is_replaced(monkeypatch):
    monkeypatch.setattr(demo, "report", lambda *_: ["café"])
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["demo", "--no-pages"]) == 0
    assert stream.buffer.getvalue() == b"caf?\n"


def test_the_demo_warns_of_nothing(capsys):
    assert main(["demo", "--no-pages"]) == 0
    assert capsys.readouterr().err == ""


def test_the_demo_texts_are_complete():
    for row in rows():
        assert set(row) == {
            "id", "topic", "kind", "system", "human", "candidate", "references", "source",
        }  # fmt: skip
        assert 3 <= len(row["references"]) <= 4
        assert all(2 <= len(text.splitlines()) <= 4 for text in row["references"])
    assert len({row["id"] for row in rows()}) == len(rows()) == 24


@pytest.mark.parametrize("metric", ["rouge1", "rouge2", "rougeLsum", "rougeSU4"])
def test_metrics_order_the_systems_of_the_demo_as_people_do(metric):
    by_mean = dict(zip(means(metric), SYSTEMS, strict=True))
    assert [by_mean[mean] for mean in sorted(by_mean)] == SYSTEMS[::-1]


def printed_by(command: list[str], **options) -> list[str]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, **options)
    return done.stdout.splitlines()


def test_make_fetches_what_the_project_requires():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    script = [sys.executable, "ci/requirements.py"]
    assert printed_by([*script, "nlp"]) == [*project["dependencies"], *extras["nlp"]]
    everything = printed_by([*script, "all"])
    assert {*extras["nlp"], *extras["learn"], *extras["arrow"]} < set(everything)
    assert not any(line.startswith("summeval") for line in everything)
    assert len(set(everything)) == len(everything)


@pytest.mark.skipif(shutil.which("make") is None, reason="no make on this system")
def test_make_demo_says_before_each_step_what_it_is_and_how_long_it_takes():
    # `make test` passes its own options on to every make.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    lines = printed_by(["make", "--dry-run", "demo", "VENV=no-such-env"], env=alone)
    steps = ["-m venv ", " wheel --no-build", " -r no-such-env/with-nlp", ".whl", "/summeval demo"]
    told = []
    for step in steps:
        place = next(i for i, line in enumerate(lines) if step in line and "echo" not in line)
        before = [line for line in lines[:place] if re.match("echo ['\"]== ", line)]
        told.append(before[-1])
    assert len(set(told)) == len(steps)
    assert all(re.search(r"\(.*(second|minute)", line) for line in told)
