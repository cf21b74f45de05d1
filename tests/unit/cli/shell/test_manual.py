"""The manual page: it tells of all commands, and roff reads it without a complaint."""

import shutil
import subprocess

import pytest

from summeval.cli import main
from summeval.cli.shell.declared import commands


@pytest.fixture
def page(capsys: pytest.CaptureFixture[str]) -> str:
    assert main.main(["man"]) == 0
    return capsys.readouterr().out


def test_each_command_and_option_is_told(page: str) -> None:
    lines = page.splitlines()
    names = [words for words in main._COMMANDS if words not in main._HELD]
    assert [one for one in lines if one.startswith(".SS")] == [f'.SS "summeval {n}"' for n in names]
    flags = {f for one in commands() for argument in one.arguments for f in argument.flags}
    escaped = {flag: flag.replace("-", r"\-") for flag in flags}
    assert [flag for flag, text in escaped.items() if rf"\fB{text}\fR" not in page] == []
    assert page.isascii()


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff")
def test_roff_reads_it(page: str) -> None:
    line = ["groff", "-man", "-ww", "-Tutf8", "-P-c"]
    ran = subprocess.run(line, input=page.encode(), capture_output=True, check=False)
    assert ran.stderr == b""
    text = ran.stdout.decode()
    assert "Exit status: 0 done" in text and "(extra arrow)" in " ".join(text.split())
