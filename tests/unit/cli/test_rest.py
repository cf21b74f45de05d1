"""The smaller parts of the command: options, list, demo, progress bar."""

import io
import json
import re
from importlib.resources import files

import pytest

import summeval
from summeval import _progress as progress
from summeval.cli import demo, listing
from summeval.cli.main import main
from summeval.cli.shared import choice
from summeval.metrics.registry import options_of

DEMO = files("summeval.cli") / "data" / "demo.jsonl"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("1.2", 1.2),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("TRUE", True),
        ("false", False),
        ("None", None),
        ("porter", "porter"),
        ("", ""),
        ("nan", "nan"),
        ("1_000", "1_000"),
        ("٣", "٣"),
    ],
)
def test_values_of_options_are_read(text, value):
    found = choice.value(text)
    assert found == value and type(found) is type(value)


def test_the_full_name_counts_more_than_the_family():
    options = ["rougeL.alpha=0.25", "rouge.alpha=0.75", "rouge.stemmer=porter"]
    suite = choice.choose(["rouge1, rougeL", "rouge1"], options)
    given = {"rouge1": 0.75, "rougeL": 0.25}
    assert suite.signature == {
        name: summeval.metric(name, alpha=alpha, stemmer="porter").signature
        for name, alpha in given.items()
    }


def test_the_name_of_a_metric_may_hold_a_dot():
    suite = choice.choose(["rougeW-1.5"], ["rougeW-1.5.stemmer=porter", "rouge.alpha=0.5"])
    expected = summeval.metric("rougeW-1.5", stemmer="porter", alpha=0.5).signature
    assert list(suite.signature.values()) == [expected]


@pytest.mark.parametrize(
    ("name", "option"), [("rouge1", "rouge.stopwords"), ("tesla-s", "tesla-s.function_words")]
)
def test_a_list_of_words_is_read_from_a_file(tmp_path, name, option):
    path = tmp_path / "words"
    path.write_bytes("\ufeffthe\r\n\n  of \nété\n".encode())
    suite = choice.choose([name], [f"{option}=@{path}"])
    key = option.partition(".")[2]
    expected = summeval.metric(name, **{key: ["the", "of", "été"]}).signature
    assert suite.signature == {name: expected}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "no such file or directory; check the name"),
        (b"\n \n", "holds no words; write one word on each line"),
        (b"a\n\xff", "not UTF-8 at byte 2; convert it to UTF-8"),
    ],
)
def test_a_file_of_words_that_cannot_be_used_is_named(tmp_path, data, message, capsys):
    path = tmp_path / "words"
    if data is not None:
        path.write_bytes(data)
    assert main(["score", "rows.jsonl", "--option", f"rouge.stopwords=@{path}"]) == 1
    assert capsys.readouterr().err == f"summeval: {path}: {message}\n"


def test_no_metric_at_all_is_bad_usage():
    with pytest.raises(ValueError, match="no metric is named"):
        choice.choose([","], [])


def test_every_metric_is_listed_with_a_description(capsys):
    assert main(["metrics"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == summeval.list_metrics()
    descriptions = [line.split("  ", 1)[1].strip() for line in lines]
    assert all(descriptions) and len(set(descriptions)) == len(lines)
    assert max(map(len, lines)) <= 80


def test_the_list_names_the_columns_on_request(capsys):
    main(["metrics", "--fields"])
    printed = capsys.readouterr().out
    assert "rouge1.precision, rouge1.recall, rouge1.fmeasure" in printed


def test_a_metric_without_words_of_its_own_is_described_by_its_class():
    assert listing.describe("rougeW-1.5") == "One ROUGE measure"


@pytest.mark.parametrize("name", summeval.list_metrics())
def test_a_metric_is_explained_with_its_columns_and_options(name, capsys):
    assert main(["metrics", name]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == f"{name}: {listing.describe(name)}"
    printed = " ".join(" ".join(lines).split())
    metric = summeval.metric(name)
    assert f"columns {name}.{metric.fields[0]}" in printed
    for option in options_of(name):
        assert f"{name}.{option}" in printed
    assert (type(metric).__doc__ or "").splitlines()[0] in lines
    assert "Examples" not in lines and max(map(len, lines)) <= 100


def test_only_metrics_are_explained(capsys):
    assert main(["metrics", "rogue1"]) == 2
    message = "unknown metric 'rogue1'; did you mean rouge1 or rouge2 or rouge3?"
    assert capsys.readouterr().err == f"summeval: {message} (see summeval metrics --help)\n"


def test_a_wrong_command_line_is_sent_to_the_help_of_its_command(capsys):
    for arguments, command in (
        (["compare", "rows.jsonl"], "summeval compare"),
        (["bench", "solvers", "--rounds", "x"], "summeval bench"),
        (["nothing"], "summeval"),
        ([], "summeval"),
    ):
        assert main(arguments) == 2
        assert capsys.readouterr().err.endswith(f"(see {command} --help)\n")


def test_an_extra_that_is_not_there_is_bad_usage(monkeypatch, capsys):
    def absent(*_):
        raise ImportError("spaCy is not installed; pip install 'summeval[nlp]'")

    monkeypatch.setattr(demo, "report", absent)
    assert main(["demo"]) == 2
    expected = "summeval: spaCy is not installed; pip install 'summeval[nlp]'\n"
    assert capsys.readouterr().err == expected
    monkeypatch.setattr(demo, "report", lambda *_: 1 / 0)
    assert main(["demo"]) == 1


def test_a_metric_whose_extra_is_not_there_is_named(monkeypatch, capsys):
    def absent(_):
        raise ImportError("tea is not installed; pip install tea")

    monkeypatch.setattr(summeval.BEwTE, "signature", property(absent))
    assert main(["score", "rows.jsonl", "-m", "rouge1,bewte"]) == 2
    expected = "summeval: bewte: tea is not installed; pip install tea (see summeval score --help)"
    assert capsys.readouterr().err == f"{expected}\n"


def test_the_demo_says_once_what_the_metrics_left_out_lack(monkeypatch):
    def score(metric, *texts, **source):
        if metric.name != "rouge1":
            raise ImportError("tea is not installed; pip install tea")

    monkeypatch.setattr(summeval.Metric, "score", score)
    usable, lacking = demo._usable(["be", "rouge1", "bewte"])
    assert [metric.name for metric in usable] == ["rouge1"]
    assert lacking == ["left out  be, bewte", "          tea is not installed; pip install tea"]


def test_the_demo_prints_each_metric_by_system_in_80_columns(capsys):
    assert main(["demo"]) == 0
    lines = capsys.readouterr().out.splitlines()
    table = {line.split()[0]: line.split()[1:] for line in lines if re.search(r" -?\d\.\d\d", line)}
    assert list(table) == ["people", *summeval.list_metrics()]
    assert all(len(line) <= 80 or "/" in line for line in lines)
    lead = [row for row in rows() if row["system"] == "lead"]
    scores = summeval.score_batch(
        [row["candidate"] for row in lead], [row["references"] for row in lead]
    )
    assert table["rougeL"][1] == f"{scores.mean()['rougeL.fmeasure']:.4f}"
    assert any(line.strip() == str(DEMO) for line in lines)
    assert [line.split()[0] for line in lines if "lower is better" in line] == ["simetrix"]


def test_the_demo_is_the_same_for_any_workers():
    assert demo.report(DEMO, workers=3) == demo.report(DEMO, workers=1)


@pytest.mark.parametrize("workers", ["0", "-2", "1025", "9" * 30])
def test_the_demo_takes_as_many_workers_as_score_does(workers, capsys):
    assert main(["demo", "--workers", workers]) == 2
    assert "--workers takes a number from 1 to 1024" in capsys.readouterr().err


def rows() -> list[dict]:
    return [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]


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
    scores = summeval.score_batch(
        [row["candidate"] for row in rows()], [row["references"] for row in rows()], [metric]
    )[metric]
    means = {}
    for row, score in zip(rows(), scores, strict=True):
        means[row["system"]] = means.get(row["system"], 0) + score
    assert sorted(means, key=means.get) == ["repeat", "partial", "lead", "abstract"]


def test_version_and_help_are_printed(capsys):
    for arguments, text in {
        ("--version",): f"summeval {summeval.__version__}",
        ("score", "--help"): "--on-error",
        ("demo", "--help"): "every metric",
    }.items():
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
        assert text in capsys.readouterr().out


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch):
    """Time that passes only when the test says so."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    return now


def test_the_bar_shows_after_a_second_and_is_erased(clock):
    stream = Terminal()
    shown = progress.Progress(1000, stream=stream)
    clock[0] += 0.9
    shown.update(100, 50)
    assert stream.getvalue() == ""
    clock[0] += 0.2
    shown.update(500, 50)
    line = stream.getvalue()
    assert line.startswith("\r 50% [##########..........] 100 rows")
    shown.update(510, 50)
    assert stream.getvalue() == line  # not more often than ten times a second
    shown.finish()
    erased = stream.getvalue()[len(line) :]
    assert erased == "\r" + " " * (len(line) - 1) + "\r"
    assert "\x1b" not in stream.getvalue()


def test_work_that_ends_within_a_second_shows_nothing(clock):
    stream = Terminal()
    shown = progress.Progress(10, stream=stream)
    shown.update(10, 1)
    shown.finish()
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("stream", "wanted", "terminal"),
    [(io.StringIO(), True, "xterm"), (Terminal(), False, "xterm"), (Terminal(), True, "dumb")],
)
def test_nobody_who_does_not_want_a_bar_gets_one(clock, monkeypatch, stream, wanted, terminal):
    monkeypatch.setenv("TERM", terminal)
    shown = progress.Progress(1000, wanted, stream)
    clock[0] += 5
    shown.update(500, 50)
    shown.finish()
    assert stream.getvalue() == ""
