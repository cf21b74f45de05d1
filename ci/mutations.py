"""The changes that `ci/mutants.py` makes: of Python by its syntax, of C++ by the look of a line."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    """A change of one stretch of a file.

    Attributes
    ----------
    path : str
        From the root of the repository.
    place : str
        Function or line of the stretch, which stays what it is when other lines are changed.
    begin, end : int
        The stretch, in bytes.
    new : str
        What stands there instead.
    lines : tuple of int
        The lines of the statement, by which its tests are found.
    key : str
        Names the mutant in lists.
    """

    path: str
    place: str
    begin: int
    end: int
    new: str
    lines: tuple[int, ...]
    key: str

    def applied(self, source: bytes) -> bytes:
        """The file with the change."""
        return source[: self.begin] + self.new.encode() + source[self.end :]


COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Mod: ast.Add,
    ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Calls that only tell people something, or that types alone need.
UNTOUCHED = ("warn", "print", "say", "put", "cast", "TypeVar", "NamedTuple", "add_argument", "add")


class _Python(ast.NodeVisitor):
    """Finds the changes of a module: (node, what replaces it)."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.AST, str, str, tuple[int, ...]]] = []
        self.scope: list[str] = []
        self.lines: tuple[int, ...] = ()

    def change(self, node: ast.AST, new: ast.AST | str) -> None:
        text = new if isinstance(new, str) else f"({ast.unparse(new)})"
        self.found.append((node, text, ".".join(self.scope), self.lines))

    def visit(self, node: ast.AST) -> None:
        before = self.lines
        if isinstance(node, ast.stmt):
            self.lines = tuple(_lines_of(node))
        super().visit(node)
        self.lines = before

    def _scoped(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        bases = [ast.unparse(base) for base in getattr(node, "bases", ())]
        if any("Protocol" in base for base in bases):
            return
        self.scope.append(node.name)
        if isinstance(node, ast.FunctionDef):
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self.scope.pop()

    visit_FunctionDef = visit_ClassDef = _scoped

    def visit_Raise(self, node: ast.Raise) -> None:
        """Messages are not changed."""

    visit_Assert = visit_JoinedStr = visit_Import = visit_ImportFrom = visit_Raise

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" not in ast.unparse(node.test):
            self._conditional(node)

    def _conditional(self, node: ast.If | ast.While | ast.IfExp) -> None:
        if not isinstance(node.test, (ast.Compare, ast.UnaryOp, ast.Constant)):
            self.change(node.test, ast.UnaryOp(ast.Not(), node.test))
        self.generic_visit(node)

    visit_IfExp = visit_While = _conditional

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring, or ...
        if isinstance(node.value, ast.Call) and not _told(node.value):
            self.change(node.value, "None")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if _told(node):
            return
        if isinstance(node.func, ast.Name) and node.func.id in CALLS:
            self.change(node.func, CALLS[node.func.id])
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for place, operator in enumerate(node.ops):
            changed = COMPARISONS[type(operator)]()
            operators = [*node.ops[:place], changed, *node.ops[place + 1 :]]
            self.change(node, ast.Compare(node.left, operators, node.comparators))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.change(node, ast.BoolOp(other, node.values))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, (ast.Not, ast.USub)):
            self.change(node, node.operand)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        text = any(isinstance(side, (ast.JoinedStr, ast.Constant)) and not _number(side)
                   for side in (node.left, node.right))  # fmt: skip
        if type(node.op) in ARITHMETIC and not text:
            self.change(node, ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right))
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in ARITHMETIC:
            new = ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
            self.change(node, ast.unparse(new))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not isinstance(node.value, ast.Constant):
            self.change(node.value, "None")
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self.change(node, "continue")

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.change(node, str(not node.value))
        elif isinstance(node.value, int):
            self.change(node, str(node.value + 1))
        elif isinstance(node.value, float):
            self.change(node, repr(node.value * 2 if node.value else 1.0))


def _number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def _told(node: ast.Call) -> bool:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in UNTOUCHED


def _lines_of(node: ast.stmt) -> range:
    """The lines of a statement, without those of the statements in it."""
    body = getattr(node, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
    return range(node.lineno, max(node.lineno, last) + 1)


def _of_python(source: str, path: str) -> Iterator[Mutant]:
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    finder = _Python()
    finder.visit(ast.parse(source))
    seen: Counter[str] = Counter()
    for node, new, scope, lines in finder.found:
        begin = starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        old = " ".join(source.encode()[begin:end].decode().split())
        shown = new[1:-1] if new.startswith("(") and new.endswith(")") else new
        yield _named(
            path, scope, begin, end, new, lines, f"{old} -> {' '.join(shown.split())}", seen
        )


# Of a line of C++: what is looked for, and what stands there instead.
NATIVE = [
    (re.compile(r" < "), " <= "),
    (re.compile(r" <= "), " < "),
    (re.compile(r" > "), " >= "),
    (re.compile(r" >= "), " > "),
    (re.compile(r" == "), " != "),
    (re.compile(r" != "), " == "),
    (re.compile(r" && "), " || "),
    (re.compile(r" \|\| "), " && "),
    (re.compile(r" \+ 1\b"), " + 2"),
    (re.compile(r" - 1\b"), ""),
    (re.compile(r" \+= "), " -= "),
    (re.compile(r" = 0;"), " = 1;"),
    (re.compile(r" = 1;"), " = 2;"),
    (re.compile(r"\breturn (?=[a-z_.]+;)"), "return !"),
    (re.compile(r"\bstd::min\b"), "std::max"),
    (re.compile(r"\bstd::max\b"), "std::min"),
]
_NO_CODE = re.compile(
    r"\s*(//|#|template|static_assert|using|enum|namespace|struct|class)|.*operator"
)


def _of_native(source: str, path: str) -> Iterator[Mutant]:
    seen: Counter[str] = Counter()
    begin = 0
    for number, line in enumerate(source.splitlines(keepends=True), 1):
        code = line.partition("//")[0]
        if not _NO_CODE.match(line):
            for pattern, new in NATIVE:
                for found in pattern.finditer(code):
                    ends = [begin + len(line[:place].encode()) for place in found.span()]
                    what = f"{found[0]!r} -> {new!r}"
                    place = " ".join(line.split())
                    yield _named(path, place, *ends, new, (number,), what, seen)
        begin += len(line.encode())


def _named(  # noqa: PLR0917
    path: str,
    place: str,
    begin: int,
    end: int,
    new: str,
    lines: tuple[int, ...],
    what: str,
    seen: Counter[str],
) -> Mutant:
    key = f"{path.removeprefix('src/summeval/')}: {place}: {what}"
    seen[key] += 1
    again = f" ({seen[key]})" if seen[key] > 1 else ""
    return Mutant(path, place, begin, end, new, lines, key + again)


def of(path: Path, name: str) -> list[Mutant]:
    """All changes of a file, named `name` from the root."""
    source = path.read_text(encoding="utf-8")
    found = _of_python(source, name) if path.suffix == ".py" else _of_native(source, name)
    return list(found)
