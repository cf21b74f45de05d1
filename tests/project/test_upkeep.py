"""The files for releases and checks agree with each other and with the package."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))
CHANGELOG = "## [Unreleased]\n\n## [1.2.3] - 2026-02-28\n\n## [1.2.2]\n"


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs() -> dict[str, dict[str, Any]]:
    return {
        f"{path.stem}: {name}": job
        for path in WORKFLOWS
        for name, job in read_yaml(path)["jobs"].items()
    }


def steps(kind: str) -> list[str]:
    return [step[kind] for job in jobs().values() for step in job["steps"] if kind in step]


def run_script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, str(ROOT / "ci" / name), *arguments]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_pre_commit_checks_as_make_lint_does() -> None:
    hooks = [
        hook
        for repo in read_yaml(ROOT / ".pre-commit-config.yaml")["repos"]
        if repo["repo"] == "local"
        for hook in repo["hooks"]
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert recipe
    commands = re.findall(r"\$\(VENV\)/bin/(typos|ruff \w+|mypy)\b", recipe[1])
    assert [hook["entry"].removesuffix(" --force-exclude") for hook in hooks] == commands
    pins = {hook["additional_dependencies"][0] for hook in hooks}
    assert pins == set(PROJECT["dependency-groups"]["lint"])
    assert all("==" in pin for pin in pins)


def test_same_pythons_everywhere() -> None:
    named = PROJECT["project"]["classifiers"]
    pythons = [found[1] for name in named if (found := re.search(r":: (3\.\d+)$", name))]
    assert PROJECT["project"]["requires-python"] == f">={pythons[0]}"
    assert PROJECT["tool"]["mypy"]["python_version"] == pythons[0]
    wheels = [f"cp{python.replace('.', '')}-*" for python in pythons]
    assert PROJECT["tool"]["cibuildwheel"]["build"] == wheels
    tried = [row["python"] for row in jobs()["ci: test"]["strategy"]["matrix"]["include"]]
    assert [set_up("ci: checks"), *tried] == pythons
    assert set_up("ci: oldest") == pythons[0]
    assert set_up("ci: windows") == set_up("deep: newest") == pythons[-1]


def test_wheels_are_for_the_same_pythons_and_processors() -> None:
    ran = run_script("wheels.py", "cp310-x86_64")
    assert ran.returncode == 1 and ran.stderr.startswith("error: no target cp310-x86_64")
    pythons = [build.removesuffix("-*") for build in PROJECT["tool"]["cibuildwheel"]["build"]]
    processors = PROJECT["tool"]["cibuildwheel"]["linux"]["archs"]
    wanted = [f"{python}-{processor}" for processor in processors for python in pythons]
    assert ran.stderr.strip().partition("there are ")[2].split(", ") == wanted


def test_the_conda_recipe_says_what_the_project_says() -> None:
    recipe = read_yaml(ROOT / "packaging" / "conda" / "recipe.yaml")
    version = (ROOT / "src" / "summeval" / "_version.py").read_text(encoding="utf-8")
    assert f'__version__ = "{recipe["context"]["version"]}"' in version
    needs = {key: [str(one) for one in recipe["requirements"][key]] for key in ("host", "run")}
    for key, wanted in (
        ("run", PROJECT["project"]["dependencies"]),
        ("host", PROJECT["build-system"]["requires"]),
    ):
        apart = [re.sub(r"^([\w-]+)(?=[<>])", r"\1 ", one) for one in wanted]
        assert set(apart) <= set(needs[key])
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert recipe["build"]["skip"] == f'match(python, "<{oldest}")'
    assert recipe["about"]["license"] == PROJECT["project"]["license"]


def test_the_extras_of_the_image_are_all_but_pytorch() -> None:
    dockerfile = (ROOT / "packaging" / "Dockerfile").read_text(encoding="utf-8")
    (given,) = re.findall(r"^ARG EXTRAS=(.+)$", dockerfile, re.MULTILINE)
    assert {*given.split(",")} == {*PROJECT["project"]["optional-dependencies"]} - {
        "all",
        "semantic",
    }


def set_up(job: str) -> str:
    """The Python of a job."""
    (step,) = (step for step in jobs()[job]["steps"] if "setup-python" in step.get("uses", ""))
    return step["with"]["python-version"]


def test_commands_of_the_workflows_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*##", makefile, re.MULTILINE))
    commands = "\n".join(steps("run"))
    used = set(re.findall(r"^make ([a-z-]+)", commands, re.MULTILINE))
    assert {"sanitize", "fuzz", "mutants", "docs", "test"} <= used <= targets
    scripts = re.findall(r"(?:python|bash) ([\w./]+\.(?:py|sh)|\.ci/run)", commands)
    assert scripts
    assert [script for script in scripts if not (ROOT / script).is_file()] == []


def test_actions_are_pinned_by_major_version() -> None:
    assert steps("uses")
    for action in steps("uses"):
        assert re.search(r"@(release/)?v\d+$", action), action


def test_only_the_job_that_publishes_may_write() -> None:
    for path in WORKFLOWS:
        assert read_yaml(path)["permissions"] == {"contents": "read"}
    may = {name: job["permissions"] for name, job in jobs().items() if "permissions" in job}
    assert may == {"release: publish": {"id-token": "write"}}
    publish = jobs()["release: publish"]
    assert publish["if"] == "github.ref_type == 'tag'"
    assert set(publish["needs"]) == set(
        read_yaml(ROOT / ".github/workflows/release.yml")["jobs"]
    ) - {"publish"}


@pytest.mark.parametrize("name", sorted(jobs()))
def test_jobs_end(name: str) -> None:
    assert jobs()[name]["timeout-minutes"] <= 360


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_forms_ask_for_something(path: Path) -> None:
    form = read_yaml(path)
    assert form["name"]
    assert form["description"]
    labels = [field["attributes"].get("label") for field in form["body"]]
    assert all(labels)
    required = [field for field in form["body"] if field.get("validations", {}).get("required")]
    assert len(required) >= 3
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids))


def test_citation_has_no_version_of_its_own() -> None:
    citation = read_yaml(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert "version" not in citation
    assert citation["license"] == PROJECT["project"]["license"]


def test_lower_bounds_are_pins() -> None:
    ran = run_script("lower_bounds.py", "dependencies", "arrow")
    needs = [*PROJECT["project"]["dependencies"]]
    needs += PROJECT["project"]["optional-dependencies"]["arrow"]
    assert ran.stdout.split() == [
        need.partition(",")[0].replace(">=", "==") + ".*" for need in needs
    ]


@pytest.mark.parametrize(
    ("tag", "version", "changelog", "complaint"),
    [
        ("v1.2.3", "1.2.3", CHANGELOG, None),
        ("v1.2.4", "1.2.3", CHANGELOG, "tag v1.2.3"),
        ("1.2.3", "1.2.3", CHANGELOG, "tag v1.2.3"),
        ("v1.2.2", "1.2.2", CHANGELOG, "date the section"),
        ("v1.2", "1.2", CHANGELOG, "date the section"),
    ],
)
def test_release_check(tag: str, version: str, changelog: str, complaint: str | None) -> None:
    sys.path.insert(0, str(ROOT / "ci"))
    try:
        import check_release
    finally:
        sys.path.pop(0)
    said = check_release.complaint(tag, f'__version__ = "{version}"\n', changelog)
    assert said is None if complaint is None else said is not None and complaint in said


def test_release_check_reads_the_version_of_the_package() -> None:
    ran = run_script("check_release.py", "v0")
    assert ran.returncode == 1
    assert ran.stderr.startswith("error: the tag is v0, but src/summeval/_version.py says ")
