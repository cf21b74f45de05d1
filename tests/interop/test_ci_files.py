"""The GitHub Action and the hook of pre-commit do what `summeval rank --fail-if-worse` does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ecosystem import ecosystem
from shared import ROOT

yaml = pytest.importorskip("yaml")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the steps are for bash")

GOOD, BAD = "the cat sat on a mat", "a dog in a hat"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with rows, the command `summeval` and the file that GitHub shows."""
    for name, text in (("good", GOOD), ("bad", BAD)):
        rows = [
            {"id": row, "candidate": f"{text} {row}", "references": [f"the cat sat on it {row}"]}
            for row in range(12)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = tmp_path / "bin" / "summeval"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m summeval "$@"\n')
    command.chmod(0o755)
    return tmp_path


def environment(folder: Path, **more: str) -> dict[str, str]:
    paths = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    paths["PYTHONPATH"] = os.pathsep.join(sys.path)
    return {**os.environ, **paths, "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), **more}


def act(folder: Path, **given: str) -> tuple[int, str]:
    """Run the steps as GitHub does, but for those that install; the status and what is shown."""
    action: Any = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    unknown = given.keys() - action["inputs"].keys()
    assert not unknown
    inputs = {name: one.get("default", "") for name, one in action["inputs"].items()} | given
    for step in action["runs"]["steps"]:
        if "run" not in step or "pip install" in step["run"]:
            continue
        assert "${{" not in step["run"], "an input would be run as code"
        if step.get("if") == "inputs.baseline != ''" and not inputs["baseline"]:
            continue
        env = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], value)
            for name, value in step["env"].items()
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        ran = subprocess.run(
            command, cwd=folder, env=environment(folder, **env), capture_output=True, check=False
        )
        if ran.returncode:
            break
    return ran.returncode, (folder / "summary.md").read_text(encoding="utf-8")


def test_the_action_fails_where_a_version_is_worse(folder: Path) -> None:
    metrics = {"metrics": "rouge1,rouge2"}
    status, shown = act(folder, rows="good.jsonl", scores="accepted.jsonl", **metrics)
    assert status == 0
    assert "\nmean " in shown
    check = {"baseline": "accepted.jsonl", **metrics}
    status, shown = act(folder, rows="good.jsonl", **check)
    assert status == 0
    assert "| accepted" in shown
    assert act(folder, rows="bad.jsonl", **check)[0] == 3
    assert act(folder, rows="bad.jsonl", margin="1", **check)[0] == 0
    assert act(folder, rows="none.jsonl", **check)[0] == 1


def test_the_hook_fails_where_scores_are_worse(folder: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    given = ["--baseline=accepted.jsonl", "--metrics=rouge1"]
    act(folder, rows="good.jsonl", scores="accepted.jsonl")
    for name, status in (("good", 0), ("bad", 3)):
        act(folder, rows=f"{name}.jsonl", scores="new.scores.jsonl")
        assert re.search(hook["files"], "new.scores.jsonl")
        command = [*hook["entry"].split(), *given, "new.scores.jsonl"]
        found = subprocess.run(
            command, cwd=folder, env=environment(folder), capture_output=True, check=False
        )
        assert found.returncode == status


def test_pre_commit_runs_the_hook(folder: Path) -> None:
    ecosystem("pre_commit")
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    # as it is there, but in this environment instead of one that pre-commit builds
    hook |= {"language": "system", "args": ["--baseline=accepted.jsonl", "--metrics=rouge1"]}
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    act(folder, rows="good.jsonl", scores="accepted.jsonl")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    for name, status in (("good", 0), ("bad", 1)):
        act(folder, rows=f"{name}.jsonl", scores="new.scores.jsonl")
        subprocess.run(["git", "add", "new.scores.jsonl"], cwd=folder, check=True)
        where = environment(folder, PRE_COMMIT_HOME=str(folder / "home"))
        command = [sys.executable, "-m", "pre_commit", "run"]
        ran = subprocess.run(
            command, cwd=folder, env=where, capture_output=True, text=True, check=False
        )
        assert ran.returncode == status, ran.stdout
        assert ("significantly worse than accepted" in ran.stdout) == bool(status)
