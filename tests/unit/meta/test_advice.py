"""What `recommend` sees in data, and what it advises: figures of the pages, commands that run."""

from __future__ import annotations

import gzip
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from shared import ROOT

import summeval
from summeval.cli.main import main, parser
from summeval.meta.advice import (
    PEERS,
    DataProfile,
    agreement_of,
    cost_of,
    cost_of_parsing,
    look,
    recommend,
)
from summeval.metrics.consensus import LEAST

ENGLISH = "The storm hit the coast on Monday and it destroyed many of the houses."
MORE = ENGLISH + " Nobody was hurt."
FRENCH = "La tempête a frappé la côte lundi dernier, détruisant plusieurs maisons anciennes."
RUSSIAN = "Шторм обрушился на побережье в понедельник и разрушил много домов."
CHINESE = "周一风暴袭击了海岸，摧毁了许多房屋。"


def look_at(text: str = ENGLISH, rows: int = 4, references: int = 1, **more: Any) -> DataProfile:
    several = [[text] * references for _ in range(rows)] if references else None
    table = more.pop("table", [{"id": row} for row in range(rows)])
    source = [[text]] * rows if more.pop("source", False) else None
    return look(table, [text] * rows, several, source, **more)


def test_the_figures_stand_in_the_pages_as_they_are_told() -> None:
    speed = (ROOT / "docs" / "speed.md").read_text("utf-8")
    study = (ROOT / "docs" / "study.md").read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"| parsing, a text | {cost_of_parsing():,.0f} |" in speed
    for name in ("rouge1", "tesla-e", "support", "simetrix", "npower", "bewte"):
        assert f"| `{name}` | {cost_of(name):,g} |" in speed
        found = agreement_of(name)
        printed = [one for one in found if one.interval]
        assert len(printed) == 6  # two levels of REALSumm, and four judgements of SummEval
        assert {one.split for one in printed} == {"dev"}
        assert any(one.split == "unseen" for one in found) == (name not in ("support", "simetrix"))
        for one in found:
            cell = f"{one.rho:.2f}" if one.interval else f"{one.rho:g}"
            if one.interval:
                low, high = one.interval
                cell += f"{'*' * one.above_length} [{low:.2f}, {high:.2f}]"
            cell = cell.replace("0.", ".").replace("-.00", ".00")
            assert any(one.column in line and cell in line for line in study.splitlines()), cell
    assert f"| `tesla-e` | {cost_of('tesla-e'):g} | .53*" in readme


@pytest.mark.parametrize(
    ("text", "language", "latin", "blanks"),
    [
        (ENGLISH, "English", True, True),
        (FRENCH, "Latin script, not English", True, True),
        (RUSSIAN, "Cyrillic script", False, True),
        (CHINESE, "CJK script", False, False),
        ("... 12 !", "no letters", True, True),
    ],
)
def test_the_language_is_guessed(text: str, language: str, latin: bool, blanks: bool) -> None:
    found = look_at(text)
    assert (found.language, found.is_latin, found.has_blanks) == (language, latin, blanks)


def test_what_the_data_have_decides() -> None:
    both = recommend(look_at(MORE, source=True)).metrics
    assert both[:4] == ["rouge1", "rouge2", "rougeLsum", "tesla-e"]
    assert {"support", "simetrix", "readability"} <= set(both)
    without = recommend(look_at(references=0, source=True))
    assert "rouge1" not in without.metrics
    assert without.metrics[0] == "support"
    assert any(line.startswith("no references") for line in without.warnings)
    assert "npower" in recommend(look_at(references=3)).metrics
    assert "npower" not in recommend(look_at(references=2)).metrics
    russian = recommend(look_at(RUSSIAN)).metrics
    assert russian == ["rouge1", "rouge2", "rougeLsum", "tesla-s"]
    assert recommend(look_at(CHINESE)).metrics == ["npower"]
    assert recommend(look_at(CHINESE, source=True)).metrics == ["npower", "extractiveness"]
    other = recommend(look_at(FRENCH, source=True))
    assert not {"support", "tesla-e", "readability"} & set(other.metrics)
    made = next(one.metric for one in other.left_out if one.why == "made for English")
    assert made == (
        "tesla-e, be, bewte, support, dicomer, coherence-order, readability, cremer, reading-ease"
    )
    nothing = recommend(look([{}], [None], None, None))
    assert nothing.advice == ()
    assert nothing.warnings[0].startswith("neither references nor a source")


def test_all_advised_metrics_exist_and_cost_what_the_page_says() -> None:
    found = recommend(look_at(MORE, source=True, references=3))
    assert set(found.metrics) <= set(summeval.list_metrics())
    for one in found.advice:
        measured = ("rouge1-content",) if one.options else one.metrics
        known = [cost_of(name) for name in measured]
        if None not in known:
            assert one.microseconds == sum(known)  # type: ignore[arg-type]
        assert {row.metric for row in one.evidence} <= set(measured)
    assert [one.metrics for one in found.advice if one.parsed] == [("bewte",)]


def test_content_begins_with_stems_and_no_stop_words() -> None:
    first = recommend(look_at(MORE)).advice[0]
    assert first.metrics == ("rouge1",)
    assert {"rouge1.stemmer=porter", "rouge1.stopwords=true"} < set(first.options)
    assert first.report.startswith("recall")
    assert "consensus" not in first.why
    table = [{"id": row, "topic": "a", "system": f"s{row}"} for row in range(PEERS)]
    grouped = recommend(look_at(MORE, rows=PEERS, table=table)).advice[0]
    assert "with the 5 candidates of each topic metric('consensus')" in grouped.why
    assert PEERS == LEAST


def test_support_is_for_several_sentences_that_are_no_talk() -> None:
    review = "I loved my stay. We came with our dog, and my wife liked the pool. " + MORE
    for text, source, why in (
        (ENGLISH, MORE, "made for summaries of several sentences"),
        (MORE, review, "read like reviews or dialogues"),
        (MORE, MORE, ""),
    ):
        rows: list[dict[str, Any]] = [{"id": 1}]
        found = recommend(look(rows, [text], [[text]], [[source]]))
        assert ("support" in found.metrics) == (not why)
        told = [one.why for one in found.left_out if one.metric == "support"]
        assert [why in line for line in told] == [True] * bool(why)


def test_a_judge_is_mentioned_with_what_it_is_good_for_and_how_to_check_it() -> None:
    for source, pays in ((True, "a claim follows from the source"), (False, "text is coherent")):
        told = [one.why for one in recommend(look_at(source=source)).left_out]
        (line,) = (why for why in told if "check-judge" in why)
        assert f"pays where words do not tell, as whether {'a ' * (not source)}{pays}" in line
    assert recommend(look([{}], [None], None, None)).left_out[0].metric != "judge"


def test_agreement_is_told_where_it_was_measured() -> None:
    def sets(text: str, source: str) -> set[str]:
        found = recommend(look([{"id": 1}], [text], [[text]], [[source]]))
        return {one.data for each in found.advice for one in each.evidence if "rouge" in one.metric}

    assert sets(MORE, MORE) == {"REALSumm", "SummEval"}
    assert sets(ENGLISH, MORE) == {"PyrXSum"}
    assert sets(MORE, "I say we like it.") == {"OpinSummEval", "SummEval-OP", "DialSummEval"}
    for text in (FRENCH, RUSSIAN, CHINESE):
        assert sets(text, text) == set()
    unseen = recommend(look_at(MORE)).advice[0].evidence
    assert {(one.split, one.rho) for one in unseen if one.level == "summary"} >= {("unseen", 0.501)}


def test_human_scores_are_told_from_ids_names_and_metrics() -> None:
    rows = [
        {
            "id": number,
            "system": f"s{number % 2}",
            "topic": number // 2,
            "fluency": 3,
            "scores": {"overall": "4.5", "group": 1},
            "rouge1.recall": 0.5,
            "notes": "good",
            "seed": 7,
            "doc_id": 9,
            "none": None,
        }
        for number in range(6)
    ]
    found = look_at(rows=6, table=rows)
    assert found.human == ("fluency", "scores.overall")
    assert found.scored == ("rouge1.recall",)
    assert (dict(found.systems), found.topics, found.samples) == ({"s0": 14.0, "s1": 14.0}, 3, 1)
    assert look_at(rows=6, table=rows, human=["doc_id"]).human == ("doc_id",)
    for count in (1, 2):
        of_few = [row | {"system": f"s{row['id'] % count}"} for row in rows]
        lines = recommend(look_at(rows=6, table=of_few)).warnings
        assert any(line.startswith(f"{count} systems beside human scores") for line in lines)


def warned(table: list[dict[str, Any]], candidates: list[str | None], **more: Any) -> str:
    references = more.pop("references", [[ENGLISH]] * len(candidates))
    return "\n".join(recommend(look(table, candidates, references, None, **more)).warnings)


def test_what_to_beware_of_is_told() -> None:
    pair = [{"system": "a", "id": 1}, {"system": "b", "id": 1}]
    assert warned(pair, [ENGLISH, ENGLISH]) == ""
    told = warned(pair, ["The storm hit.", ENGLISH])
    assert "systems differ in length: a has 3 words in the mean, b 14" in told
    assert "write lower case alone: 1 (b)" in warned(pair, [ENGLISH, ENGLISH.lower()])
    assert "candidates that are null: 1" in warned(pair, [ENGLISH, None])
    assert "candidates that are empty texts: 1" in warned(pair, [ENGLISH, " "])
    assert "rows without a reference: 1 (50%)" in warned(
        pair, [ENGLISH, ENGLISH], references=[[ENGLISH], None]
    )
    assert "very short candidates (2 words)" in warned(pair, ["A storm", "A storm"])
    assert "0.14 times the words of the references" in warned(pair, ["A storm", "A storm"])
    apart = [{"system": "a", "id": 1}, {"system": "b", "id": 2}]
    assert "systems have different topics" in warned(apart, [ENGLISH, ENGLISH])
    again = [{"system": "a", "id": 1}, {"system": "a", "id": 1}]
    assert "up to 2 outputs of one system for one input" in warned(again, [ENGLISH, ENGLISH])
    unnamed = [{"id": number, "model": "ab"[number % 2]} for number in range(4)]
    assert "no column names the system; if model does" in warned(unnamed, [ENGLISH] * 4)
    french = warned(pair, [FRENCH, FRENCH], references=[[FRENCH]] * 2)
    assert "33% of the words have letters outside a-z: the tokenizer rouge155 cuts" in french
    some = [ENGLISH, "It hit.\nIt went.", ENGLISH, ENGLISH]
    assert "have sentences on lines" in warned(unnamed, list(some))


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    demo = ROOT / "src" / "summeval" / "cli" / "data" / "demo.jsonl"
    path = tmp_path / "my rows.jsonl"
    path.write_text(demo.read_text("utf-8"), "utf-8")
    return path


def test_its_commands_run(rows: Path, capsys: Any) -> None:
    assert main(["recommend", rows.name, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    commands = [shlex.split(line) for line in found["commands"]]
    assert [words[1] for words in commands] == [
        *("score", "score", "correlate", "rank", "correlate", "compare", "report", "cite")
    ]
    for words in commands:
        parser(words[1:]).parse_args(words[1:])
    score = commands[0][1:]
    score[score.index("-m") + 1] = "rouge1,support"  # which are soon done
    assert main(score) == 0
    assert main(commands[1][1:]) == 0
    capsys.readouterr()
    assert main(commands[2][1:]) == 0
    assert "r1s.recall" in capsys.readouterr().out
    assert main(commands[-1][1:]) == 0
    assert "We report ROUGE-1" in capsys.readouterr().out


ITALIAN = "La tempesta ha colpito la costa lunedi e ha distrutto molte case del paese."


@pytest.mark.parametrize("text", [FRENCH, RUSSIAN, ITALIAN])
def test_its_command_reads_letters_outside_a_to_z(text: str, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"candidate": text, "references": [text]}) + "\n", "utf-8")
    assert main(["recommend", str(path), "--format", "json"]) == 0
    score = shlex.split(json.loads(capsys.readouterr().out)["commands"][0])
    assert score[score.index("--tokenizer") + 1] == "unicode"
    assert main([*score[1 : score.index("-o")], "-o", "-"]) == 0
    assert capsys.readouterr().err == ""


def test_text_and_json_say_the_same(rows: Path, capsys: Any) -> None:
    assert main(["recommend", rows.name]) == 0
    text = capsys.readouterr().out
    assert main(["recommend", rows.name, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rows"], found["all_rows"]) == (24, True)
    assert found["data"]["human"] == ["human"]
    for one in found["advice"]:
        assert f". {', '.join(one['metrics'])}: {one['purpose']}\n" in text
    for line in found["commands"]:
        assert f"  {line}\n" in text
    assert "support.explained" in text
    assert re.search(r"consistency +dev +0.44\* \[0.23, 0.59\]", text)


def test_only_the_first_rows_are_read(rows: Path, capsys: Any) -> None:
    with open(rows, "a", encoding="utf-8") as file:
        file.write('{"candidate": 7, "references": [], "source": null}\n')
    assert main(["recommend", rows.name, "--rows", "5"]) == 0
    assert f"{rows.name}: 5 rows (the first rows; --rows 0 looks at all)" in capsys.readouterr().out
    assert main(["recommend", rows.name, "--rows", "0"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "25 rows (all rows)" in printed
    assert "rows that cannot be scored: 1; line 25" in printed
    assert "'candidate' is a number" in printed


def test_every_format_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    row = {"prediction": ENGLISH, "target": ENGLISH}
    packed = gzip.compress(json.dumps(row).encode())
    Path("rows.jsonl.gz").write_bytes(packed)
    Path("rows.csv").write_text(f'prediction,reference_1,reference_2\n"{ENGLISH}",a,b\n', "utf-8")
    Path("rows.tsv").write_text(f"prediction\treferences\n{ENGLISH}\ta\n", "utf-8")
    Path("hyp.txt").write_text(ENGLISH + "\n", "utf-8")
    names = ["rows.jsonl.gz", "rows.csv", "rows.tsv"]
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        pass
    else:
        pq.write_table(pa.table({key: [text] for key, text in row.items()}), "rows.parquet")
        names.append("rows.parquet")
    for words in (*([name] for name in names), ["--hyp", "hyp.txt", "--ref", "hyp.txt"]):
        assert main(["recommend", *words, "--format", "json"]) == 0
        data = json.loads(capsys.readouterr().out)["data"]
        assert data["candidates"]["median"] == 14
        assert data["references"] is not None


def test_its_commands_do_not_write_over_the_file_that_it_read(rows: Path, capsys: Any) -> None:
    rows.rename("scores.jsonl")
    assert main(["recommend", "scores.jsonl", "--format", "json"]) == 0
    score, *_ = json.loads(capsys.readouterr().out)["commands"]
    assert "-o new-scores.jsonl" in score


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["rows.txt"], 2, "pass --input-format jsonl"),
        (["none.jsonl"], 1, "no such file"),
        (["empty.jsonl"], 1, "holds no rows"),
        (["other.jsonl"], 1, "no 'candidate'"),
        (["other.jsonl", "--rows", "-1"], 2, "--rows is -1"),
        (["texts.jsonl", "--human", "x"], 1, "no 'x'"),
        (["texts.jsonl", "--hyp", "rows.txt"], 2, "pass INPUT (texts.jsonl) or --hyp"),
        (["texts.jsonl", "--ref", "rows.txt"], 2, "need --hyp"),
    ],
)
def test_errors_are_one_line(
    words: list[str], status: int, message: str, rows: Path, capsys: Any
) -> None:
    Path("empty.jsonl").touch()
    Path("rows.txt").write_text("a\n")
    Path("other.jsonl").write_text('{"id": 1}\n')
    Path("texts.jsonl").write_text('{"candidate": "a"}\n')
    assert main(["recommend", *words]) == status
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
