"""`summeval bench solvers`: time the back ends and check every answer.

Solve assignment and transportation problems with every back end installed, check each answer by
its certificate, and print the median time for one problem and its ratio to the kernel.

[ARGUMENTS]
--problem: kind of problem [all]
--families: families to run [those marked *]
--solvers: back ends to run [all installed]
--instances: problems to solve instead; - is stdin
--rounds: rounds to time [5]
--clock: wall-clock time, or CPU time, which is steadier on a busy machine [wall]
--limit: at most N problems of a family
--json: write the measurements; - is standard output, without the table
--plot: draw time against size: .png, .svg or .pdf

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.

FILE is JSON, a list of problems:
  {"shape": [2, 3], "edges": [[0, 1, 0.5], [1, 2, 0.9]]}   row, column, weight of each edge
  {"weights": [[0.5, 0.1], [0.0, 0.9]]}                    a dense matrix
Either may have "supply" and "demand", lists of numbers that make it a transportation problem,
and "family", the group under which it is shown.

Back ends run in one process, in rounds of alternating order. An untimed first round converts each
problem to the input format of each back end. A back end that has spent 2 seconds on a family gets
no further round. Back ends that cannot share a process (highspy and ortools) run in separate
processes, each with the kernel; the table marks them, their ratio refers to the kernel there, and
they have no gain.
Failures are problems with a wrong answer (w), refused (r) or ended by an error (e). The exit status
is 1 if any answer was wrong.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import json
import os
import platform
import re
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

import summeval
from summeval._options import unknown
from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, as_usage, put, refusals, write_file
from summeval.io import DataError
from summeval.io.source import InputFile
from summeval.solvers import bench
from summeval.solvers.result import Problem, back_ends, list_solvers, load


def _families() -> str:
    lines = ["\n"]
    for problem, families in bench.FAMILIES.items():
        few = bench.defaults(problem)
        lines.append(f"Families of {problem}:")
        lines += [f"  {name}{' *' if name in few else ''}" for name in families]
    return "\n".join(lines).replace("%", "%%")


HELP_END = _families()


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("--problem", choices=(*bench.FAMILIES, "all"), default="all")
    add("--families", metavar="A,B")
    add("--solvers", metavar="A,B")
    add("--instances", metavar="FILE")
    add("--rounds", type=int, default=5, metavar="N")
    add("--clock", choices=tuple(bench.CLOCKS), default="wall")
    add("--limit", type=int, metavar="N")
    add("--json", metavar="OUT")
    add("--plot", metavar="OUT")


def run(arguments: Namespace) -> int:
    """Measure, print and write; return the exit status, 1 if an answer was wrong."""
    flags.check_least(arguments, rounds=1, limit=1)
    for name in ("json", "plot"):
        folder = os.path.dirname(getattr(arguments, name) or "")
        if folder and not os.path.isdir(folder):
            raise UsageError(f"--{name}: folder {folder} does not exist; create it")
    if arguments.plot:
        if not arguments.plot.lower().endswith((".png", ".svg", ".pdf")):
            problem = "unknown extension; use .png, .svg or .pdf"
            raise UsageError(f"--plot {arguments.plot}: {problem}")
        if importlib.util.find_spec("matplotlib") is None:
            raise UsageError("--plot needs the package matplotlib: pip install summeval[report]")
    groups = _groups(arguments)
    chosen = _solvers(arguments.solvers, [group.problem for group in groups])
    rows: list[bench.BenchRow] = []
    show = put if arguments.json != "-" else lambda lines: None
    width = max(len(group.family) for group in groups)
    show([_line(("family", "solver", "time", "ratio", "gain", "failures"), width)])
    for found in bench.measure(groups, chosen, arguments.rounds, arguments.clock):
        rows += found
        show(_table(found, width))
    show(_notes(rows))
    if arguments.json:
        document = json.dumps(_report(rows), indent=1, allow_nan=False) + "\n"
        write_file(arguments.json, document.encode())
    if arguments.plot:
        write_file(arguments.plot, _draw(rows, arguments.plot.rpartition(".")[2].lower()))
    return int(any(row.wrong for row in rows))


def _groups(arguments: Namespace) -> list[bench.Group]:
    problems: list[Problem] = [
        name for name in bench.FAMILIES if arguments.problem in (name, "all")
    ]
    if arguments.instances is not None:
        if arguments.families is not None:
            raise UsageError("--families and --instances cannot be combined; pass one")
        return _read(arguments.instances, arguments.limit, problems)
    wanted = [(problem, name) for problem in problems for name in bench.defaults(problem)]
    if arguments.families is not None:
        known = [name for problem in problems for name in bench.FAMILIES[problem]]
        names = _names(arguments.families, "--families", "family", known)
        both = ((problem, name) for name in names for problem in problems)
        wanted = [(problem, name) for problem, name in both if name in bench.FAMILIES[problem]]
    return [bench.make_group(problem, name, arguments.limit) for problem, name in wanted]


def _read(path: str, limit: int | None, problems: Sequence[Problem]) -> list[bench.Group]:
    with InputFile(path) as file:
        data = b"".join(file.blocks())
    hint = "see summeval bench solvers --help for the format"
    with refusals(path, hint, besides=True):
        groups = [group for group in bench.read_groups(data, limit) if group.problem in problems]
    if not groups:
        raise DataError(path, f"holds no {problems[0]} problems", "omit --problem")
    met = Counter(group.family for group in groups)
    return [  # a family that has both problems gets the problem in its name
        group._replace(family=f"{group.family}-{group.problem}") if met[group.family] > 1 else group
        for group in groups
    ]


def _solvers(given: str | None, problems: Sequence[Problem]) -> list[str] | None:
    if given is None:
        return None
    known = {name: problem for problem in problems for name in back_ends(problem)}
    names = _names(given, "--solvers", "solver", known)
    for name in names:
        if name not in list_solvers(known[name]):
            with as_usage(ImportError):
                load(known[name], name)
    return names


def _names(given: str, option: str, what: str, known: Collection[str]) -> list[str]:
    names = list(dict.fromkeys(filter(None, (name.strip() for name in given.split(",")))))
    if not names:
        raise UsageError(f"{option} is empty; pass names separated by commas")
    for name in names:
        if name not in known:
            raise UsageError(unknown(what, name, known))
    return names


def _table(rows: Sequence[bench.BenchRow], width: int) -> list[str]:
    lines = []
    for row in rows:
        marks = ((row.wrong, "w"), (row.refused, "r"), (row.errors, "e"))
        failures = " ".join(f"{count}{mark}" for count, mark in marks if count)
        failed = f"{failures} of {row.problems}" if failures else "0"
        seconds = "-" if row.seconds is None else _time(row.seconds)
        shares = ("-" if of is None else f"{of:.3g}" for of in (row.ratio, row.gain))
        lines.append(
            _line((row.family, row.solver + "*" * row.alone, seconds, *shares, failed), width)
        )
    return lines


def _line(cells: Sequence[str], width: int) -> str:
    family, solver, seconds, ratio, gain, failures = cells
    return f"{family:{width}}  {solver:13}  {seconds:>10}  {ratio:>7}  {gain:>6}  {failures}"


def _time(seconds: float) -> str:
    """Format with three digits and a unit.

    >>> _time(0.0000123), _time(0.5), _time(12.0)
    ('12.3 us', '500 ms', '12 s')
    """
    for unit, scale in (("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 999.5:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def _notes(rows: Sequence[bench.BenchRow]) -> list[str]:
    lines = [
        "",
        f"Medians of {rows[0].clock} time for one problem.",
        "Ratio: time over that of the kernel, one problem at a time.",
        "Gain: time of highs-default, a new HiGHS for each problem, over the time.",
    ]
    apart = sorted({row.solver for row in rows if row.alone})
    if apart:
        lines.append(f"* in a separate process with the kernel: {', '.join(apart)}")
    lines += [f"{row.family}, {row.solver}: {row.message}" for row in rows if row.failures]
    return lines


def _report(rows: Sequence[bench.BenchRow]) -> dict[str, Any]:
    used = {"numpy", "scipy", "highspy"}
    for row in rows:
        end = back_ends(row.problem).get(row.solver)  # none of the kernel in batches
        used.add((end and end.package) or "numpy")
    ours = {"summeval": summeval.__version__, "python": platform.python_version()}
    versions = {name: importlib.metadata.version(name) for name in sorted(used)}
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "system": platform.platform(),
            "architecture": platform.machine(),
            "processor": _processor(),
            "processors": os.cpu_count(),
        },
        "versions": {**ours, **versions},
        "rows": [row._asdict() for row in rows],
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            names = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0].strip() if names else platform.processor()


def _draw(rows: Sequence[bench.BenchRow], form: str) -> bytes:
    """One panel per problem, one colour per solver, one line style per kind of family."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    problems = list(dict.fromkeys(row.problem for row in rows))
    names = list(dict.fromkeys(row.solver for row in rows))
    colours = {name: colormaps["tab10"](place % 10) for place, name in enumerate(names)}
    figure = Figure(figsize=(6.4 * len(problems), 4.8), layout="constrained")
    panels = figure.subplots(1, len(problems), squeeze=False)[0]
    for panel, problem in zip(panels, problems, strict=True):
        lines: dict[tuple[str, str], list[tuple[int, float]]] = {}
        for row in rows:
            if row.problem == problem and row.seconds is not None:
                kind = re.sub(r"-\d+", "", row.family, count=1)
                lines.setdefault((row.solver, kind), []).append((row.edges, row.seconds))
        shown = {solver: solver for solver, _ in lines}  # each once in the legend
        for (solver, _), points in lines.items():
            sizes, times = zip(*sorted(points), strict=True)
            how = {"color": colours[solver], "label": shown.pop(solver, None)}
            panel.plot(sizes, times, "o-", markersize=4, linewidth=1, **how)
        panel.set(xscale="log", yscale="log", xlabel="edges", title=problem)
        edges = [row.edges for row in rows if row.problem == problem]
        _label_sizes(panel.xaxis, max(edges) / max(min(edges), 1))
        panel.set_ylabel("seconds for one problem")
        if lines:
            panel.legend()
    image = io.BytesIO()
    figure.savefig(image, format=form)
    return image.getvalue()


def _label_sizes(axis: Any, span: float) -> None:
    """Ticks of a logarithmic axis at 1, 2 and 5 times powers of 10, or at powers if these are many.

    matplotlib's own labels between powers would overlap.
    """
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if span < 1000 else (1,)))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axis.set_minor_formatter(NullFormatter())
