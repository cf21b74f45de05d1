"""The command rouge155: its whole output, its arguments, and its errors."""

import contextlib
import errno
from pathlib import Path

import pytest
from every import every

from summeval.cli.rouge155 import command as rouge155
from summeval.cli.rouge155.command import Options, UsageError, split_arguments


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with texts of two systems and their settings, entered."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "one.peer": "the cat sat\n",
        "two.peer": "a dog\nran off\n",
        "one.b": "The cat sat down.\n",
        "two.a": "a dog ran\n",
        "two.b": "the dog ran off\n",
        "empty": "",
        "stops": "the and of\n",
        "list": "one.peer cat\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings(
        section("9", {"B2": "one.peer", "A": "one.b"}, ["one.b"]),
        section("10", {"B2": "two.peer"}, ["two.a", "two.b"]),
    )
    return tmp_path


def section(
    name: str, peers: dict[str, str], models: list[str], kind: str = "SPL", root: str = "."
) -> str:
    listed = "".join(f'<P ID="{peer}">{file}</P>\n' for peer, file in peers.items())
    references = "".join(f'<M ID="{n}"> {file}\n</M>' for n, file in enumerate(models))
    return (
        f'<EVAL ID="{name}"><PEER-ROOT>{root}</PEER-ROOT><MODEL-ROOT>\n{root}\n</MODEL-ROOT>'
        f'<INPUT-FORMAT TYPE="{kind}"></INPUT-FORMAT>'
        f"<PEERS>{listed}</PEERS><MODELS>{references}</MODELS></EVAL>\n"
    )


def settings(*sections: str) -> None:
    text = "".join(sections)
    Path("s.xml").write_text(f'<ROUGE-EVAL version="1.5.5">{text}</ROUGE-EVAL>', encoding="utf-8")


@pytest.fixture
def run(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]):
    """Run a command line: exit status, output, errors."""

    def call(line: str) -> tuple[int, str, str]:
        status = rouge155.main(line.split())
        captured = capsysbinary.readouterr()
        return status, captured.out.decode(), captured.err.decode()

    return call


# Output


def test_the_whole_output_of_a_run(run) -> None:
    # Recall and precision by hand. Evaluation 9: of "the cat sat" 3 of 3 words and 2 of 2 pairs
    # are in the model of 4 words. Evaluation 10, summed over two models of 3 and 4 words: 3 + 3
    # hits in unigrams (3 in each); pairs "a dog", "dog ran" and "dog ran", "ran off". With one
    # sample the average is the drawn mean: drand48 seeded with 0 draws 0.17 and 0.75, which take
    # 10.B2 and 9.B2; the bounds of one sample are 1.025 times the mean.
    assert run("-n 2 -x -d -r 1 s.xml B2") == (
        0,
        "---------------------------------------------\n"
        "B2 ROUGE-1 Average_R: 0.80357 (95%-conf.int. 0.82366 - 0.82366)\n"
        "B2 ROUGE-1 Average_P: 0.87500 (95%-conf.int. 0.89687 - 0.89687)\n"
        "B2 ROUGE-1 Average_F: 0.82857 (95%-conf.int. 0.84928 - 0.84928)\n"
        ".............................................\n"
        "B2 ROUGE-1 Eval 9.B2 R:0.75000 P:1.00000 F:0.85714\n"
        "B2 ROUGE-1 Eval 10.B2 R:0.85714 P:0.75000 F:0.80000\n"
        "---------------------------------------------\n"
        "B2 ROUGE-2 Average_R: 0.73334 (95%-conf.int. 0.75167 - 0.75167)\n"
        "B2 ROUGE-2 Average_P: 0.83333 (95%-conf.int. 0.85417 - 0.85417)\n"
        "B2 ROUGE-2 Average_F: 0.76364 (95%-conf.int. 0.78273 - 0.78273)\n"
        ".............................................\n"
        "B2 ROUGE-2 Eval 9.B2 R:0.66667 P:1.00000 F:0.80000\n"
        "B2 ROUGE-2 Eval 10.B2 R:0.80000 P:0.66667 F:0.72727\n",
        "",
    )


def test_all_systems_come_sorted_each_with_all_its_measures(run) -> None:
    status, output, errors = run("-a -n 1 s.xml")
    lines = [line.split()[:2] for line in output.splitlines() if "Average_R" in line]
    assert lines == [["A", "ROUGE-1"], ["A", "ROUGE-L"], ["B2", "ROUGE-1"], ["B2", "ROUGE-L"]]
    assert (status, errors.count("\n")) == (0, 1)
    assert errors.startswith("rouge155: warning: EVAL 10: peer A is not listed")


def test_measures_come_in_the_order_of_the_script(run) -> None:
    _, output, _ = run("-2 4 -w 1.20 -n 2 -U -t 2 s.xml B2")
    labels = [line.split()[1] for line in output.splitlines() if "count" in line]
    names = ["1", "2", "L", "W-1.20", "S4", "SU4"]
    assert labels == [f"ROUGE-{name}" for name in names]


@pytest.mark.parametrize(
    ("letters", "names"),
    [("-2 4", ["S4"]), ("-2 4 -u", ["SU4"]), ("-2 -1 -U", ["S*", "SU*"]), ("-u", [])],
)
def test_skip_bigrams_are_printed_as_asked_for(run, letters: str, names: list[str]) -> None:
    _, output, _ = run(f"-x {letters} -t 2 s.xml B2")
    labels = [line.split()[1] for line in output.splitlines() if "count" in line]
    assert labels == [f"ROUGE-{name}" for name in names]


def test_sums_are_printed_as_whole_numbers(run) -> None:
    assert run("-n 1 -x -t 2 -d s.xml B2")[1] == (
        "---------------------------------------------\n"
        "B2 ROUGE-1 M_count: 11 P_count: 11 H_count: 9\n"
        ".............................................\n"
        "B2 ROUGE-1 Eval 9.B2 R:4 P:3 F:3\n"
        "B2 ROUGE-1 Eval 10.B2 R:7 P:8 F:6\n"
    )


def test_a_list_numbers_its_evaluations_and_names_its_system(run, folder: Path) -> None:
    lines = "# peers and models\none.peer one.b\n\ntwo.peer two.a two.b\n"
    (folder / "list").write_text(lines, encoding="utf-8")
    _, output, _ = run("-z spl -a -n 1 -x -t 2 -d list")
    assert "X ROUGE-1 Eval 1.X R:4 P:3 F:3\nX ROUGE-1 Eval 2.X R:7 P:8 F:6\n" in output
    assert "mine ROUGE-1 M_count" in run("-z SPL -n 1 -x -t 2 list mine")[1]


def test_n_may_be_longer_than_any_text(run) -> None:
    status, output, _ = run("-n 12 -x -t 2 s.xml B2")
    assert status == 0
    assert output.endswith("B2 ROUGE-12 M_count: 0 P_count: 0 H_count: 0\n")


def test_a_model_without_words_scores_zero_in_w_and_warns(run) -> None:
    settings(section("1", {"A": "one.peer"}, ["stops"]))
    status, output, errors = run("-s -x -w 1.2 s.xml A")
    assert status == 0
    assert "A ROUGE-W-1.2 Average_R: 0.00000 (95%-conf.int. 0.00000 - 0.00000)\n" in output
    assert errors.startswith("rouge155: warning: EVAL 1: model ./stops has no words")


def test_empty_files_score_zero(run) -> None:
    settings(section("1", {"A": "empty"}, ["one.b"]), section("2", {"A": "one.peer"}, ["empty"]))
    status, output, errors = run("-n 2 -2 4 -U s.xml A")
    averages = [line.split()[3] for line in output.splitlines() if "Average" in line]
    assert (status, set(averages), errors) == (0, {"0.00000"}, "")


def test_a_peer_without_a_file_is_left_out_with_a_warning(run) -> None:
    settings(section("1", {"A": "one.peer"}, ["one.b"]), section("2", {"A": "gone"}, ["one.b"]))
    status, output, errors = run("-n 1 -x -t 2 s.xml A")
    assert (status, errors.count("\n")) == (0, 1)
    assert "A ROUGE-1 M_count: 4 P_count: 3 H_count: 3\n" in output
    assert "warning: EVAL 2: no peer file ./gone" in errors


def test_names_beyond_ascii_are_printed_in_utf8(run, folder: Path) -> None:
    (folder / "één").write_text("the cat", encoding="utf-8")
    settings(section("1", {"Système": "één"}, ["one.b"]))
    assert "Système ROUGE-L Average_R: 0.50000" in run("s.xml Système")[1]


# Basic elements


def test_basic_elements_switch_l_off(run, folder: Path) -> None:
    (folder / "be").write_text("plan|new|mod\nPlan|NIL|NIL\n", encoding="utf-8")
    settings(section("1", {"A": "be"}, ["be"], kind="SIMPLE"))
    assert run("-3 HM -t 2 s.xml A")[1] == (
        "---------------------------------------------\n"
        "A ROUGE-BE-HM M_count: 1 P_count: 1 H_count: 1\n"
    )


@pytest.mark.parametrize("line", ["a|b", "a|b|", "a|b|c|d", "", "a|b||d"])
def test_a_line_that_is_no_basic_element_is_named(run, folder: Path, line: str) -> None:
    (folder / "be").write_text(f"plan|new|mod\n{line}\n", encoding="utf-8")
    settings(section("1", {"A": "be"}, ["be"], kind="SIMPLE"))
    assert run("-3 HM s.xml A") == (
        255,
        "",
        "rouge155: ./be: line 2: not HEAD|MODIFIER|RELATION\n",
    )


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [("-n 1", "SIMPLE"), ("-3 H", "SPL"), ("-3 H -n 1", "SIMPLE"), ("-3 H -n 1", "SPL")],
)
def test_a_format_that_the_measures_cannot_read_ends_the_run(
    run, arguments: str, kind: str
) -> None:
    settings(section("1", {"A": "one.peer"}, ["one.b"], kind=kind))
    status, output, errors = run(f"{arguments} s.xml A")
    assert (status, output, errors.count("\n")) == (255, "", 1)
    assert "Unknown input format" in errors


# Arguments


def test_letters_share_a_dash_and_values_may_begin_with_one() -> None:
    assert split_arguments(["-ams", "-n4", "-2", "-1", "-Ur", "9", "f.xml", "-d"]) == (
        {"a": "", "m": "", "s": "", "n": "4", "2": "-1", "U": "", "r": "9"},
        ["f.xml", "-d"],
    )


def test_a_double_dash_ends_the_options() -> None:
    assert split_arguments(["-a", "--", "-n"]) == ({"a": ""}, ["-n"])


@pytest.mark.parametrize("letter", ["", "b", "AB", "A"])
def test_only_b_takes_the_best_model(letter: str) -> None:
    assert not Options({"a": "", "f": letter}, ["s.xml"]).takes_best
    assert Options({"a": "", "f": "B"}, ["s.xml"]).takes_best


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no settings file"),
        ("-n", "-n needs a value"),
        ("-n 4", "no settings file"),
        ("s.xml", "no system"),
        ("-Q s.xml A", "unknown option -Q"),
        ("-n four s.xml A", "-n must be a whole number from 0 to 100, not 'four'"),
        ("-n 1.5 s.xml A", "-n must be a whole number from 0 to 100, not '1.5'"),
        ("-l -3 s.xml A", "-l must be a whole number from 0 to 2147483647, not '-3'"),
        ("-l 3 -b 3 s.xml A", "-l and -b cannot be combined"),
        ("-w 0 s.xml A", "-w must be a number above 0, not '0'"),
        ("-w inf s.xml A", "-w must be a number above 0, not 'inf'"),
        ("-w nan s.xml A", "-w must be a number above 0, not 'nan'"),
        ("-p 2 s.xml A", "-p must be a number from 0 to 1, not '2'"),
        ("-t 3 s.xml A", "-t must be 0, 1 or 2, not '3'"),
        ("-r 0 s.xml A", "-r must be a whole number from 1 to 10000000, not '0'"),
        ("-c 120 s.xml A", "-c must be a number from 0 to 100, not '120'"),
        ("-3 HN s.xml A", "-3 must be one of H, HM, HMR, HM1, HMR1, HMR2, not 'HN'"),
        ("-z TXT list", "-z must be one of SEE, SPL, ISI, SIMPLE, not 'TXT'"),
        ("--install-home", "--install-home needs one folder"),
    ],
)
def test_wrong_usage_is_named_and_ends_with_2(run, line: str, message: str) -> None:
    status, output, errors = run(line)
    assert (status, output) == (2, "")
    assert errors.startswith(f"rouge155: {message}")
    assert "\nusage: rouge155 [options]" in errors


@every("digits", [1, 10, 400, 5000])
@every(
    ("letter", "most", "words"),
    [
        ("n", 100, "from 0 to 100"),
        ("l", 2147483647, "from 0 to 2147483647"),
        ("b", 2147483647, "from 0 to 2147483647"),
        ("2", 2147483647, "up to 2147483647"),
        ("r", 10_000_000, "from 1 to 10000000"),
    ],
)
def test_numbers_have_a_largest_value(letter: str, most: int, words: str, digits: int) -> None:
    Options({"a": "", letter: str(most)}, ["s.xml"])
    more = str(most + 1) if digits == 1 else "4" * digits
    with pytest.raises(
        UsageError, match=f"^-{letter} must be a whole number {words}, not '{more}'$"
    ):
        Options({"a": "", letter: more}, ["s.xml"])


@pytest.mark.parametrize("letters", ["-l {}", "-b {}", "-x -U -2 {}"])
def test_the_largest_number_scores_as_one_longer_than_all_texts(run, letters: str) -> None:
    status, output, errors = run(f"{letters.format(2**31 - 1)} s.xml B2")
    assert (status, errors) == (0, "")
    assert output.replace(str(2**31 - 1), "99") == run(f"{letters.format(99)} s.xml B2")[1]


def test_the_longest_n_scores(run) -> None:
    assert run("-n 100 -x -t 2 s.xml B2")[1].endswith(
        "B2 ROUGE-100 M_count: 0 P_count: 0 H_count: 0\n"
    )


def test_wrong_usage_says_what_it_says_once() -> None:
    with pytest.raises(UsageError):
        Options({}, [])


@pytest.mark.parametrize("line", ["-h", "-H", "-ah", "--help"])
def test_help_explains_every_letter(run, line: str) -> None:
    status, output, errors = run(line)
    assert (status, errors) == (0, "")
    for letter in "nxw2uU3mslbfptrcdazev":
        assert f"\n  -{letter} " in output, letter


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_standard_output_is_named(capsys, monkeypatch) -> None:
    with monkeypatch.context() as patched:
        full = open("/dev/full", "w", encoding="utf-8")  # noqa: SIM115 - closing it fails
        patched.setattr("sys.stdout", full)
        status = rouge155.main(["-h"])
    with contextlib.suppress(OSError):
        full.close()
    assert (status, capsys.readouterr().err) == (
        errno.ENOSPC,
        "rouge155: standard output: No space left on device\n",
    )


# Files


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("gone.xml A", 2, "gone.xml: No such file or directory"),
        ("s.xml nobody", 255, "s.xml: no evaluation has peer nobody; choose a peer of this file"),
        ("-z SPL empty", 255, "empty: no evaluation; write a peer and its models on each line"),
        ("-z SPL list", 2, "cat: No such file or directory"),
        ("-n 1 -x -w 300 s.xml A", 255, "s.xml: EVAL 9: ROUGE-W overflows; use a smaller -w"),
    ],
)
def test_what_cannot_be_read_ends_the_run_in_one_line(
    run, line: str, status: int, message: str
) -> None:
    found, output, errors = run(line)
    assert (found, output) == (status, "")
    assert errors.splitlines()[-1] == f"rouge155: {message}"


def test_a_missing_model_ends_the_run(run) -> None:
    settings(section("1", {"A": "one.peer"}, ["one.b", "gone"]))
    assert run("-n 1 s.xml A") == (2, "", "rouge155: gone: No such file or directory\n")
