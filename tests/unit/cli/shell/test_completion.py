"""What shells complete, asked of the shells themselves."""

import re
import shutil
import subprocess

import pytest

from summeval.cli import main
from summeval.cli.shell.completion import bash, fish, zsh
from summeval.cli.shell.declared import Command, commands

SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}
# A line of words, of which the last is completed, and some of what it may become.
LINES = [
    ("summeval sc", ["score"]),
    ("summeval study ae", ["aesop"]),
    ("summeval completion ", ["bash", "fish", "zsh"]),
    ("summeval score --out", ["--output", "--output-format"]),
    ("summeval score rows.jsonl --output-format js", ["json", "jsonl"]),
    ("summeval score rows.jsonl -m rouge1,rougeL", ["rouge1,rougeL", "rouge1,rougeLsum"]),
    ("summeval score rows.jsonl -m rouge1 tesla-", ["tesla-e", "tesla-m", "tesla-s"]),
    ("summeval cite rougeS", ["rougeS*", "rougeS4", "rougeSU*", "rougeSU4"]),
]
ASK_BASH = """
source /dev/stdin
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_summeval
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def found() -> list[Command]:
    return commands()


def output(*words: str, given: str = "") -> str:
    ran = subprocess.run(words, input=given, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    return ran.stdout


def ask_bash(script: str, line: str) -> list[str]:
    return output("bash", "-c", ASK_BASH, "bash", *line.split(" "), given=script).split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(("line", "becomes"), LINES)
def test_bash_completes(found: list[Command], line: str, becomes: list[str]) -> None:
    assert sorted(ask_bash("\n".join(bash(found)), line)) == becomes


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_leaves_files_to_itself(found: list[Command]) -> None:
    script = "\n".join(bash(found))
    lines = ("score r", "score -o r", "correlate --human a r", "score --workers 3 r")
    assert [ask_bash(script, f"summeval {line}") for line in lines] == [[]] * len(lines)


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
@pytest.mark.parametrize(("line", "becomes"), LINES)
def test_fish_completes(found: list[Command], line: str, becomes: list[str]) -> None:
    ask = 'source -; complete --do-complete "$argv"'
    told = output("fish", "--no-config", "-c", ask, line, given="\n".join(fish(found)))
    assert sorted(one.partition("\t")[0] for one in told.splitlines()) == becomes


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_can_read_it(found: list[Command], shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}")
    assert output(shell, "-n", given="\n".join(SHELLS[shell](found)) + "\n") == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_each_command_and_option_is_completed(found: list[Command], shell: str) -> None:
    script = "\n".join(SHELLS[shell](found))
    for dashes in ("-l ", "-s "):  # as fish has them
        script = script.replace(f" {dashes}", " -" + "-" * dashes.startswith("-l"))
    words = set(re.findall(r"[\w-]+", script))
    wanted = {word for words in main._COMMANDS for word in words.split()}
    wanted |= {flag for one in found for argument in one.arguments for flag in argument.flags}
    assert wanted - words == set()


@pytest.mark.parametrize("shell", SHELLS)
def test_it_is_printed(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert main.main(["completion", shell]) == 0
    assert f"Made by: summeval completion {shell}\n" in capsys.readouterr().out
