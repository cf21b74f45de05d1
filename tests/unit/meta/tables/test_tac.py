"""Folders of TAC and DUC, made here in the layouts of NIST."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from summeval.io import DataError
from summeval.table.tac import read_tac

SYSTEMS = ("1", "10", "2")
PEOPLE = ("B", "D")


def put(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def summaries(root: Path, topics: Any, words: str = "100") -> None:
    for topic in topics:
        for system in (*SYSTEMS, *PEOPLE):
            name = f"{topic}.M.{words}.A.{system}"
            kind = "models" if system.isalpha() else "peers"
            put(root, f"ROUGE/{kind}/{name}", f"{system} said {topic} .\nIt rained .\n")


def tac_2010(root: Path) -> Path:
    """GuidedSumm2010_eval with two topics and both sets, documents and submitted scores."""
    top = root / "GuidedSumm2010_eval"
    topics = ("D1001-A", "D1001-B", "D1002-A", "D1002-B")
    summaries(top, topics)
    for group in "AB":
        own = [topic for topic in topics if topic.endswith(group)]
        peer = [f"{t} {s} 0.25 4 1 9 9 0.3{s} 3 {s[0]}" for t in own for s in SYSTEMS]
        model = [f"{t} {p} 8 9 9 0.625 9 10" for t in own for p in PEOPLE]
        put(top, f"manual/manual.peer.{group}", "\n".join(peer) + "\n")
        put(top, f"manual/manual.model.{group}", "\n".join(model) + "\n")
        lines = ["---------", "1 ROUGE-2 Average_R: 0.1 (95%-conf.int. 0.1 - 0.1)"]
        for topic in own:
            for value in ("0.10000", "0.20000"):
                name = f"{topic}.M.100.A.1"
                lines.append(f"1 ROUGE-2 Eval {name} R:{value} P:0.30000 F:0.40000")
        put(top, f"ROUGE/rougejk_{group}.m.out", "\n".join(lines))
        be = [f"1 ROUGE-BE-HM Eval {topic}.M.100.A.1 R:0.5 P:0.5 F:0.5" for topic in own]
        put(top, f"BE/simple_{group}.m.hm.out", "\n".join(be))
        put(top, f"BE/peers/{own[0]}.M.100.A.1", "said|1|subj")  # no summary
        scores = "Summarizer Topic m1 m2\nsB d1 0.5 NaN\ns1 d2 0.25 7\n"
        put(root, f"AESOP2010_eval/data/aesop_allpeers_{group}", scores)
    for number in (1, 2):
        text = (
            f"<DOC><HEADLINE>no</HEADLINE>\n<TEXT><P>Rain &amp;\n wind {number}.</P>\n</TEXT></DOC>"
        )
        put(root, f"docs/D1001A/D1001A-A/APW_2004.000{number}", text)
    return root


def test_tac_2010(tmp_path: Path) -> None:
    found = read_tac(str(tac_2010(tmp_path)))
    assert len(found.rows) == 4 * 5
    assert [row["system"] for row in found.rows[:5]] == ["1", "2", "10", "B", "D"]
    assert {tuple(row) for row in found.rows} == {tuple(found.rows[0])}
    first, person = found.rows[0], found.rows[3]
    assert first == {
        "id": "D1001-A.M.100.A.1",
        "topic": "D1001-A",
        "system": "1",
        "task": "A",
        "is_human": False,
        "candidate": "1 said D1001-A .\nIt rained .\n",
        "references": [f"{name} said D1001-A .\nIt rained .\n" for name in PEOPLE],
        "source": ["Rain & wind 1.", "Rain & wind 2."],
        "modified_pyramid": 0.25,
        "modified_pyramid_jk": 0.31,
        "scus": 4,
        "repetitions": 1,
        "linguistic_quality": 3,
        "responsiveness": 1,
        "aesop.1": None,
        "aesop.2": None,
        "rouge-2-jk.fmeasure": pytest.approx(0.4),
        "rouge-2-jk.precision": pytest.approx(0.3),
        "rouge-2-jk.recall": pytest.approx(0.15),
        "rouge-be-hm.fmeasure": 0.5,
        "rouge-be-hm.precision": 0.5,
        "rouge-be-hm.recall": 0.5,
    }
    assert person["is_human"] is True
    assert person["references"] == ["D said D1001-A .\nIt rained .\n"]
    assert (person["modified_pyramid"], person["modified_pyramid_jk"]) == (None, 0.625)
    assert (person["linguistic_quality"], person["responsiveness"]) == (9, 10)
    assert (person["aesop.1"], person["aesop.2"]) == (0.5, None)
    second = next(row for row in found.rows if row["id"] == "D1002-B.M.100.A.1")
    assert (second["aesop.1"], second["aesop.2"], second["source"]) == (0.25, 7, None)
    assert found.notes == []
    assert "source" not in read_tac(str(tmp_path), sources=False).rows[0]


def test_tac_2008_has_shorter_lines(tmp_path: Path) -> None:
    summaries(tmp_path, ["D0801-A"])
    put(tmp_path, "manual/manual.peer", "D0801-A 1 0.5 3 0 9 0.6 4 2\nD0801-A 2 0.1 1 0 9 NA 1 1\n")
    put(tmp_path, "manual/manual.model", "D0801-A B 7 9 0.7 5 4\n")
    rows = {row["system"]: row for row in read_tac(str(tmp_path)).rows}
    assert (rows["1"]["modified_pyramid"], rows["1"]["modified_pyramid_jk"]) == (0.5, 0.6)
    assert (rows["1"]["linguistic_quality"], rows["1"]["responsiveness"]) == (4, 2)
    assert rows["2"]["modified_pyramid_jk"] is None
    assert (rows["B"]["modified_pyramid_jk"], rows["B"]["responsiveness"]) == (0.7, 4)
    assert rows["10"]["responsiveness"] is None


def test_duc_2005_and_2006(tmp_path: Path) -> None:
    summaries(tmp_path, ["D0601"], words="250")
    for person in PEOPLE:  # DUC 2006 repeats the models among the peers
        text = f"{person} said D0601 .\nIt rained .\n"
        put(tmp_path, f"ROUGE/peers/D0601.M.250.A.{person}", text)
    head = "NIST\nJune 2006\n\ntopic x y system score\n-----\n"
    table = f"{head}D0601 A C 1 4\nD0601 A C 1 2\nD0601 A C B 5\n"
    put(tmp_path, "responsiveness/overall.table", table)
    put(tmp_path, "responsiveness/content.table", f"{head}D0601 A C 1 3\n")
    questions = "".join(f"D0601 A C 1 {n} {n}\n" for n in range(1, 6)) + "D0601 A C B 1 NA\n"
    put(tmp_path, "linguistic_quality/linguistic_quality.table", head + questions)
    put(tmp_path, "processed_pans.txt", "601 1 0.5 0.25 6 1\n601 1 0.7 0.35 8 1\n")
    row, *_, person, _ = read_tac(str(tmp_path)).rows
    assert (row["task"], row["topic"]) == ("main", "D0601")
    assert (row["responsiveness"], row["content_responsiveness"]) == (3, 3)
    assert (row["linguistic_quality"], row["linguistic_quality_5"]) == (3, 5)
    assert (row["pyramid"], row["modified_pyramid"], row["scus"]) == pytest.approx((0.6, 0.3, 7))
    assert (person["system"], person["responsiveness"]) == ("B", 5)
    assert (person["linguistic_quality"], person["linguistic_quality_1"]) == (None, None)


def test_duc_2007_has_a_main_task_and_three_sets(tmp_path: Path) -> None:
    summaries(tmp_path / "mainEval", ["D0701"], words="250")
    summaries(tmp_path / "updateEval", ["D0703-A", "D0703-C"])
    put(tmp_path, "mainPyramidEval/scoring/2007_modified_scores.txt", "D0701 1 0.5 3 0 4 4\n")
    put(tmp_path, "updateEval/Pyramid/scoring/2007_modified_scores.txt", "D0703-C 2 0.1 3 0\n")
    put(tmp_path, "updateEval/Responsiveness/content.table", "head\nD0703A-A x y 1 2\n")
    put(tmp_path, "docs/main/D0701A/XIN_2000.0001", "plain <b>text</b>")
    rows = {row["id"]: row for row in read_tac(str(tmp_path)).rows}
    assert {row["task"] for row in rows.values()} == {"main", "A", "C"}
    assert rows["D0701.M.250.A.1"]["modified_pyramid"] == 0.5
    assert rows["D0701.M.250.A.1"]["source"] == ["plain text"]
    assert rows["D0703-C.M.100.A.2"]["modified_pyramid"] == 0.1
    assert rows["D0703-A.M.100.A.1"]["content_responsiveness"] == 2


def test_documents_of_duc_2005(tmp_path: Path) -> None:
    put(tmp_path, "peers/D301.M.250.I.1", "a cat")
    put(tmp_path, "docs/d301i/FT921-1", "<TEXT>a cat</TEXT>")
    (row,) = read_tac(str(tmp_path)).rows
    assert row["source"] == ["a cat"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a <b>c</b> d <e", "a c d <e"),
        ("<text id=1>a<p>b</TEXT >c</Text> d <TEXT>e", "a b c"),
        ("<TEXT></TEXT> a", ""),
        # Each of these takes hours where each tag is followed to the end.
        ("<" * 2_000_000, "<" * 2_000_000),
        ("<TEXT " * 400_000 + "</TEXT>", ""),
        ("<TEXT>a" * 400_000, "a " * 399_999 + "a"),
    ],
    ids=range(6),
)
def test_tags_of_documents(tmp_path: Path, text: str, read: str) -> None:
    put(tmp_path, "peers/D301.M.250.I.1", "a cat")
    put(tmp_path, "docs/d301i/FT921-1", text)
    (row,) = read_tac(str(tmp_path)).rows
    assert row["source"] == [read]


def test_what_is_missing_is_noted(tmp_path: Path) -> None:
    for name in (
        *("peers/D1-A.M.100.A.1", "peers/D1-A.M.100.A.10", "peers/D2-A.M.100.B.1"),
        *(
            "peers/README",
            "models/D1-A.M.100.A.C",
            "models/D1-A.M.100.A.B",
            "models/D3-B.M.100.A.B",
        ),
    ):
        put(tmp_path, name, name)
    found = read_tac(str(tmp_path))
    assert [(r["id"], len(r["references"])) for r in found.rows if not r["is_human"]] == [
        ("D1-A.M.100.A.1", 2),
        ("D1-A.M.100.A.10", 2),
        ("D2-A.M.100.B.1", 0),
    ]
    assert found.notes == [
        "files not named TOPIC.M.100.X.N (1): README",
        "topics without a model (1): D2-A",
        "topics without a peer (1): D3-B",
        "task A: unbalanced: 1 of 4 cells have no row; systems with missing topics (1): 10",
        "task A: topics with one system (1): D2-A",
        "no file of scores: manual.peer, responsiveness.table and the others of the page",
    ]
    put(tmp_path, "manual.model", "D1-A B 7 9 0.7 5 4\nD9-A B 7 9 0.7 5 4\n")
    told = read_tac(str(tmp_path)).notes
    assert f"lines about summaries that are not here (1): {tmp_path}/manual.model:2" in told
    assert (
        "summaries without scores (5): D1-A.M.100.A.1, D1-A.M.100.A.10, D1-A.M.100.A.C" in told[-1]
    )


def test_summaries_may_be_in_the_folder_itself(tmp_path: Path) -> None:
    (tmp_path / "D1-A.M.100.A.1").write_bytes(b"\xef\xbb\xbfa cat\r\nsat\r\n")
    put(tmp_path, "manual.peer", "D1-A 1 0.5 3 0 9 0.6 4 2\n")
    (row,) = read_tac(str(tmp_path)).rows
    assert (row["candidate"], row["modified_pyramid"]) == ("a cat\nsat\n", 0.5)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("manual.peer", "D1-A 1 0.5 3 0 9 0.6 4\n", "manual.peer:1: 8 cells, not 9 or 10"),
        ("manual.model.A", "\nD1-A B 3\n", r"manual.model.A:2: 3 cells, not 7 or 8"),
        ("manual.peer", "D1-A 1 high 3 0 9 0.6 4 2\n", "modified_pyramid is 'high', not a number"),
        ("manual.peer", "all 1 0.5 3 0 9 0.6 4 2\n", "'all' is no topic such as D0801-A"),
        ("manual.peer", "D1-A 1 0.5 3 0 9 0.6 4 inf\n", "responsiveness is 'inf', not a number"),
        ("overall.table", "head\nD1 x y 1 2\nD1 x y\n", "overall.table:3: 3 cells, not 5"),
        ("overall.table", "head\n", "overall.table: holds no scores"),
        ("overall.table", "D1 x y 1 2\nD1 x y 1 good\n", "overall.table:2: responsiveness is 'go"),
        ("processed_pans.txt", "1 1 0.5\n", "processed_pans.txt:1: 3 cells, not 6"),
        ("rouge.m.out", "1 ROUGE-1 Eval D1.1 R:1 P:1 F:1\n", "'D1.1' is not named TOPIC"),
        ("rouge.m.out", "1 R Eval D1-A.M.100.A.1 R:x P:1 F:1\n", "out:1: recall is 'x', not"),
        ("aesop_allpeers_A", "s t m\ns1 d1 0.5 0.5\n", "aesop_allpeers_A:2: 4 cells, not 3 as"),
        ("aesop_allpeers_A", "s t m\ns1 dx 0.5\n", "'dx' is no topic such as d1"),
        ("peers/D1-A.M.100.B.1", "another", "has the same topic and system, with another text"),
    ],
)
def test_bad_lines_are_refused_with_their_place(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    put(tmp_path, "peers/D1-A.M.100.A.1", "a cat")
    put(tmp_path, name, text)
    with pytest.raises(DataError, match=message) as error:
        read_tac(str(tmp_path))
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(str(tmp_path))


def test_submitted_scores_may_name_the_topic(tmp_path: Path) -> None:
    summaries(tmp_path, ["D0901-A"])
    put(tmp_path, "aesop_allpeers_A", "s t m\ns1 D0901 0.5\ns1 d7 0.5\n")
    found = read_tac(str(tmp_path))
    assert found.rows[0]["aesop.1"] == 0.5
    assert f"not here (1): {tmp_path}/aesop_allpeers_A:3" in found.notes[0]


def test_submitted_scores_need_the_topics_of_one_year(tmp_path: Path) -> None:
    summaries(tmp_path, ["D0901-A", "D1001-A"])
    put(tmp_path, "aesop_allpeers_A", "s t m\ns1 d1 0.5\n")
    with pytest.raises(DataError, match="here are 901-a and 1001-a; read the folder of each year"):
        read_tac(str(tmp_path))


def test_directories_without_summaries_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no file is named TOPIC\.M\.100\.X\.N"):
        read_tac(str(tmp_path))
    with pytest.raises(DataError, match="check the name"):
        read_tac(str(tmp_path / "none"))
    (tmp_path / "D1-A.M.100.A.1").write_bytes(b"caf\xe9")
    with pytest.raises(DataError, match="not utf-8"):
        read_tac(str(tmp_path))
    with pytest.raises(DataError, match="no encoding 'utf-9'"):
        read_tac(str(tmp_path), encoding="utf-9")
    assert read_tac(str(tmp_path), encoding="latin-1").rows[0]["candidate"] == "café"
