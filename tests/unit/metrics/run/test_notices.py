"""Warnings given once: words cut or dropped, other languages, fields without numbers, lines."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from definitions.text.tokens import cut_words, is_foreign
from every import every
from hypothesis import example, given
from hypothesis import strategies as st
from registered import NAMES

import summeval
from summeval import ScoreWarning, Simetrix
from summeval._core.columns import columns
from summeval.interop.reward import Rewards
from summeval.learn.vectors import WordVectors
from summeval.metrics.registry import INDEX, options_of
from summeval.metrics.run.notices import Notices

FOREIGN = {
    "Chinese": "苹果公司周二在库比蒂诺的总部发布了新款 iPhone 15 手机, 售价为 799 美元。",
    "Japanese": "東京で火曜日に新しい iPhone 15 が発表された。",
    "Korean": "애플이 화요일에 새 iPhone 15 를 발표했다.",
    "Arabic": "أعلنت شركة Apple يوم الثلاثاء عن هاتفها الجديد في 2023.",
    "Russian": "Компания Apple представила новый iPhone 15 во вторник.",
    "Greek": "Η εταιρεία παρουσίασε το νέο τηλέφωνο την Τρίτη.",
    "Hindi": "कंपनी ने मंगलवार को नया फोन पेश किया।",
    "Thai": "บริษัทเปิดตัวโทรศัพท์ใหม่เมื่อวันอังคาร",
    "Georgian": "კომპანიამ სამშაბათს ახალი ტელეფონი წარადგინა.",
}
ENGLISH = (
    "The company’s chief didn’t show its “new” telephone — as expected… — in Cupertino, 5 × 3."
)
LATIN = {
    "English": ENGLISH,
    "French": "L’été dernier, Éloïse a préféré rester à la maison, où elle étudiait.",
    "German": "Die Behörde prüft für möglichst viele Städte die Überschüsse.",
    "Vietnamese": "Công ty đã giới thiệu chiếc điện thoại mới vào thứ Ba tại trụ sở chính.",
    "emoji": "🙂🙂🙂🙂🙂🙂 👍👍👍",
    "marks": "… — “” • ×÷ →→→",
    "nothing": "",
    "a name": "The painter Николай Рерих was born in Saint Petersburg in 1874.",
}
CHINESE = "--language zh or " * bool(find_spec("icu"))
CHINESE_CALL = 'language="zh" or ' * bool(find_spec("icu"))
DROPS = r"the tokenizer rouge155 drops most of"
CUTS = r"the tokenizer rouge155 cuts or drops at least"


def strict_metrics() -> list[str]:
    return [
        name for name in summeval.list_metrics() if summeval.metric(name).tokenizer == "rouge155"
    ]


@given(st.text() | st.sampled_from([*FOREIGN.values(), *LATIN.values()]), st.integers(1, 60))
@example("猫 and more", 800)
@example("é", 6000)
def test_the_kernel_finds_the_texts_that_its_twin_finds(text: str, times: int) -> None:
    rows = [text, text * times, None]
    column = columns.texts(rows, "texts")
    assert column.foreign(np.arange(3)).tolist() == [is_foreign(row) for row in rows]
    counts = [column.cut_words(np.array([row])) for row in range(3)]
    assert counts == [cut_words(row)[:2] for row in rows]
    assert column.cut_words(np.arange(3)) == tuple(map(sum, zip(*counts, strict=True)))


@pytest.mark.parametrize("language", FOREIGN)
def test_languages_that_are_dropped(language: str) -> None:
    assert is_foreign(FOREIGN[language])
    assert columns.texts([FOREIGN[language] * 60], "texts").foreign(np.arange(1)).all()


@pytest.mark.parametrize("language", LATIN)
def test_languages_that_are_kept(language: str) -> None:
    assert not is_foreign(LATIN[language])
    assert not columns.texts([LATIN[language] * 60], "texts").foreign(np.arange(1)).any()


def test_a_list_of_texts_is_dropped_if_one_is() -> None:
    lists = columns.references([["a cat", FOREIGN["Thai"]], ["a cat"], []], "references")
    assert lists.foreign(np.array([0, 1, 2, 0])).tolist() == [True, False, False, True]
    for read in (lists.foreign, lists.cut_words):
        with pytest.raises(IndexError, match="row 3 of a column of 3 rows"):
            read(np.array([3]))


def test_which_metrics_have_the_strict_tokenizer() -> None:
    found = strict_metrics()
    assert {"rouge1", "rougeLsum", "tesla-s", "tesla-m", "simetrix", "bipartite"} <= set(found)
    assert {"paraeval", "pyramid-position", "qarla-rouge", "cremer"} <= set(found)
    assert not {"memog", "autosummeng", "be", "bewte", "dicomer", "readability"} & set(found)


@pytest.mark.parametrize("name", ["rouge1", "tesla-m", "bipartite", "paraeval"])
def test_a_reference_that_is_dropped_is_told_beside_a_candidate_that_is_not(name: str) -> None:
    with pytest.warns(ScoreWarning, match="the tokenizer rouge155"):
        summeval.metric(name).score("a cat", FOREIGN["Russian"])


@every("name", sorted({*strict_metrics()} - {"cremer", "queen"}))
def test_every_metric_that_drops_text_warns_of_it(name: str) -> None:
    text = FOREIGN["Russian"]
    other = {"sources": [text]} if name == "simetrix" else {"references": [text]}
    one = {"source": text} if name == "simetrix" else {"references": text}
    metric = summeval.metric(name)
    with pytest.warns(ScoreWarning, match=rf"{DROPS} the text in 1 of 1 rows \(100%\), whose"):
        metric.score_batch([text], **other)
    prepared = metric.prepare(**dict.fromkeys(one, "the cat sat"))
    calls = [
        metric.score,
        lambda text, **one: summeval.score(text, metrics=[metric], **one),
        lambda text, **one: metric.prepare(**one),
        lambda text, **one: prepared.score(text),
    ]
    german = dict.fromkeys(one, LATIN["German"])
    for call in calls:
        with pytest.warns(ScoreWarning, match=rf"{CUTS} 50% of the words, which have letters out"):
            call(text, **one)
        with pytest.warns(ScoreWarning, match=rf"{CUTS} 50% .* a-z; pass tokenizer=\"unicode\"$"):
            call(LATIN["German"], **german)
    with pytest.warns(ScoreWarning, match=DROPS):
        prepared.score_batch([text])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "simetrix: ")
        english = {key: [LATIN["English"]] for key in other}
        metric.score_batch([ENGLISH], **english)
        metric.score(ENGLISH, **dict.fromkeys(one, ENGLISH))
        prepared.score(ENGLISH)
        summeval.metric(name, tokenizer="unicode").score_batch([text], **other)
        summeval.metric(name, tokenizer="unicode").score(text, **one)
        summeval.metric(name, tokenizer=str.split).score_batch([text], **other)


def test_graphs_of_characters_drop_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert summeval.score("кошка", "кошка", ["memog"])["memog"].value == 1.0
        summeval.score_batch(["кошка"], ["кошка"], ["memog", "npower", "autosummeng"])


@pytest.mark.parametrize(
    "column",
    [list, pa.array, lambda rows: pa.chunked_array([rows[:50], rows[50:]]), tuple],
    ids=["list", "arrow", "chunks", "tuple"],
)
def test_the_share_of_rows_is_told_for_each_kind_of_column(column) -> None:
    rows = [FOREIGN["Chinese"] if row % 4 == 0 else "the cat sat" for row in range(200)]
    with pytest.warns(ScoreWarning) as told:
        summeval.score_batch(column(rows), column(["a cat"] * 200), ["rouge1", "tesla-s"])
    assert [str(warning.message) for warning in told] == [
        "the tokenizer rouge155 drops most of the text in 50 of 200 rows (25%), whose letters are "
        f'not a-z; pass {CHINESE_CALL}tokenizer="unicode"'
    ]


def test_words_that_are_cut_are_told_where_they_are_two_in_a_hundred() -> None:
    text = "the cat sat on a mat by a big dog " * 5  # 50 words
    told, kept = text.replace("cat", "Bär", 1), text.replace("cat", "Bär", 1) + "again"
    share = rf"{CUTS} 2% of the words"
    with pytest.warns(ScoreWarning, match=share):
        summeval.score_batch([told] * 99, [told] * 99, ["rouge2"])
    with pytest.warns(ScoreWarning, match=share):
        summeval.score(told, told, ["rouge2"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        summeval.score_batch([kept] * 99, [kept] * 99, ["rouge2"])
        summeval.score(kept, kept, ["rouge2"])
        summeval.score(told, told, ["rouge2"], tokenizer="unicode")


PARSED = [name for name in NAMES if "parser" in options_of(name)]
MADE_FOR_ENGLISH = [n for one in INDEX if one.languages for n in one.names if n not in PARSED]
OTHERS = {
    **FOREIGN,
    "French": "Le gouvernement a annoncé une baisse des impôts pour les entreprises.",
    "German": "Der Minister sagte, er werde nicht zurücktreten und mit der Partei sprechen.",
    "Vietnamese": "Thủ tướng đã họp với các bộ trưởng",
    "Turkish": "İSTANBUL'da şiddetli fırtına kıyıyı vurdu",
    "Spanish": "El presidente dijo que no va a dimitir por el momento.",
    "Italian": "Il governo ha approvato la legge di bilancio nella notte.",
    "Dutch": "De politie heeft maandag twee verdachten aangehouden in het centrum van de stad.",
    "Indonesian": "Presiden akan bertemu dengan para menteri di Jakarta",
}


def told_of(text: str, metric: str | summeval.Metric) -> list[str]:
    """What is said of a text in a single call, a batch, and where it is prepared."""
    calls = (
        lambda: summeval.score(text, text, [metric], source=text),
        lambda: summeval.score_batch([text] * 20, [text] * 20, [metric], sources=[text] * 20),
        lambda: summeval.suite([metric]).prepare(text, source=text).score_batch([text]),
    )
    said = []
    for call in calls:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            call()
        said.append(str(told[0].message) if told else "")
    return said


@pytest.mark.parametrize("name", MADE_FOR_ENGLISH)
def test_metrics_made_for_English_warn_of_other_languages(name: str) -> None:
    for language, text in OTHERS.items():
        for said in told_of(text, name):
            assert said.startswith(f"{name} is made for English, and these texts seem not"), (
                language
            )
    with pytest.warns(ScoreWarning, match=f"{name} is made for English"):
        summeval.metric(name).score(OTHERS["German"], OTHERS["German"], source=OTHERS["German"])


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        "Beyoncé, Penélope Cruz and Zoë Saldaña at Cannes",
        "Łukasz Piszczek leaves Borussia Dortmund, joins Goczałkowice-Zdrój",
        "São Paulo café owner fined",
        "Oscar de la Hoya v Juan Manuel Márquez: los rivales",
        "The painter Николай Рерих was born in Saint Petersburg in 1874.",
        "Storm hits coast",
        "Dr. van der Berg, El Niño, Rio de Janeiro, Das Boot",
        "1984, 2001 – 🙂",
        "",
    ],
)
def test_names_and_headlines_are_English(text: str) -> None:
    assert [told_of(text, name) for name in MADE_FOR_ENGLISH] == [[""] * 3] * len(MADE_FOR_ENGLISH)


def test_which_metrics_are_made_for_English() -> None:
    found = {name for name in NAMES if summeval.metric(name).languages}
    assert found == {*MADE_FOR_ENGLISH, *PARSED}
    assert {"tesla-e", "support", "readability", "be", "bewte", "dicomer", "cremer"} <= found
    assert not {"rouge1", "tesla-s", "simetrix", "bleu", "chrf"} & found
    own = summeval.TeslaE(vectors=WordVectors(["haus"], np.ones((1, 2))))
    assert own.languages == ()


def test_one_row_in_ten_is_enough_and_the_command_says_it_once(tmp_path: Path) -> None:
    rows = [
        {"candidate": text, "references": text, "source": text}
        for text in [ENGLISH] * 8 + [OTHERS["German"]] * 2
    ]
    _, said = run("-m", "preset:faithful", rows=rows * 300, folder=tmp_path)
    assert [line.partition(", and these")[0] for line in said if "English" in line] == [
        "summeval: support is made for English"
    ]
    rows = [rows[0]] * 19 + [rows[-1]]
    assert run("-m", "support", rows=rows, folder=tmp_path)[1] == []


def test_a_few_rows_among_many_are_found_by_their_zeros() -> None:
    rows = ["the cat sat on a mat"] * 20_000
    rows[7777] = FOREIGN["Thai"]
    with pytest.warns(ScoreWarning, match=r"1 of 20,000 rows \(less than 1%\)"):
        summeval.score_batch(rows, rows, ["rouge1"])


@pytest.mark.parametrize("period", [2, 3, 4, 7, 16, 32, 64])
def test_rows_that_alternate_are_found(period: int) -> None:
    rows = ["the cat sat on a mat"] * 4096
    rows[1::period] = [FOREIGN["Chinese"]] * len(rows[1::period])  # whose digits match
    with pytest.warns(ScoreWarning, match=rf"{len(rows[1::period]):,} of 4,096 rows"):
        summeval.score_batch(rows, rows, ["rouge1"])


def test_a_dropped_row_is_found_among_many_that_score_nothing() -> None:
    rows = ["a cat"] * 3000 + [FOREIGN["Thai"]] * 30
    with pytest.warns(ScoreWarning, match=r"30 of 3,030 rows \(less than 1%\)"):
        summeval.score_batch(rows, ["the dog"] * 3030, ["rouge1"])


def test_references_alone_are_looked_at_and_missing_candidates_are_not() -> None:
    with pytest.warns(ScoreWarning, match=r"1 of 3 rows \(33%\)"):
        summeval.score_batch(["a cat", "a cat", None], [["a", "кошка"], "a", "кошка"], ["rouge1"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        summeval.score_batch([None], ["кошка"], ["rouge1"])


def test_a_warning_is_of_the_line_that_called_and_can_be_silenced() -> None:
    calls = [
        lambda: summeval.score("кошка", "кошка", ["rouge1"]),
        lambda: summeval.score("кошка", "кошка", ["bipartite"]),
        lambda: summeval.metric("rouge1").score("кошка", "кошка"),
        lambda: summeval.score_batch(["кошка"], ["кошка"]),
        lambda: summeval.metric("rouge1").score_batch(["кошка"], ["кошка"]),
        lambda: Rewards("rouge1")(["кошка"], ["кошка"]),
    ]
    for call in calls:
        with pytest.warns(ScoreWarning) as told:
            call()
        assert {warning.filename for warning in told} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ScoreWarning)
        for call in calls:
            call()


def test_a_loop_of_single_calls_warns_once() -> None:
    program = """
import summeval
for text in ["кошка", "собака", "мышь"]:
    summeval.score(text, text, ["rouge1", "tesla-s"])
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stderr.count("ScoreWarning") == 1


def test_simetrix_says_once_which_fields_lack_a_background() -> None:
    message = r"simetrix: percentTopicTokens, fractionTopicWords, topicWordOverlap are NaN; pass ba"
    with pytest.warns(ScoreWarning, match=message) as told:
        bare = [summeval.metric("simetrix", background=None)]
        table = summeval.score_batch(["a cat"] * 2, sources=["a dog"] * 2, metrics=bare)
    assert len(told) == 1
    missing = {name for name, column in table.items() if np.isnan(column).all()}
    named = str(told[0].message).removeprefix("simetrix: ").partition(" are ")[0].split(", ")
    assert missing == {f"simetrix.{field}" for field in named}
    metric = summeval.metric("simetrix", label="mine", background=None)
    with pytest.warns(ScoreWarning, match="mine: percentTopicTokens"):
        metric.score("a cat", source="a dog")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metric.score("a cat", source="a dog")
        for filled in ("simetrix", Simetrix(background={"cat": 1, "dog": 5})):
            summeval.score_batch(["a cat"], sources=["a dog"], metrics=[filled])
            summeval.score("a cat", source="a dog", metrics=[filled])


def run(*arguments: str, rows: list[dict], folder: Path) -> tuple[list[dict], list[str]]:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "summeval", "score", path, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return list(map(json.loads, ran.stdout.splitlines())), ran.stderr.splitlines()


ROWS = [
    {"id": row, "candidate": text, "references": [text], "source": text}
    for row, text in enumerate([FOREIGN["Chinese"], FOREIGN["Russian"], "the cat", "a dog"] * 800)
]


def test_the_command_prints_a_line_of_each_kind_for_a_run(tmp_path: Path) -> None:
    none = ["--option", "simetrix.background=none"]
    _, said = run("-m", "rouge1,rougeLsum,simetrix", *none, rows=ROWS, folder=tmp_path)
    assert said == [
        "summeval: the tokenizer rouge155 drops most of the text in 1,600 of 3,200 rows (50%), "
        f"whose letters are not a-z; score with {CHINESE}--tokenizer unicode",
        "summeval: simetrix: percentTopicTokens, fractionTopicWords, topicWordOverlap are NaN; add "
        "--option simetrix.background=FILE and --option simetrix.idf=FILE (summeval background "
        "makes the files)",
        "summeval: no text has a newline, so rougeLsum takes each for one sentence and equals "
        "rougeL; put sentences on lines, or add --option rouge.sentences=rules",
    ]


def test_what_the_lines_say_to_do_is_done(tmp_path: Path) -> None:
    arguments = ("-m", "rouge1,rougeLsum,tesla-s,memog", "--tokenizer", "unicode")
    scored, said = run(
        *arguments, "--option", "rougeLsum.sentences=rules", rows=ROWS[:4], folder=tmp_path
    )
    assert said == []
    assert [row["rouge1.recall"] for row in scored] == [1.0] * 4
    shared = ("--stemmer", "porter", "--sentences", "rules", "--case", "lower")
    rows = [{"candidate": "CATS SAT. A DOG RAN.", "references": ["cat sat. a dog runs."]}]
    (row,), said = run("-m", "rougeLsum,npower", *shared, rows=rows, folder=tmp_path)
    assert (row["rougeLsum.recall"], said) == (0.8, [])
    words = tmp_path / "words.txt"
    words.write_text("cats\nsat\n")
    for value, recall in (("true", 1 / 3), (f"@{words}", 0.5), ("false", 0.6)):
        (row,), _ = run("-m", "rouge1", "--stopwords", value, rows=rows, folder=tmp_path)
        assert row["rouge1.recall"] == recall, value
    lines = [{"candidate": "a cat.\nIt sat.", "references": "a cat sat"}]
    assert run("-m", "rougeLsum", rows=lines, folder=tmp_path)[1] == []
    assert run("-m", "rougeL", rows=ROWS[2:4], folder=tmp_path)[1] == []
    means = ("--means", "-o", "-")
    signature = run(
        "-m", "rouge1", "--tokenizer", "unicode", *means, rows=ROWS[:1], folder=tmp_path
    )
    assert any("tokenizer:unicode" in line for line in signature[1])


def test_texts_without_newline_give_what_rougeL_gives() -> None:
    texts = ["the cat sat. it slept.", "a dog and a cat"]
    table = summeval.score_batch(texts, texts[::-1], ["rougeL", "rougeLsum"])
    assert table["rougeL"].tolist() == table["rougeLsum"].tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "memog", "--tokenizer", "unicode"), "--tokenizer: none of the metrics has it; om"),
        (("-m", "rouge1", "--case", "lower"), "--case: none of the metrics has it; omit it"),
        (("-m", "rouge1", "--stopwords", "the"), "--stopwords is 'the'; write @FILE, a file with"),
        (("--tokenizer", "unicod"), "tokenizer is 'unicod'; choose from 'rouge155', 'unicode'"),
    ],
)
def test_a_tokenizer_that_cannot_be_is_refused(arguments, message, tmp_path, capsys) -> None:
    from summeval.cli.main import main

    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROWS[2]) + "\n")
    assert main(["score", str(path), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_other_commands_print_warnings_as_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    texts = {"candidate": "кошка спит", "references": ["кошка", "собака", "кошка спит"]}
    rows = [{"system": system, "topic": "cats", **texts} for system in ("one", "other")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = subprocess.run(
        [sys.executable, "-m", "summeval", "qarla", str(path), "-m", "rouge1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr.splitlines() == [
        "summeval: warning: the tokenizer rouge155 drops most of the text in 25 of 25 rows (100%), "
        "whose letters are not a-z; add --option METRIC.tokenizer=unicode"
    ]


def test_the_options_that_a_notice_names_are_those_that_the_command_takes(tmp_path: Path) -> None:
    metric = summeval.metric("simetrix", label="mine", background=None)
    (line,) = (line for line in _lines_of([metric]) if "NaN" in line)
    assert line.startswith("mine: ")
    assert "--option simetrix.background=FILE and --option simetrix.idf=FILE" in line


def _lines_of(metrics: list[summeval.Metric]) -> list[str]:
    notices = Notices(metrics, command=True)
    notices.add(columns.texts(["a"], "candidates"), [], {})
    return notices.lines()
