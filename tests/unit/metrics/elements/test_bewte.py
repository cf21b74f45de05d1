"""BEwT-E on texts: parsing, batches, explanations, and the command line."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import pytest

import summeval
from summeval.cli.main import main
from summeval.elements.transformations import GROUPS
from summeval.metrics.parsed import Parser

CANDIDATE = "The refinery fire killed John Smith. Officials said the pumps were running."
REFERENCES = [
    "A fire in the refinery killed Mr. Smith. The officials say that pumps ran.",
    "Nothing happened at all.",
]


@pytest.fixture(scope="module")
def bewte() -> summeval.BEwTE:
    return summeval.BEwTE(jackknife=False)


def test_a_text_has_all_of_itself(bewte: summeval.BEwTE) -> None:
    assert bewte.score(CANDIDATE, CANDIDATE).recall == 1


def test_transformations_add_what_equal_elements_lack(bewte: summeval.BEwTE) -> None:
    none = summeval.BEwTE(jackknife=False, coefficients={"others": 0})
    assert none.score(CANDIDATE, REFERENCES).recall < bewte.score(CANDIDATE, REFERENCES).recall


def test_it_tells_the_coefficient_of_each_group() -> None:
    told = summeval.BEwTE(coefficients={"syno": 0.5, "others": 0.9}).coefficients
    assert told == {group: 0.5 if group == "syno" else 0.9 for group in GROUPS}
    assert summeval.BEwTE().coefficients == dict.fromkeys(GROUPS, 1.0)


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_of_a_batch_score_as_pairs_do(bewte: summeval.BEwTE, workers: int) -> None:
    candidates = [CANDIDATE, None, "", REFERENCES[0]]
    references = [REFERENCES, ["x"], REFERENCES[:1], []]
    table = bewte.score_batch(candidates, references, workers=workers)
    assert table.columns == ["bewte.recall"]
    for row, (candidate, others) in enumerate(zip(candidates, references, strict=True)):
        alone = bewte.score(candidate, others).recall
        assert table["bewte"][row] == alone or (
            math.isnan(alone) and math.isnan(table["bewte"][row])
        )


def test_prepared_references_score_and_pickle(bewte: summeval.BEwTE) -> None:
    prepared = pickle.loads(pickle.dumps(bewte.prepare(REFERENCES)))
    assert prepared.score(CANDIDATE) == bewte.score(CANDIDATE, REFERENCES)
    assert math.isnan(prepared.score(None).recall)


def test_an_explanation_adds_up_to_the_recall(bewte: summeval.BEwTE) -> None:
    ((own, others),) = bewte.extract([CANDIDATE], [REFERENCES])
    assert own is not None
    told = bewte.explain_units(own, dict(zip("12", others, strict=True)))
    first = told.references[0]
    weight = sum(match.coefficient * match.weight for match in first.matches)
    assert len(first.matches) + len(first.missed) > 0
    # every element of one reference alone weighs sqrt(1)
    assert first.recall == pytest.approx(weight / (len(first.matches) + len(first.missed)))
    paths = {match.reference.split(" ", 1)[1]: match.path for match in first.matches}
    assert paths["fire|NN+in|IN+refinery|NN"] == ("nppp", "pgen")
    assert paths["killed|VBD"] == ()
    assert "fire|NN+in|IN+refinery|NN  by nppp pgen" in str(told)
    assert json.loads(json.dumps(told.to_dict()))["recall"] == told.recall


def test_nothing_to_explain_is_an_error(bewte: summeval.BEwTE) -> None:
    with pytest.raises(ValueError, match="give a candidate and a reference"):
        bewte.explain(None, ["a"])


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    lines = [
        {"id": "a", "candidate": CANDIDATE, "references": REFERENCES},
        {"id": "b", "candidate": None, "references": REFERENCES},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def test_annotations_from_a_file_score_the_same(rows: str, tmp_path: Path) -> None:
    parses = str(tmp_path / "parses.jsonl")
    assert main(["annotate", rows, "-o", parses]) == 0
    outputs = []
    for name, more in [("fresh", ["--no-cache"]), ("read", ["--annotations", parses])]:
        out = tmp_path / f"{name}.jsonl"
        assert main(["score", rows, "-m", "bewte,be", "-o", str(out), *more]) == 0
        outputs.append(out.read_text())
    assert outputs[0] == outputs[1]


def test_texts_of_the_last_call_are_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    parse = Parser(summeval.metric("be", cache=False))
    inner = parse.provider.parse_on_threads
    monkeypatch.setattr(
        parse.provider, "parse_on_threads", lambda texts, n: inner([*map(noted, texts)], n)
    )

    def noted(text: str) -> str:
        asked.append(text)
        return text

    first = parse.cut(["Dogs bark loudly.", "Cats sleep."])
    again = parse.cut(["Cats sleep.", "A cow moos."])
    assert asked == ["Dogs bark loudly.", "Cats sleep.", "A cow moos."]
    assert again["Cats sleep."] is first["Cats sleep."]


def test_what_no_parser_can_read_is_told_in_a_line(
    rows: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parses = str(tmp_path / "parses.jsonl")
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"candidate": "Dogs bark.", "references": ["x"]}) + "\n")
    assert main(["annotate", rows, "-o", parses]) == 0
    for status, path, options, told in [
        (2, rows, ["--annotations", rows], f"{rows}:1: 'sentences' is missing"),
        (1, rows, ["--annotations", "absent.jsonl"], "absent.jsonl: no such file"),
        (1, str(other), ["--annotations", parses], "no annotation of the text 'Dogs bark.'"),
        (2, rows, ["--option", "bewte.parser=klingon"], "unknown provider 'klingon'"),
        (2, rows, ["--option", "bewte.solver=guess"], "unknown solver for assignment 'guess'"),
    ]:
        capsys.readouterr()
        assert main(["score", path, "-m", "bewte", *options]) == status
        (line,) = capsys.readouterr().err.splitlines()
        assert told in line
        assert "Error" not in line


class Text(str):
    """A str of one's own."""

    __slots__ = ()


def test_texts_of_a_subclass_of_str_are_scored(bewte: summeval.BEwTE) -> None:
    given = "Dogs bark loudly.", ["The dog barked."]
    assert bewte.score(Text(given[0]), [Text(given[1][0])]) == bewte.score(*given)
