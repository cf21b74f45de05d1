"""The smaller parts of the command: options, list, progress bar."""

import io

import pytest
from every import every

import summeval
from summeval import _progress as progress
from summeval.cli import demo
from summeval.cli.main import main
from summeval.cli.metrics import listing
from summeval.cli.shared import choice
from summeval.metrics import registry
from summeval.metrics.registry import options_of


@every(
    ("option", "text", "value"),
    [
        ("max_words", "3", 3),
        ("max_words", "-3", -3),
        ("weight", "1.2", 1.2),
        ("weight", "3", 3.0),
        ("weight", "1e-3", 0.001),
        ("weight", ".5", 0.5),
        ("jackknife", "TRUE", True),
        ("stopwords", "false", False),
        ("stemmer", "None", None),
        ("stemmer", "porter", "porter"),
        ("stemmer", "", ""),
        ("label", "3", "3"),
        ("weight", "nan", "nan"),
        ("max_words", "1_000", "1_000"),
        ("max_words", "٣", "٣"),
    ],
)
def test_values_of_options_are_read_as_they_are_declared(option, text, value):
    found = choice.value("rouge", options_of("rouge1")[option], text)
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
    printed = capsys.readouterr().out
    lines = printed.partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == summeval.list_metrics()
    assert max(map(len, printed.splitlines())) <= 80
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


@pytest.mark.parametrize("name", ["combination", "lite-pyramid"])
def test_a_metric_that_needs_an_option_is_explained_by_its_class(name, capsys):
    assert main(["metrics", name]) == 0
    printed = capsys.readouterr().out
    kind = registry.class_of(name)
    assert printed.startswith(f"{name}: {(kind.__doc__ or '').splitlines()[0].rstrip('.')}\n")
    assert f"columns  {name}.{kind.fields[0]}" in printed
    assert all(f"{name}.{option}" in printed for option in options_of(name))


def test_only_metrics_are_explained(capsys):
    assert main(["metrics", "rogue1"]) == 2
    message = "unknown metric 'rogue1'; did you mean rouge1 or rouge2 or rouge3?"
    assert capsys.readouterr().err == f"summeval: {message} (see summeval metrics --help)\n"


def test_a_wrong_command_line_is_sent_to_the_help_of_its_command(capsys):
    for arguments, command in (
        (["compare", "rows.jsonl"], "summeval compare"),
        (["bench", "solvers", "--rounds", "x"], "summeval bench solvers"),
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


def test_version_and_help_are_printed(capsys):
    for arguments, text in {
        ("--version",): f"summeval {summeval.__version__}",
        ("score", "--help"): "--on-error",
        ("demo", "--help"): "go on with your\nown file",
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
