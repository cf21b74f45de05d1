"""The command rouge155 prints every number that ROUGE-1.5.5 printed."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from rouge_cases import HERE, Cases
from shared import shared

from summeval.cli.rouge155 import command as rouge155

Output = dict[str, Any]


def write_collection(cases: Cases, name: str, folder: Path) -> dict[str, list[str]]:
    """Write files and settings as they were when the numbers were printed: case -> EVAL IDs."""
    collection = cases.inputs["collections"][name]
    sections, ids = [], defaultdict(list)
    for number, case_id in enumerate(collection["cases"], start=1):
        case = cases.inputs["cases"][case_id]
        (folder / f"{case_id}.peer").write_bytes(cases.content(case["peer"]))
        models = [f"{case_id}.{k}" for k in range(len(case["refs"]))]
        for model, text_ids in zip(models, case["refs"], strict=True):
            (folder / model).write_bytes(cases.content(text_ids))
        left_out = range(len(models)) if collection["jackknife"] else [None]
        for k in left_out:
            eval_id = str(number) if k is None else f"{number}-{k + 1}"
            ids[case_id].append(eval_id)
            listed = [f"<M ID='{m}'>{model}</M>" for m, model in enumerate(models) if m != k]
            sections.append(
                f"<EVAL ID='{eval_id}'>"
                f"<PEER-ROOT>{folder}</PEER-ROOT><MODEL-ROOT>\n{folder}\n</MODEL-ROOT>"
                f"<INPUT-FORMAT TYPE='{case['format']}'/>"
                f"<PEERS><P ID='S'>{case_id}.peer</P></PEERS>"
                f"<MODELS>{''.join(listed)}</MODELS></EVAL>"
            )
    settings = f"<ROUGE-EVAL version='1.5.5'>{''.join(sections)}</ROUGE-EVAL>"
    (folder / "settings.xml").write_text(settings, encoding="utf-8")
    return ids


def read_output(output: str) -> tuple[Output, dict[str, Output]]:
    """Averages (or sums) by measure, and scores by EVAL ID and measure."""
    averages: Output = defaultdict(dict)
    scores: dict[str, Output] = defaultdict(dict)
    for line in output.splitlines():
        if set(line) in ({"-"}, {"."}):
            continue
        if found := re.fullmatch(r"S ROUGE-(\S+) Eval (\S+)\.S R:(\S+) P:(\S+) F:(\S+)", line):
            scores[found[2]][found[1]] = [float(value) for value in found.groups()[2:]]
        elif found := re.fullmatch(
            r"S ROUGE-(\S+) Average_([RPF]): (\S+) \(\S+%-conf.int. (\S+) - (\S+)\)", line
        ):
            averages[found[1]][found[2]] = [float(value) for value in found.groups()[2:]]
        else:
            found = re.fullmatch(
                r"S ROUGE-(\S+) M_count: (\S+) P_count: (\S+) H_count: (\S+)", line
            )
            assert found, line
            averages[found[1]]["counts"] = [int(value) for value in found.groups()[1:]]
    return averages, scores


def check_collection(
    cases: Cases, name: str, folder: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    ids = write_collection(cases, name, folder)
    rows = [
        row
        for row in cases.expected
        if row.get("collection") == name
        or (row.get("case") in ids and (row["kind"] == "jackknife") == (len(ids[row["case"]]) > 1))
    ]
    assert rows
    for opts in sorted({row["opts"] for row in rows}):
        assert rouge155.main([*opts.split(), "-d", "-a", str(folder / "settings.xml")]) == 0
        averages, scores = read_output(capsysbinary.readouterr().out.decode())
        for row in rows:
            if row["opts"] == opts:
                check_row(row, averages, [scores[one] for one in ids.get(row.get("case"), [])])


def check_row(row: dict[str, Any], averages: Output, scores: list[Output]) -> None:
    where = (row.get("collection") or row["case"], row["opts"])
    if row["kind"] == "average":
        assert averages == row["averages"], where
    elif row["kind"] == "jackknife":
        assert scores == row["leave_one_out"], where
        for measure, mean in row["mean"].items():
            columns = zip(*(s[measure] for s in scores), strict=True)
            values = [sum(column) / len(scores) for column in columns]
            assert values == pytest.approx(mean, abs=1e-6), where
    else:
        # Where the script died in ROUGE-W it had printed the measures before it.
        seen = {measure: scores[0][measure] for measure in row["scores"]}
        assert seen == row["scores"], where
        assert "error" in row or seen == scores[0], where


@pytest.mark.parametrize("name", sorted(Cases(HERE).inputs["collections"]))
def test_our_texts(name: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    check_collection(Cases(HERE), name, tmp_path, capsysbinary)


def test_real_texts(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    cases = Cases(shared("data/rouge"))
    for name in cases.inputs["collections"]:
        (tmp_path / name).mkdir()
        check_collection(cases, name, tmp_path / name, capsysbinary)


def test_a_process_prints_what_main_prints(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    write_collection(Cases(HERE), "random-dev", tmp_path)
    arguments = [*"-n 4 -w 1.2 -2 4 -U -m -d -a".split(), str(tmp_path / "settings.xml")]
    assert rouge155.main(arguments) == 0
    command = [sys.executable, "-m", "summeval.cli.rouge155.command", *arguments]
    run = subprocess.run(command, capture_output=True, check=True)
    assert run.stdout == capsysbinary.readouterr().out
    assert not run.stderr
