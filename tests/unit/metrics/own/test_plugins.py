"""Metrics that installed packages bring by entry points, also where they are broken."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import summeval
from summeval.cli.main import main
from summeval.metrics.own import known
from summeval.metrics.registry import direction_of, families

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a package in place, as an installer leaves it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(known, "_KNOWN", {})
    monkeypatch.setattr(known, "_FOUND", None)

    def install(package: str, code: str, **entries: str) -> None:
        module = package.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(code)
        info = tmp_path / f"{module}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n")
        lines = [f"{name.replace('_', '-')} = {value}" for name, value in entries.items()]
        group = "\n".join(["[summeval.metrics]", *lines])
        (info / "entry_points.txt").write_text(group + "\n")
        monkeypatch.setattr(known, "_FOUND", None)

    return install


GOOD = "def good(candidate, references):\n    return float(candidate in references)\n"


def test_a_package_brings_a_metric(install: Install) -> None:
    install("cr-one", GOOD + "good.higher_is_better = False\n", cr_good="cr_one:good")
    assert "cr-good" in summeval.list_metrics()
    assert "cr_one" not in sys.modules  # names alone import nothing
    metric = summeval.metric("cr-good")
    assert metric.score("a", ["a", "b"]).value == 1.0
    assert "|from:cr-one-1.5|" in metric.signature
    assert direction_of("cr-good.value") is False
    del sys.modules["cr_one"]


@pytest.mark.parametrize(
    ("code", "value", "said"),
    [
        (
            "import no_such_module\n",
            "cr_bad:x",
            "ModuleNotFoundError: No module named 'no_such_mod",
        ),
        ("x = 7\n", "cr_bad:x", "TypeError: cr-broken is int; give a function"),
        ("\n", "cr_bad:x", "AttributeError: module 'cr_bad' has no attribute 'x'"),
        ("raise RuntimeError('two\\nlines')\n", "cr_bad:x", "RuntimeError: two lines"),
        (
            "class x:\n    pass\n",
            "cr_bad:x",
            "TypeError: cr-broken is the class x without run_pair",
        ),
    ],
)
def test_a_broken_package_is_one_line_and_breaks_nothing_else(
    install: Install, capsys: Any, code: str, value: str, said: str
) -> None:
    install("cr-bad", code, cr_broken=value)
    line = f"the metric cr-broken of cr-bad 1.5 cannot be used: {said}"
    with pytest.raises(ValueError, match="cr-broken") as caught:
        summeval.metric("cr-broken")
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)
    assert main(["metrics", "cr-broken"]) == 2
    assert capsys.readouterr().err.startswith(f"summeval: {line}")
    assert main(["metrics", "--fields"]) == 0
    printed = capsys.readouterr()
    assert printed.err.splitlines()[0].startswith(f"summeval: warning: {line}")
    assert len(printed.err.splitlines()) == 1
    assert "cr-broken" not in printed.out
    assert "cremer" in printed.out
    assert main(["check", "cr-broken", "rouge1"]) == 1
    printed = capsys.readouterr()
    assert f"  failed   load           {line}" in printed.out
    assert "all checks hold" in printed.out  # of rouge1
    assert main(["cite", "cr-broken"]) == 2
    assert capsys.readouterr().err.startswith(f"summeval: {line}")
    assert direction_of("cr-broken.value") is None
    assert summeval.score("a", "a", ["rouge1"])["rouge1"].value == 1.0
    with pytest.raises(ValueError, match="unknown metric 'nothing'"):
        summeval.metric("nothing")
    sys.modules.pop("cr_bad", None)


def test_a_name_of_summeval_stays_its_own(install: Install) -> None:
    install("cr-two", GOOD, rouge1="cr_two:good", cr_other="cr_two:good")
    with pytest.warns(summeval.ScoreWarning, match=r"cr-two 1\.5 brings a metric rouge1, which is"):
        names = summeval.list_metrics()
    assert names.count("rouge1") == 1
    assert names[-1] == "cr-other"
    assert type(summeval.metric("rouge1")) is summeval.Rouge
    assert len(families()) == len({*families()})
    sys.modules.pop("cr_two", None)


@pytest.mark.parametrize("found", [("cr-b", "cr-a"), ("cr-a", "cr-b")])
def test_two_packages_with_one_name_are_told(
    install: Install, monkeypatch: pytest.MonkeyPatch, found: tuple[str, str]
) -> None:
    for name in found:
        install(name, GOOD, cr_same=f"{name.replace('-', '_')}:good")
    whole = entry_points(group=known.GROUP)
    entries = sorted(whole, key=lambda entry: found.index(entry.dist.name))  # type: ignore[union-attr]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)
    with pytest.warns(summeval.ScoreWarning, match=r"cr-b 1\.5 brings cr-same, as cr-a 1\.5 does"):
        assert "cr-same" in summeval.list_metrics()
    assert "|from:cr-a-1.5|" in summeval.metric("cr-same").signature
    for name in ("cr_a", "cr_b"):
        sys.modules.pop(name, None)


def test_a_name_that_is_no_name_is_told(install: Install) -> None:
    install("cr-c", GOOD, **{"a.b": "cr_c:good"})
    with pytest.warns(
        summeval.ScoreWarning, match=r"cr-c 1\.5 brings a metric 'a\.b', which is no"
    ):
        assert "a.b" not in summeval.list_metrics()


def test_what_a_program_registers_goes_first(install: Install) -> None:
    install("cr-d", GOOD, cr_mine="cr_d:good")
    summeval.register("cr-mine", lambda candidate, references: 0.5)
    assert summeval.metric("cr-mine").score("a", "a").value == 0.5
    assert summeval.list_metrics().count("cr-mine") == 1


def test_packages_are_looked_up_only_for_unknown_names() -> None:
    code = (
        "import sys, summeval\n"
        "summeval.score('a', 'a', ['rouge1', 'preset:classic'])\n"
        "summeval.metric('tesla-s')\n"
        "assert 'importlib.metadata' not in sys.modules\n"
        "assert 'summeval.metrics.own.known' not in sys.modules\n"
        "try: summeval.metric('no-metric')\n"
        "except ValueError: pass\n"
        "assert 'importlib.metadata' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
