"""The pages are correct: their Python and their commands run, on small files made here.

A Python block below a comment `<!-- needs: daft pyarrow -->` runs where these libraries are
installed. `make test-interop` and `make test-engines` run this file where all of theirs are.
"""

from __future__ import annotations

import csv
import doctest
import gzip
import importlib
import importlib.util
import json
import os
import re
import shlex
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from ecosystem import ecosystem
from judge_server import of_words, serving
from shared import ROOT

import summeval
from summeval.cli import main
from summeval.cli.rouge155 import command as rouge155
from summeval.metrics import registry as registry_of_metrics
from summeval.metrics.own import known
from summeval.solvers import result as registry

REFERENCE = sorted((ROOT / "docs" / "api").glob("*.md"))
PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").rglob("*.md")} - {*REFERENCE})]

BLOCK = re.compile(r"(?:<!-- needs: ([\w. ]+) -->\n)?```python\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"^ {4}((?:summeval|rouge155) .*)$", re.MULTILINE)
SHELL = re.compile(r"```(?:sh|bash|console)\n(.*?)```", re.DOTALL)
JUDGE = "http://localhost:8000/v1"  # of the pages
LACKS = re.compile(r"pip install '?summeval\[(\w+)\]")
PROGRAMS = {"summeval": main.main, "rouge155": rouge155.main}
LESS = {("bench", "solvers"): ["--rounds", "1", "--limit", "1"]}  # of what takes long

WORDS = "the storm hit a town on coast and trains stood still for two days".split()


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def rows() -> list[dict[str, object]]:
    """Rows of four systems on five topics: the later the system, the more is wrong."""
    found: list[dict[str, object]] = []
    for topic in range(5):
        told = [WORDS[(topic * 3 + i * i) % len(WORDS)] for i in range(9)]
        references = [" ".join(told[start:]) + "\nIt rained ." for start in range(3)]
        for system in range(4):
            wrong = ["dogs", "bark", "loud", "here"][: system + topic % 2]
            human = 5 - system + (topic * system) % 2 / 2
            found.append(
                {
                    "id": f"{system}-{topic}",
                    "system": f"s{system}",
                    "topic": f"t{topic}",
                    "candidate": " ".join(told[: 8 - system] + wrong) + "\nSo it rained .",
                    "references": references,
                    "source": [" ".join(told), "It rained all day ."],
                    "coherence": human,
                    "relevance": human - topic % 3 / 4,
                    "fluency": 5 - system / 2,
                }
            )
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the files that the pages name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    ends = {problem: dict(known) for problem, known in registry._BACK_ENDS.items()}
    monkeypatch.setattr(registry, "_BACK_ENDS", ends)  # a page adds one
    monkeypatch.setattr(known, "_KNOWN", dict(known._KNOWN))  # so does another
    made = rows()
    lines = "".join(json.dumps(row) + "\n" for row in made)
    for name in ("rows.jsonl", "pairs.jsonl"):
        Path(name).write_text(lines, encoding="utf-8")
    Path("rows.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    write_extracts()
    with open("rows.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*made[0]])
        writer.writeheader()
        writer.writerows({**row, "references": json.dumps(row["references"])} for row in made)
    own = "def overlap(candidate, references):\n    return len({*candidate} & {*references[0]})\n"
    Path("my_metrics.py").write_text(own)
    Path("table.csv").write_text("id;candidate;reference\n1;a cat;=the cat\n", encoding="utf-8")
    write_columns(made)
    write_plain(made)
    write_settings(made)
    write_tac(made)
    write_judgements(made)
    Path("corpus").mkdir()
    for number, row in enumerate(made[::4]):
        Path("corpus", f"{number}.txt").write_text("\n".join(row["source"]))  # type: ignore[arg-type]
    return tmp_path


def write_extracts() -> None:
    """Rows of two annotators on five documents as `extracts.jsonl`."""
    with open("extracts.jsonl", "w", encoding="utf-8") as file:
        for topic in range(5):
            texts = [
                " ".join(WORDS[(topic + 2 * i) % 9 :][: 2 + i % 5]) + ".?"[i % 2] for i in range(8)
            ]
            for person in range(2):
                extract = [1, 3, 4 + (topic + person) % 3]
                row = {"topic": topic, "annotator": person, "utterances": texts, "extract": extract}
                file.write(json.dumps(row) + "\n")


def write_judgements(made: list[dict[str, object]]) -> None:
    """Three judges of each row, as rows of one judgement and as objects inside the rows."""
    names = ("coherence", "relevance")
    single, whole = [], []
    for number, row in enumerate(made):
        key = {"system": row["system"], "topic": row["topic"]}
        said = [
            {name: round(float(row[name]) + (number * 7 + judge * 5) % 3 - 1) for name in names}  # type: ignore[arg-type]
            for judge in range(3)
        ]
        single += [key | {"judge": f"j{judge}"} | own for judge, own in enumerate(said)]
        whole.append(key | {"expert_annotations": said})
    with open("judgements.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*single[0]])
        writer.writeheader()
        writer.writerows(single)
    lines = "".join(json.dumps(row) + "\n" for row in whole)
    Path("judged.jsonl").write_text(lines, encoding="utf-8")


def write_plain(made: list[dict[str, object]]) -> None:
    """Two systems, a reference and a source as plain files and as folders of files."""

    def put(name: str, texts: Iterable[object]) -> None:
        lines = [str(text).replace("\n", " <n> ") for text in texts]
        # Twice, since a test of five rows finds nothing.
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in [*lines, *lines]))
        Path(name).mkdir()
        for topic, line in enumerate(lines):
            Path(name, f"d{topic}.txt").write_text(line.replace(" <n> ", "\n"))

    of_system = [[row for row in made if row["system"] == system] for system in ("s0", "s1")]
    for name, mine in zip(("bart", "t5"), of_system, strict=True):
        put(name, [row["candidate"] for row in mine])
    put("gold", [row["references"][0] for row in of_system[0]])  # type: ignore[index]
    put("source", [row["source"][0] for row in of_system[0]])  # type: ignore[index]


def write_columns(made: list[dict[str, object]]) -> None:
    """The rows as a Parquet file, and as a directory of two; empty files without pyarrow."""
    Path("rows").mkdir()
    for name in ("rows.parquet", "rows/0.parquet"):
        Path(name).touch()
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return
    table = pa.Table.from_pylist(made)
    pq.write_table(table, "rows.parquet")
    pq.write_table(table[:7], Path("rows", "0.parquet"))
    pq.write_table(table[7:], Path("rows", "1.parquet"))


def write_settings(made: list[dict[str, object]]) -> None:
    """The rows as `settings.xml` and the files that it names."""
    Path("texts").mkdir()
    parts = []
    for topic in range(5):
        peers = [row for row in made if row["topic"] == f"t{topic}"]
        named = {f"{row['system']}.{topic}.txt": str(row["candidate"]) for row in peers}
        models = {
            f"{number}.{topic}.txt": text for number, text in enumerate(peers[0]["references"])
        }  # type: ignore[arg-type]
        for name, text in (named | models).items():
            Path("texts", name).write_text(text + "\n")
        inside = [f'<P ID="{name[:2]}">{name}</P>' for name in named]
        against = [f'<M ID="{name[0]}">{name}</M>' for name in models]
        parts.append(
            f'<EVAL ID="{topic}"><PEER-ROOT>texts</PEER-ROOT><MODEL-ROOT>texts</MODEL-ROOT>'
            f'<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS>{"".join(inside)}</PEERS>'
            f"<MODELS>{''.join(against)}</MODELS></EVAL>"
        )
    text = "\n".join(['<ROUGE-EVAL version="1.55">', *parts, "</ROUGE-EVAL>\n"])
    Path("settings.xml").write_text(text)


def write_tac(made: list[dict[str, object]]) -> None:
    """The rows as a folder of TAC: systems 1 to 4, their references as people A to C."""
    top = Path("GuidedSumm2010_eval")
    for name in ("ROUGE/peers", "ROUGE/models", "manual"):
        (top / name).mkdir(parents=True)
    peer, model = [], []
    for row in made:
        system, topic = int(str(row["system"])[1:]) + 1, f"D100{int(str(row['topic'])[1:]) + 1}-A"
        (top / "ROUGE" / "peers" / f"{topic}.M.100.A.{system}").write_text(str(row["candidate"]))
        peer.append(f"{topic} {system} 0.5 3 0 9 9 {row['coherence']} 4 {row['relevance']}\n")
        if system == 1:
            for person, text in zip("ABC", row["references"], strict=True):  # type: ignore[call-overload]
                (top / "ROUGE" / "models" / f"{topic}.M.100.A.{person}").write_text(text)
                model.append(f"{topic} {person} 5 9 9 {5 + ord(person) % 3} 8 9\n")
    (top / "manual" / "manual.peer.A").write_text("".join(peer))
    (top / "manual" / "manual.model.A").write_text("".join(model))


def blocks_of(page: Path) -> list[tuple[str, str]]:
    """What each Python block needs, and the block."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def cases() -> Iterator[tuple[Path, str]]:
    """Each page with each of the needs of its blocks."""
    for page in PAGES:
        for need in dict.fromkeys(need for need, _ in blocks_of(page)):
            yield page, need


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("page", "need"), [pytest.param(*case, id=f"{relative(case[0])} {case[1]}") for case in cases()]
)
def test_python_in_a_page_runs(page: Path, need: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in need.split():
        ecosystem(module)
    # What other processes are started for finds the same packages.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    blocks = [block for needs, block in blocks_of(page) if needs in ("", need)]
    parser = doctest.DocTestParser()
    test = parser.get_doctest("\n".join(blocks), {}, page.name, page.name, 0)
    assert len(test.examples) >= len(blocks) > 0
    flags = doctest.NORMALIZE_WHITESPACE
    assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_block_of_python_is_seen_to_run(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"```\s*\{?\.?py", text)) == len(blocks_of(page))
    assert all(">>>" in block for _, block in blocks_of(page))


def commands_of(page: Path) -> list[str]:
    """The lines of its blocks that are commands of ours, without what is said beside them."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    text = SHELL.sub(lambda block: textwrap.indent(block[1], "    "), text)
    return [command.partition("  #")[0].strip() for command in COMMAND.findall(text)]


WITH_COMMANDS = [page for page in PAGES if commands_of(page)]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=relative)
def test_commands_in_a_page_run(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lacking: dict[str, str] = {}
    with serving(of_words) as judge:
        commands = [command.replace(JUDGE, judge.url) for command in commands_of(page)]
        _run(commands, capsys, lacking)
    if lacking:
        pytest.skip(f"without the extra {', '.join(sorted(set(lacking.values())))}: {[*lacking]}")


def _run(commands: list[str], capsys: pytest.CaptureFixture[str], lacking: dict[str, str]) -> None:
    """Run commands; those that lack an extra are noted with it."""
    for command in commands:
        program, *arguments = shlex.split(command)
        target = None
        if ">" in arguments:
            place = arguments.index(">")
            target = arguments[place + 1]
            arguments[place : place + 2] = []
        status = PROGRAMS[program]([*arguments, *LESS.get((*arguments[:2],), [])])
        printed = capsys.readouterr()
        if target is not None:
            Path(target).write_text(printed.out, encoding="utf-8")
        missing = LACKS.search(printed.err)
        if status != 0 and missing:
            lacking[command] = missing[1]
        elif status != 0 and lacking and "no such file" in printed.err:
            continue  # what a command before it would have written
        else:
            worse = 3 * ("--fail-if-worse" in arguments)  # as one of the two systems is
            assert status in (0, worse), f"{command}\n{printed.err}"


@pytest.mark.parametrize(
    "script",
    [
        "docs_tables",
        "docs_picture",
        "evidence",
        "gaming_picture",
        "support_picture",
        "cost_picture",
    ],
)
def test_what_repeats_figures_and_options_is_up_to_date(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "ci"))
    main_of = importlib.import_module(script).main
    assert main_of(["--check"]) == 0, f"run python ci/{script}.py: {capsys.readouterr().out}"


def test_costs_and_speed_in_the_readme_are_those_of_the_page_on_speed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "ci"))
    tables = importlib.import_module("docs_tables")
    costs = tables.cost_of()
    needs = tables.rows_of(tables.part(ROOT / "README.md", "## Which metric for which need"))
    named = [
        (metric.replace("r1s: [`rouge1`]", "`rouge1-content`"), c) for _, metric, c, _ in needs
    ]
    told = [(re.search(r"`([\w-]+)`", metric), cost) for metric, cost in named if cost]
    assert len(told) >= 6
    speed = tables.rows_of(
        tables.part(ROOT / "docs" / "speed.md", "## ROUGE beside other packages")
    )
    for row in tables.rows_of(tables.part(ROOT / "README.md", "## Speed")):
        assert row in speed
    for name, cost in told:
        assert name is not None and costs[name[1]] == cost.removesuffix(", parsed"), name


def test_each_metric_has_a_page_that_names_its_options() -> None:
    options = {name: {*registry_of_metrics.options_of(name)} for name in summeval.list_metrics()}
    pages: dict[str, list[str]] = {name: [] for name in options}
    for page in sorted((ROOT / "docs" / "metrics").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        told = re.search(r"^Names: (.*?)\.\s", text, re.MULTILINE | re.DOTALL)
        of_it = re.findall(r"`([^`]+)`", told[1]) if told else []
        for name in of_it:
            pages[name].append(page.name)
            shared = "rouge-n.md" if name.startswith("rouge") else page.name
            described = (page.parent / shared).read_text(encoding="utf-8")
            lacking = {option for option in options[name] if f"`{option}`" not in described}
            assert not lacking, f"{page.name} names no option {sorted(lacking)} of {name}"
    assert {name: len(found) for name, found in pages.items()} == dict.fromkeys(options, 1)


def test_files_that_the_pages_name_are_there() -> None:
    named = 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"\b((?:tests|benchmarks)/[\w/*]+(?:\.py|/))", text):
            named += 1
            assert list(ROOT.glob(name.rstrip("/"))), f"{page}: {name}"
        assert not re.search(r"(?<![/\w])test_\w+\.py", text), f"{page}: a test without its folder"
    assert named > 40


def test_the_site_has_every_page() -> None:
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": ([\w/-]+\.md)$", site, re.MULTILINE))
    pages = [*PAGES[1:], *REFERENCE]
    assert listed == {path.relative_to(ROOT / "docs").as_posix() for path in pages}


def test_the_reference_names_what_there_is() -> None:
    named = {
        name
        for page in REFERENCE
        for name in re.findall(r"^::: ([\w.]+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    public = {f"summeval.{name}" for name in summeval.__all__ if name != "__version__"}
    public |= {f"summeval.meta.{name}" for name in summeval.meta.__all__}
    assert public <= named
    public |= {f"summeval.metrics.pyramid.{name}" for name in summeval.metrics.pyramid.__all__}
    for name in named - public:
        assert importlib.util.find_spec(name) is not None, name
    interop = {path.stem for path in (ROOT / "src" / "summeval" / "interop").glob("[a-z]*")}
    others = {"data", "shared", "rouge_score", "sacrebleu"}  # the last two by their modules
    assert {f"summeval.interop.{name}" for name in interop - others} <= named
