"""The benchmarks run, agree with the peers that are installed, and make the texts they claim."""

from __future__ import annotations

import gzip
import importlib
import json
import re
import statistics
from pathlib import Path
from types import ModuleType

import pytest
from shared import ROOT

FOLDER = ROOT / "benchmarks"


def load(monkeypatch: pytest.MonkeyPatch, name: str) -> ModuleType:
    for folder in (FOLDER / "people", FOLDER):
        monkeypatch.syspath_prepend(str(folder))
    return importlib.import_module(name)


@pytest.mark.parametrize("name", ["short", "long"])
def test_made_up_texts_have_the_shape_of_news(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    texts = load(monkeypatch, "texts")
    shape = getattr(texts, name.upper())
    for side, tokens in zip(
        texts.make_pairs(shape, 60), (shape.candidate_tokens, shape.reference_tokens), strict=True
    ):
        words = [re.findall("[a-z0-9]+", text.lower()) for text in side]
        assert statistics.mean(map(len, words)) == pytest.approx(tokens, rel=0.15)
        assert statistics.mean(len(word) for text in words for word in text) < 5.5
        assert all(text[0].isupper() or not text[0].isalpha() for text in side)


def test_made_up_texts_depend_on_the_seed_only(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = load(monkeypatch, "texts")
    assert texts.make_pairs(texts.SHORT, 5, 3) == texts.make_pairs(texts.SHORT, 5, 3)
    assert texts.make_pairs(texts.SHORT, 5, 3) != texts.make_pairs(texts.SHORT, 5, 4)


@pytest.mark.slow
def test_peers_agree_and_the_report_names_the_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rouge_score")
    peers = load(monkeypatch, "peers")
    monkeypatch.setattr(peers, "SAMPLE_SECONDS", 0.0)
    out = tmp_path / "peers.json"
    status = peers.main(
        ["--rounds", "1", "--limit", "8", "--memory-rows", "100", "--json", str(out)]
    )
    assert status == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    compared = {row["contender"] for row in report["rows"] if "difference" in row}
    assert "rouge-score 0.1.2" in compared
    assert report["machine"]["processor"] in capsys.readouterr().out


@pytest.mark.slow
def test_a_peer_that_disagrees_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rouge_score")
    peers = load(monkeypatch, "peers")
    contenders = load(monkeypatch, "contenders")
    monkeypatch.setattr(peers, "SAMPLE_SECONDS", 0.0)
    honest = contenders.rouge_score

    def wrong(task: object) -> object:
        peer = honest(task)
        return type(peer)(peer.name, peer.run, lambda rows: peer.table(rows) / 2)

    monkeypatch.setattr(contenders, "peers", lambda task: [wrong(task)])
    arguments = ["--rounds", "1", "--limit", "4", "--memory-rows", "--only", "short Lsum"]
    assert peers.main(arguments) == 1
    assert "4 differ" in capsys.readouterr().out


def test_rewards_of_the_benchmark_are_those_of_rouge_score(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rouge_score")
    reward = load(monkeypatch, "reward")
    monkeypatch.setattr(reward, "CASES", (("rouge1",),))
    monkeypatch.setattr(reward, "GROWTH_BYTES", 1 << 40)
    out = tmp_path / "reward.json"
    assert reward.main(["--calls", "10", "--rounds", "2", "--json", str(out)]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert report["calls"][0]["ratio"] > 0
    assert len(report["memory"]) == 10
    assert "growth" in capsys.readouterr().out


@pytest.mark.slow
def test_bulk_scoring_agrees_and_reports_its_goals(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    bulk = load(monkeypatch, "bulk")
    pairs = tmp_path / "pairs.jsonl.gz"
    assert bulk.main(["--pairs", str(pairs)]) == 0
    assert "skipped" in capsys.readouterr().out
    row = {"candidate": "the cat sat", "references": ["a cat sat down", "more"]}
    with gzip.open(pairs, "wt", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    assert bulk.main(["--pairs", str(pairs), "--rows", "50", "--rounds", "1"]) == 0
    printed = capsys.readouterr().out
    assert "50 pairs" in printed and "goal 1.8" in printed and "peak memory" in printed


@pytest.mark.slow
def test_every_wait_for_rouge_is_printed_with_its_goal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    short = load(monkeypatch, "short")
    monkeypatch.setattr(short.peers, "SAMPLE_SECONDS", 0.0)
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "short.json"
    row = {"candidate": "the cat sat . it ran", "references": ["a cat sat down " * 10]}
    pairs.write_text(f"{json.dumps(row)}\n" * 4, encoding="utf-8")
    given = ["--pairs", str(pairs), "--long", str(pairs), "--rounds", "1", "--json", str(out)]
    assert short.main(given) == 0
    rows = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert [row["goal"] for row in rows] == [9, 8, 20, 18, 10, 7, 5.5, 2.5]
    assert [row["pairs"] for row in rows] == [4, 4, 4, 4, 4, 4, 2, 4]
    assert all(row["ours"] > 0 for row in rows)
    assert "references of 65-128 tokens" in capsys.readouterr().out


def test_rankers_are_measured_beside_their_goals(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rankers = load(monkeypatch, "rankers")
    monkeypatch.setattr(rankers, "MODELS", ("order0",))
    out = tmp_path / "rankers.json"
    assert rankers.main(["--documents", "2", "--rounds", "1", "--json", str(out)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "160 utterances of 2 documents"
    assert "goal at least 200,000" in printed[2]
    assert [row["goal"] for row in json.loads(out.read_text())] == [20_000, 200_000, 0.16]


@pytest.mark.parametrize("part", ["parser", "order", "readability"])
def test_each_part_of_the_evaluation_of_discourse_tells_its_protocol(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], part: str
) -> None:
    pytest.importorskip("sklearn")
    discourse = load(monkeypatch, "discourse")
    with pytest.raises(SystemExit) as end:
        discourse.main([part, "--help"])
    assert end.value.code == 0
    assert f"benchmarks/people/discourse.py {part} DATA" in capsys.readouterr().out


def test_the_gaming_of_metrics_is_measured_over_sets(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gaming = load(monkeypatch, "gaming")
    monkeypatch.setattr(gaming, "RESAMPLES", 20)
    told = [
        "The storm hit the coast on Monday.",
        "A dog ran home in the rain.",
        "Birds sing at dawn.",
    ]
    with gzip.open(tmp_path / "summeval.jsonl.gz", "wt", encoding="utf-8") as file:
        for topic, text in enumerate(told):
            for system, marks in (("M0", 4.0), ("M1", 5.0), ("M2", 1.0)):
                row = {"topic_id": topic, "system_id": system, "is_human": False}
                row["summary"] = f"{text} It was {system.lower()} who said so to all."
                row |= {"references": [text], "source": f"{text} It was long. {told[topic - 1]}"}
                row["scores"] = dict.fromkeys(gaming.RATED["summeval"], marks)
                file.write(json.dumps(row) + "\n")
    out = tmp_path / "gaming.json"
    arguments = ["--sets", "summeval", "-m", "rouge1", "--presets", "content", "--json", str(out)]
    assert gaming.main([str(tmp_path), "--part", "all", *arguments]) == 0
    assert "shuffle" in capsys.readouterr().out
    report = json.loads(out.read_text(encoding="utf-8"))
    assert report["counts"] == {"summeval": {"summaries": 6, "topics": 3}}  # M2 was judged badly
    shares = {(row["scorer"], row["attack"]): row["share"] for row in report["shares"]}
    assert shares["rouge1", "shuffle"] == 0 and shares["content", "shuffle"] == 1
    assert report["leads"][0]["people rank above"] == 0.5  # M1 of M1 and M2
    parts = [
        {row["topic_id"] for row in gaming.read(tmp_path, "summeval", part)}
        for part in ("dev", "held-out", "all")
    ]
    assert parts[0] | parts[1] == parts[2] and not parts[0] & parts[1]
    assert len([*gaming.read(tmp_path, "summeval", "all", limit=1)]) == 3


def test_corruptions_are_made_by_rule_and_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    corruptions = load(monkeypatch, "corruptions")
    source = (
        "Mary Jones met Peter Smith in Leeds on Monday. The police said that 12 people were hurt"
        " and 40 houses had been lost. The mayor of York paid 3 million pounds for new houses."
    )
    summary = "Mary Jones met police in Leeds on Monday. The police said 12 people were badly hurt."
    found = corruptions.corrupted(summary, source, "a")
    assert corruptions.corrupted(summary, source, "a") == found
    rare = {"unit", "speaker", "negation left out", "hedge left out"}
    assert {*found} == {*corruptions.KINDS} - rare
    for wrong, fine in found.values():
        assert wrong != summary
        assert len(fine.split()) == len(summary.split()) - 1
    assert "not" in found["negation"][0].split()
    assert sorted(found["shuffle"][0].split()) == sorted(summary.split())
    assert not re.search(r"\b(12|40|3)\b", found["number"][0])
    assert any(name in found["new name"][0] for name in corruptions.INVENTED)
    assert re.search("Peter|Smith|York", found["exchanged name"][0])
    assert "Monday" not in found["date"][0]
    paid = corruptions.corrupted("The mayor paid 3 million pounds for new houses.", source, "a")
    assert re.search("billion|dollars", paid["unit"][0])
    for told, kind, left in (
        ("The mayor did not pay for houses.", "negation left out", "The mayor did pay for houses."),
        ("The mayor didn't pay for houses.", "negation left out", "The mayor did pay for houses."),
        ("The mayor may pay for houses.", "hedge left out", "The mayor pay for houses."),
    ):
        assert corruptions.corrupted(told, source, "a")[kind][0] == left
    said = corruptions.corrupted("Jones said that the houses were lost.", source, "a")
    assert re.search("^(Mary|Peter|Smith|Leeds|York|Monday) said that", said["speaker"][0])


@pytest.mark.parametrize(
    ("command", "status", "told"),
    [("likeness --data .", 2, "is no file"), ("support_speed --help", 0, "usage")],
)
def test_a_script_tells_how_it_is_used(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    status: int,
    told: str,
) -> None:
    monkeypatch.setattr("sys.argv", command.split())
    with pytest.raises(SystemExit) as caught:
        load(monkeypatch, command.split(maxsplit=1)[0]).main()
    assert caught.value.code == status
    assert told in "".join(capsys.readouterr())
