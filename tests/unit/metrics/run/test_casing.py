"""The option `case`: which rows are lower-cased; these score as their texts in lower case."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import summeval
from summeval._core.rows.record import Score
from summeval.annotate.compiled import CompiledProvider
from summeval.cli.main import main
from summeval.metrics.ngram_graphs import NGramGraphs
from summeval.metrics.run.runner import CASES, lowers, one_case

GRAPHS = ("autosummeng", "memog", "npower")
PARSED = ("be", "bewte")
HIGH, OTHER = "Will Smith met Rose Green in Reading", "Rose Green was in Reading"
LOW = HIGH.lower()
ROWS: list[tuple[str | None, list[str | None]]] = [
    (LOW, [HIGH]),
    (HIGH, [HIGH, LOW, None]),
    (HIGH, [HIGH, OTHER]),
    (LOW, [LOW]),
    (None, [HIGH]),
    (LOW, []),
    ("1984", [HIGH]),
    ("", [LOW, OTHER]),
]

# Letters of which Unicode has both cases, one, or a lower form of several characters.
texts = st.none() | st.text("abAB .1éÉßẞİıΣσς中\n", max_size=12)
reference_sets = st.lists(texts, max_size=3)
rows = st.lists(st.tuples(texts, reference_sets), max_size=6)


def is_mixed(row: list[str | None]) -> bool:
    """The definition: some text has letters but no capital while another has capitals."""
    some = [text for text in row if text]
    has_capital = [any(char.isupper() for char in text) for text in some]
    has_letter = [any(char.lower() != char or char.islower() for char in text) for text in some]
    return any(has_capital) and any(
        letter and not capital for letter, capital in zip(has_letter, has_capital, strict=True)
    )


def alike(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def assert_equal(found: Score, wanted: Score) -> None:
    assert repr(found) == repr(wanted)  # NaN is like itself


# Which texts change


@given(reference_sets)
def test_auto_changes_rows_of_mixed_case_only(row: list[str | None]) -> None:
    low = [text and text.lower() for text in row]
    assert list(one_case("auto", row)) == (low if is_mixed(row) else row)


@given(reference_sets)
def test_keep_and_lower_do_not_depend_on_the_texts(row: list[str | None]) -> None:
    assert list(one_case("keep", row)) == row
    assert list(one_case("lower", row)) == [text and text.lower() for text in row]


@pytest.mark.parametrize(
    ("row", "changes"),
    [
        (["the cat", "The cat"], True),
        (["The cat", "A cat", "the cat"], True),
        (["THE CAT", "The cat"], False),
        (["1984", "The cat"], False),
        (["", "The cat"], False),
        ([None, "The cat"], False),
        (["中文", "The cat"], False),  # letters, but none with a case
    ],
)
def test_a_text_in_lower_case_has_letters_with_a_case(row: list[str | None], changes: bool) -> None:
    assert lowers("auto", row) is changes


# Graphs of n-grams


@given(rows, st.sampled_from(["lower", "auto"]), st.sampled_from(GRAPHS))
def test_graphs_score_what_keep_scores_on_the_texts_in_their_case(
    rows: list[Any], case: str, name: str
) -> None:
    kept, metric = summeval.metric(name), summeval.metric(name, case=case)
    for candidate, references in rows:
        own, *others = one_case(case, [candidate, *references])
        assert_equal(metric.score(candidate, references), kept.score(own, others))


@given(rows, st.sampled_from(["lower", "auto"]))
def test_batch_threads_and_prepared_references_give_what_single_calls_give(
    rows: list[Any], case: str
) -> None:
    suite = summeval.suite([summeval.metric(name, case=case) for name in GRAPHS])
    candidates, references = [row[0] for row in rows], [row[1] for row in rows]
    table = suite.score_batch(candidates, references)
    threaded = suite.score_batch(candidates, references, workers=3)
    prepared = [suite.prepare(texts) for texts in references]
    for name in table.columns:
        metric, field = name.split(".")
        assert table[name].tobytes() == threaded[name].tobytes()
        for row, (candidate, texts) in enumerate(rows):
            single = suite.score(candidate, texts)
            assert alike(table[name][row], single[metric][field])
            assert repr(prepared[row].score(candidate)) == repr(single)
    for row, one in enumerate(prepared):  # candidates of both cases with one set of references
        many = one.score_batch(candidates)
        for name in many.columns:
            metric, field = name.split(".")
            for place, candidate in enumerate(candidates):
                wanted = suite.score(candidate, references[row])[metric][field]
                assert alike(many[name][place], wanted)


def test_cases_of_one_metric_stand_beside_each_other() -> None:
    metrics = [summeval.metric("memog", case=case, label=case) for case in CASES]
    scores = summeval.score(LOW, [HIGH], metrics=metrics)
    assert scores["keep"].value < 1 == scores["lower"].value == scores["auto"].value
    assert scores["lower"].parts[0].value == 1


def test_arrow_columns_give_what_lists_give() -> None:
    pa = pytest.importorskip("pyarrow")
    metric = summeval.metric("npower", case="auto")
    candidates, references = [row[0] for row in ROWS], [row[1] for row in ROWS]
    wanted = metric.score_batch(candidates, references)
    plain = pa.array(candidates), pa.array(references, pa.list_(pa.string_view()))
    coded = plain[0].dictionary_encode(), pa.array(references, pa.list_(pa.large_string()))
    for given_columns in (plain, coded):
        found = metric.score_batch(*given_columns, workers=2)
        assert found["npower"].tobytes() == wanted["npower"].tobytes()


# All metrics that have the option


@pytest.mark.parametrize("name", [*GRAPHS, *PARSED])
def test_signatures_name_the_case(name: str) -> None:
    told = [summeval.metric(name, case=case).signature for case in CASES]
    assert summeval.metric(name).signature == told[0]
    for case, signature in zip(CASES, told, strict=True):
        assert f"|case:{case}|" in signature


@pytest.mark.parametrize("name", [*GRAPHS, *PARSED])
def test_another_case_is_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="case is 'upper'; choose from 'keep', 'lower', 'auto'"):
        summeval.metric(name, case="upper")


@pytest.mark.parametrize("name", ["memog", "bewte"])
def test_what_is_no_text_is_named(name: str) -> None:
    metric = summeval.metric(name, case="auto")
    for candidate, references, told in [
        (5, ["a"], "candidate is int"),
        ("a", ["b", 5], r"references\[1\] is int"),
    ]:
        for call in (metric.score, lambda own, texts: metric.prepare(texts).score(own)):
            with pytest.raises(TypeError, match=told):
                call(candidate, references)  # type: ignore[arg-type]


def test_graph_metrics_alone_have_a_runner_between() -> None:
    kept = NGramGraphs.fuse([summeval.MeMoG()])
    assert kept.run_pair.__self__ is kept._kernel  # type: ignore[attr-defined]


# Metrics on parses


@pytest.fixture(scope="module")
def parsed() -> dict[tuple[str, str], summeval.Metric]:
    options: dict[str, dict[str, Any]] = {"be": {"mode": "hm1"}, "bewte": {"jackknife": False}}
    return {
        (name, case): summeval.metric(name, case=case, cache=False, **options[name])
        for name in PARSED
        for case in CASES
    }


@pytest.mark.parametrize("name", PARSED)
def test_case_changes_what_the_parser_finds(parsed: Any, name: str) -> None:
    values = [parsed[name, case].score(LOW, [HIGH]).value for case in CASES]
    assert values[0] < 1
    assert values[1] == values[2] == 1
    values = [parsed[name, case].score(HIGH, [OTHER]).value for case in CASES]
    assert values[0] == values[2] != values[1]


@pytest.mark.parametrize("name", PARSED)
@pytest.mark.parametrize("case", CASES)
def test_parsed_rows_score_as_their_texts_in_their_case(parsed: Any, name: str, case: str) -> None:
    metric, kept = parsed[name, case], parsed[name, "keep"]
    table = metric.score_batch([row[0] for row in ROWS], [row[1] for row in ROWS], workers=2)
    for place, (candidate, references) in enumerate(ROWS):
        own, *others = one_case(case, [candidate, *references])
        wanted = kept.score(own, others)
        assert_equal(metric.score(candidate, references), wanted)
        assert_equal(
            pickle.loads(pickle.dumps(metric.prepare(references))).score(candidate), wanted
        )
        assert alike(table[name][place], wanted.value)


parsed_texts = st.sampled_from([None, LOW, HIGH, OTHER, OTHER.lower()])


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(parsed_texts, st.lists(parsed_texts, max_size=2)), max_size=4))
def test_parsed_batches_are_single_calls(parsed: Any, rows: list[Any]) -> None:
    for name in PARSED:
        metric = parsed[name, "auto"]
        candidates, references = [row[0] for row in rows], [row[1] for row in rows]
        table = metric.score_batch(candidates, references)
        prepared = metric.prepare([HIGH]).score_batch(candidates)
        for place, (candidate, others) in enumerate(rows):
            assert alike(table[name][place], metric.score(candidate, others).value)
            assert alike(prepared[name][place], metric.score(candidate, [HIGH]).value)


def test_each_distinct_text_in_its_case_is_parsed_once(
    parsed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    inner = CompiledProvider.parse_on_threads

    def noted(self: CompiledProvider, texts: list[str], workers: int) -> Any:
        asked.extend(texts)
        return inner(self, texts, workers)

    monkeypatch.setattr(CompiledProvider, "parse_on_threads", noted)
    monkeypatch.setattr("summeval.metrics.parsed._CUT.reader", None)
    candidates = [LOW, LOW.title(), HIGH, LOW]
    parsed["bewte", "auto"].score_batch(candidates, [[HIGH]] * 4)
    assert sorted(asked) == sorted([LOW, LOW.title(), HIGH])


def test_an_explanation_is_of_the_texts_in_their_case(parsed: Any) -> None:
    told = parsed["bewte", "auto"].explain(LOW, HIGH)
    assert told.value == 1 > parsed["bewte", "keep"].explain(LOW, HIGH).value
    with pytest.raises(TypeError, match="candidate is int"):
        parsed["bewte", "auto"].explain(5, HIGH)


def test_parsed_metrics_refuse_another_case() -> None:
    for name in PARSED:
        with pytest.raises(ValueError, match="case is None"):
            summeval.metric(name, case=None)


# The command line


def test_the_command_takes_the_case(parsed: Any, tmp_path: Path) -> None:
    path, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    path.write_text(json.dumps({"candidate": LOW, "references": [HIGH]}) + "\n")
    options = ["--option", "bewte.case=auto", "--option", "npower.case=lower"]
    assert main(["score", str(path), "-m", "bewte,npower", *options, "-o", str(out)]) == 0
    (row,) = map(json.loads, out.read_text().splitlines())
    assert row["bewte.recall"] == 1
    assert row["npower.value"] == summeval.score(LOW, [LOW], metrics=["npower"])["npower"].value


def test_annotations_are_found_in_the_case_that_they_were_made_in(
    parsed: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, parses, out = (tmp_path / name for name in ("rows.jsonl", "parses.jsonl", "out.jsonl"))
    lines = [{"candidate": LOW, "references": [HIGH]}, {"candidate": OTHER, "references": [HIGH]}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    score = ["score", str(path), "-m", "bewte", "--annotations", str(parses), "-o", str(out)]
    for case, status in [("lower", 1), ("auto", 0)]:
        assert main(["annotate", str(path), "-o", str(parses), "--case", case]) == 0
        assert main([*score, "--option", "bewte.case=auto"]) == status
    assert "run summeval annotate on the same rows\n" in capsys.readouterr().err
    assert main([*score, "--option", "bewte.case=lower"]) == 1
    assert "on the same rows, with the --case of the metric\n" in capsys.readouterr().err
    texts = [json.loads(line)["text"] for line in parses.read_text().splitlines()]
    assert texts == [LOW, OTHER, HIGH]
