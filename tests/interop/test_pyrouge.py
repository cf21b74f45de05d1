"""pyrouge 0.1.3 works with rouge155 in the place of the Perl script."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import summeval
from summeval.cli.rouge155 import command as rouge155

pyrouge = pytest.importorskip("pyrouge")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pyrouge runs a script by its path")

SUITE = Path(pyrouge.__file__).parent / "tests"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ROUGE home made by rouge155; pyrouge's own settings go to a folder of the test."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(summeval.__file__).parent.parent))
    folder = tmp_path / "rouge"
    assert rouge155.main(["--install-home", str(folder)]) == 0
    return folder


def write_summaries(folder: Path) -> None:
    texts = {
        "systems/news.001.txt": "the cat sat on the mat\nit was warm",
        "systems/news.002.txt": "a dog ran off",
        "models/news.A.001.txt": "The cat sat on a mat.\nIt was a warm day.",
        "models/news.B.001.txt": "A cat lay on the mat.",
        "models/news.A.002.txt": "The dog ran.",
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_convert_and_evaluate(home: Path, tmp_path: Path) -> None:
    write_summaries(tmp_path)
    rouge = pyrouge.Rouge155(str(home))
    rouge.system_dir = str(tmp_path / "systems")
    rouge.model_dir = str(tmp_path / "models")
    rouge.system_filename_pattern = r"news.(\d+).txt"
    rouge.model_filename_pattern = "news.[A-Z].#ID#.txt"
    scores = rouge.output_to_dict(rouge.convert_and_evaluate())
    # Words in common: 5 of 11 and 3 of 6 with the models of 001 (7 of 17 in sum), 2 of 3 of 002.
    measures = {"1", "2", "3", "4", "l", "w_1.2", "s*", "su*"}
    fields = {"recall", "precision", "f_score"}
    assert set(scores) == {
        f"rouge_{measure}_{field}{end}"
        for measure in measures
        for field in fields
        for end in ("", "_cb", "_ce")
    }
    assert scores["rouge_1_recall_cb"] <= scores["rouge_1_recall"] <= scores["rouge_1_recall_ce"]


def test_evaluate_with_arguments_of_its_own(home: Path, tmp_path: Path) -> None:
    write_summaries(tmp_path)
    rouge = pyrouge.Rouge155(str(home), "-n 1 -x -t 2 -a")
    rouge.system_dir = str(tmp_path / "systems")
    rouge.model_dir = str(tmp_path / "models")
    rouge.system_filename_pattern = r"news.(002).txt"
    rouge.model_filename_pattern = "news.[A-Z].#ID#.txt"
    assert rouge.convert_and_evaluate(system_id="mine").splitlines() == [
        "-" * 45,
        "mine ROUGE-1 M_count: 3 P_count: 4 H_count: 2",
    ]


def test_the_suite_of_pyrouge(home: Path, tmp_path: Path) -> None:
    # Two things in the suite of 0.1.3 fit no ROUGE. Its settings say SPL where its own code has
    # written SEE since 0.1.2; and it calls the commands by names that end in .py, which they do
    # not have. Both are mended in a copy.
    shutil.copytree(SUITE, tmp_path / "tests")
    for path in (tmp_path / "tests" / "data").glob("*.xml"):
        content = path.read_text(encoding="utf-8")
        path.write_text(content.replace('TYPE="SPL"', 'TYPE="SEE"'), encoding="utf-8")
    commands = tmp_path / "commands"
    commands.mkdir()
    for path in Path(sys.executable).parent.glob("pyrouge_*"):
        shutil.copy(path, commands / path.name)
        shutil.copy(path, commands / f"{path.name}.py")
    if not any(commands.iterdir()):
        pytest.skip("the commands of pyrouge are not beside this Python")
    subprocess.run([commands / "pyrouge_set_rouge_path", home], check=True)
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "unittest", "-v", "Rouge155_test"],
        cwd=tmp_path / "tests",
        env={**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "OK" in run.stderr.splitlines()[-1]


def test_the_launcher_runs_where_perl_is_asked_to(home: Path, tmp_path: Path) -> None:
    if shutil.which("perl") is None:
        pytest.skip("no perl here")
    folder = tmp_path / "a folder's name"
    assert rouge155.main(["--install-home", str(folder)]) == 0
    script = folder / "ROUGE-1.5.5.pl"
    direct = subprocess.run([script, "-h"], capture_output=True, check=True)
    by_perl = subprocess.run(["perl", script, "-h"], capture_output=True, check=True)
    assert by_perl.stdout == direct.stdout != b""


def test_another_script_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "ROUGE-1.5.5.pl"
    script.write_text("#!/usr/bin/perl\n", encoding="utf-8")
    assert rouge155.main(["--install-home", str(tmp_path)]) != 0
    assert capsys.readouterr().err == (
        f"rouge155: {script} already exists; choose another folder\n"
    )
    assert script.read_text(encoding="utf-8") == "#!/usr/bin/perl\n"
