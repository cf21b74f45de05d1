"""Every reader of files with a valid file, and the rule that all of them follow.

`check(name, count, seed)` makes `count` wrong files of the right one and reads each: what comes
back is a value, or the package's own error, one line that names the file.
`python tests/fuzz/run.py --targets reader:conll -n N` does so.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyramid_cases import annotation, contributor, head, part, peer_scu, pyramid, scu
from readers_mutations import change_value, mutate

from summeval.annotate.coreference import ChainFile
from summeval.annotate.discourse import parser as discourse_parser
from summeval.annotate.discourse.document import DiscourseDocument, from_json, to_json
from summeval.annotate.discourse.treebanks import (
    read_conll,
    read_pipe,
    write_parses,
    write_pipe,
    write_relations,
)
from summeval.annotate.files import FileProvider, read_documents
from summeval.cli.rouge155.files import (
    SettingsError,
    read_elements,
    read_list,
    read_sentences,
    read_settings,
)
from summeval.cli.study.extracts import documents_of
from summeval.elements.trees import read_tree
from summeval.io import BadRow, DataError, SystemFailure
from summeval.io.formats import open_input, read_chunks
from summeval.io.plain import Plain, open_plain
from summeval.io.rows import Columns
from summeval.learn import model_file as _model_file
from summeval.learn.regression import LinearModel
from summeval.metrics.combination import Combination
from summeval.metrics.discourse.cremer import Cremer
from summeval.metrics.discourse.dicomer import Dicomer
from summeval.metrics.discourse.readability import Readability
from summeval.metrics.discourse.trained import FOLDER
from summeval.metrics.pyramid import ExtractRanker, PyramidFileError, read_pan, read_pyr
from summeval.metrics.pyramid.extract_documents import RowColumns
from summeval.table.table import read_rows, read_score_table
from summeval.table.tac import read_tac
from summeval.text.background import Background, background, idf

OWN = (ValueError, DataError, BadRow, SystemFailure, PyramidFileError, SettingsError)
"""The errors that readers raise; subclasses, such as UnicodeDecodeError, are Python's own."""


@dataclass(frozen=True)
class Reader:
    """A reader, the right files that it reads, and where a change of them goes.

    `change` makes a wrong file of a right one. `read` is called with the folder of the files.
    """

    files: dict[str, bytes]
    read: Callable[[Path], Any]
    change: Callable[[bytes, random.Random], bytes] = mutate


READERS: dict[str, Reader] = {}


def _add(name: str, file: str, data: bytes, read: Callable[[Path], Any], **more: Any) -> None:
    READERS[name] = Reader({file: data}, lambda folder: read(folder / file), **more)


CHAINS = """{"text": "Ann wept. She left.", "chains": [[[0, 3], [10, 13]], []]}
{"tokens": ["Bob", "saw", "his", "dog"], "chains": [[[0, 0], [2, 2]], [[2, 3]]]}
"""
CHAIN_ROWS = """# newdoc id = a
1\tAnn\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person(e2-x)
2\tLee\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|Entity=e1)
3-4\tdon't\t_\t_\t_\t_\t_\t_\t_\t_

# newdoc
1\tShe\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person)
"""


def _drain(rows: Any) -> int:
    return sum(1 for _ in rows)


DISCOURSE = DiscourseDocument(
    [[("It", "PRP"), ("rained", "VBD")], [("So", "RB"), ("we", "PRP"), ("left", "VBD")]],
    [
        {"type": "Explicit", "sense": "Contingency.Cause.Result", "conn_tokens": [2],
         "arg1": [0, 2], "arg2": [3, 5]},
        {"type": "Implicit", "sense": ["Temporal"], "arg1": [0, 2], "arg2": [2, 5]},
        {"type": "EntRel", "arg1": [0, 1], "arg2": [[3, 4]]},
    ],
)  # fmt: skip


def _discourse() -> None:
    documents = {"one": DISCOURSE}
    relations = "\n".join(write_relations(documents)).encode()
    parses = write_parses(documents).encode()

    def read(folder: Path) -> object:
        return read_conll(folder / "relations.json", folder / "parses.json")

    READERS["conll"] = Reader({"relations.json": relations, "parses.json": parses}, read)
    for columns in (48, 34):
        written = "\n".join(write_pipe(DISCOURSE, columns)).encode()
        _add(f"pipe{columns}", "a.pipe", written, lambda path: read_pipe(path, DISCOURSE))
    line = to_json(DISCOURSE, "It rained\nSo we left").encode()
    _add(
        "discourse json",
        "a.json",
        line,
        lambda path: from_json(path.read_bytes().decode("utf-8", "replace"), str(path)),
    )


CONLLU = """# newdoc
# provider = "hand"
# document_text = "Rome fell. It burnt."
# text = Rome fell.
# tree = (S (NP (NNP Rome)) (VP (VBD fell)) (. .))
1\tRome\tRome\t_\tNNP\t_\t2\tnsubj\t_\tNER=B-LOC|TokenRange=0:4
2\tfell\tfall\t_\tVBD\t_\t0\troot\t_\tTokenRange=5:9
3\t.\t.\t_\t.\t_\t2\tpunct\t_\tTokenRange=9:10

1-2\tIt\t_\t_\t_\t_\t_\t_\t_\t_
1 It PRP 2 nsubj
2 burnt VBD 0 root
#ner PER 1 1
"""
TREES = """# newdoc
# provider = "hand"
(S1 (S (NP (NNP John)) (VP (VBD left)
   (NP (-NONE- *)))))
#ner PER 1 1
# newdoc
(S (NP (DT The) (NN cat)) (VP (VBD sat)))
"""
ANNOTATIONS = (
    b'{"text":"Yes it is","provider":"hand","sentences":[{"forms":["Yes","it","is"],'
    b'"tags":["UH","PRP","VBZ"],"lemmas":["","",""],"labels":["","",""],"heads":[2,2,-1],'
    b'"starts":[0,4,7],"ends":[3,6,9],"tree":"(S (UH Yes) (PRP it) (VBZ is))"}],'
    b'"entities":[["PER",1,1]]}\n'
)


def _annotations() -> None:
    for name, file, data in (
        ("conllu", "a.conllu", CONLLU.encode()),
        ("trees", "a.trees", TREES.encode()),
        ("annotations", "a.jsonl", ANNOTATIONS),
        ("annotations gz", "a.jsonl.gz", gzip.compress(ANNOTATIONS, mtime=0)),
    ):
        _add(name, file, data, lambda path: _drain(read_documents(path)))
    _add("provider", "a.jsonl", ANNOTATIONS, lambda path: FileProvider(str(path)))
    for form, data in (("jsonl", CHAINS), ("conllu", CHAIN_ROWS)):
        _add(f"chains {form}", f"a.{form}", data.encode(), lambda path: ChainFile(str(path)))
    _add("chains gz", "a.jsonl.gz", gzip.compress(CHAINS.encode(), mtime=0),
         lambda path: ChainFile(str(path)))  # fmt: skip
    _add(
        "tree",
        "a.tree",
        b"(S (NP-SBJ (NNP John)) (VP (VBD left) (NP (-NONE- *T*-1))))",
        lambda path: read_tree(path.read_bytes().decode("utf-8", "replace"), str(path)),
    )


def _pyramids() -> None:
    text = head("A") + "the cat sat\n" + head("B") + "a dog slept & ate\n"
    cat, dog = text.index("the cat"), text.index("a dog")
    scus = (
        scu(1, contributor(part("the cat", cat)), contributor(part("a dog", dog)), label="x (2.0)"),
        scu(2, contributor(part("slept & ate", dog + 5, dog + 17))),
    )
    models = pyramid(text, *scus)
    peer = "a cat slept\n"
    pan = annotation(
        models,
        peer,
        peer_scu(1, contributor(part("a cat", 0)), label="(2) x"),
        peer_scu(2),
        peer_scu(0, contributor(part("slept", 6))),
    )
    _add("pyr", "a.pyr", models.encode(), read_pyr)
    _add("pan", "a.pan", pan.encode(), read_pan)


SETTINGS = b"""<ROUGE-EVAL version="1.55">
<EVAL ID="1">
<PEER-ROOT>peers</PEER-ROOT>
<MODEL-ROOT>models</MODEL-ROOT>
<INPUT-FORMAT TYPE="SPL">  </INPUT-FORMAT>
<PEERS><P ID="A">a.txt</P><P ID="B">b &amp; c.txt</P></PEERS>
<MODELS><M ID="0">m0.txt</M><M ID="1">m1 & 2.txt</M></MODELS>
</EVAL>
</ROUGE-EVAL>
"""
SEE = b"""<html><body bgcolor="white">
<a name="1">[1]</a> <a href="#1" id=1>Costs rose &amp; fell.</a>
<a size="2" name="2">[2]</a> <a href="#2" id=2>So did sales.</a>
</body></html>
"""
ISI = b'<S SNTNO="1">Costs rose.</S>\n<S SNTNO="2a">Sales fell.</S>\n'


def _rouge() -> None:
    _add("settings", "a.xml", SETTINGS, lambda path: read_settings(str(path)))
    _add("list", "a.lst", b"peer.txt m1.txt m2.txt\n# no\n\np2 m3\n",
         lambda path: read_list(str(path), "SPL", "1"))  # fmt: skip
    for form, data in (("SEE", SEE), ("SPL", b"one two\nthree\n"), ("ISI", ISI)):
        _add(
            f"texts {form}", "a.txt", data, lambda path, form=form: read_sentences(str(path), form)
        )
    _add("elements", "a.be", b"rose|costs|subj\nfell|sales|nn\n",
         lambda path: read_elements(str(path), "SIMPLE"))  # fmt: skip


def _resigned(kind: str) -> Callable[[bytes, random.Random], bytes]:
    """Changes of a model's content that keep its checksum right, so that readers see them."""

    def change(data: bytes, chance: random.Random) -> bytes:
        if chance.random() < 0.3:
            return mutate(data, chance)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.model"
            path.write_bytes(data)
            content, arrays = _model_file.load_model(path, kind)
            if chance.random() < 0.6 or not arrays:
                changed = change_value(content, chance)
                content = changed if isinstance(changed, dict) else {"x": 1}
            else:
                arrays = _changed(arrays, chance)
            try:
                _model_file.save_model(path, kind, content, arrays)
            except (ValueError, TypeError, OverflowError):
                return mutate(data, chance)  # no checksum can be made of it
            return path.read_bytes()

    return change


def _changed(arrays: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    name = chance.choice(sorted(arrays))
    array, others = arrays[name], {key: arrays[key] for key in arrays if key != name}
    ways: list[Callable[[], Any]] = [
        lambda: array[:-1],
        lambda: np.zeros(0),
        lambda: np.float64(1.0),
        lambda: array[None],
        lambda: np.full(array.shape, np.nan),
        lambda: np.full(array.shape, -1),
        lambda: np.full(array.shape, 2**62),
        lambda: array.astype(np.float32),
        lambda: array.astype(np.uint8),
        lambda: array[::-1],
    ]
    way = chance.randrange(len(ways) + 2)
    if way == len(ways):
        return others
    if way > len(ways):
        return {**others, name + "x": array}
    return {**others, name: ways[way]()}


def _saved(metric: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        metric.save(Path(folder) / "a.model")
        return (Path(folder) / "a.model").read_bytes()


def _models() -> None:
    for name, kind in (("readability", Readability), ("dicomer", Dicomer), ("cremer", Cremer)):
        data = (FOLDER / f"{name}.model").read_bytes()
        _add(f"model {name}", "a.model", data, kind.load, change=_resigned(name))
    made = Combination(["rouge1", "rouge2"])
    made.model = LinearModel(made.model.features, 0.5, [0.25] * len(made.model.features))
    with tempfile.TemporaryDirectory() as folder:
        made.save(Path(folder) / "a.model")
        data = (Path(folder) / "a.model").read_bytes()
    _add("model combination", "a.model", data, Combination.load, change=_resigned("combination"))
    for kind in ("mean", "svm-rbf"):
        normed = Combination(["rouge1.recall", "rouge2"], kind=kind)
        normed.fit_rows(np.arange(20.0).reshape(5, 4) % 7, [1, 2, 3, 4, 2])
        _add(f"model combination {kind}", "a.model", _saved(normed), Combination.load,
             change=_resigned("combination"))  # fmt: skip
    opened = Cremer(parts=["rouge1.recall", "rouge2"], kernel="linear")
    opened.fit([[0.1, 0.5], [0.4, 0.1], [0.6, 0.9]], [1, 2, 3])
    _add("model cremer parts", "a.model", _saved(opened), Cremer.load, change=_resigned("cremer"))
    ranker = ExtractRanker("skip-chain").fit([["a b", "c?", "> c?", "c d e"]], [[[0], [0, 3]]])
    with tempfile.TemporaryDirectory() as folder:
        ranker.save(Path(folder) / "a.model")
        data = (Path(folder) / "a.model").read_bytes()
    _add("model extract ranker", "a.model", data, ExtractRanker.load,
         change=_resigned("extract ranker"))  # fmt: skip
    few = discourse_parser.Linear(["a"], [0.0], [1.0], "f\ng", [[1, 3]])
    four = discourse_parser.Linear([*"abcd"], [0.0] * 4, [1.0] * 4, "f", [[1]] * 4)
    level = few._replace(classes=["Contingency"])
    small = discourse_parser.Model(
        dict.fromkeys(discourse_parser.COMPONENTS, few)
        | {"boundary": four, "sense": level, "neighbours": level},
        ["so", "so that"],
        {"Contingency": "Contingency", "so|Contingency": "Contingency.Cause"},
        "hand",
    )
    with tempfile.TemporaryDirectory() as folder:
        discourse_parser.save(small, Path(folder) / "a.model")
        data = (Path(folder) / "a.model").read_bytes()
    load = discourse_parser.load
    _add("model discourse", "a.model", data, load, change=_resigned(discourse_parser.KIND))


def _word_tables() -> None:
    found = Background()
    for text in ("The bridges closed.", "A bridge."):
        found.add(text)
    data = found.to_json().encode()
    _add("background", "a.json", data, lambda path: background(str(path), "porter-java"))
    _add("idf", "a.json", data, lambda path: idf(str(path), "porter-java"))
    _add(
        "background lines",
        "a.txt",
        b"the 5\nbridge 2\n",
        lambda path: background(str(path), "porter-java"),
    )
    _add("idf lines", "a.txt", b"12\nthe 0.5\nbridge 2.5\n", lambda path: idf(str(path), None))


ROWS = [
    {"id": "one", "candidate": "the cat sat", "references": ["the cat", "a cat"], "topic": "t",
     "system": "s1", "human": 1.5},
    {"id": "two", "candidate": "a dog ran", "references": ["a dog"], "topic": "t", "system": "s2",
     "human": 2},
]  # fmt: skip
CSV = (
    b'id,candidate,references,human\none,the cat sat,"[""the cat"", ""a cat""]",1\ntwo,a dog,b,2\n'
)
TSV = b'id\tcandidate\treferences\none\tthe, cat\t["the cat", "a cat"]\ntwo\t"a\tdog"\tb\n'
SCORES = b"topic,system,overall\nd1,1,0.5\nd1,2,NA\n"


EXTRACTS = [
    {"topic": "t", "annotator": who, "utterances": ["Shall we?", "Yes.", "> Shall we?", "At 9."],
     "extract": extract, "speakers": ["a", "b", "a", "a"], "links": [[1, 0], [3, 2]], "title": "we"}
    for who, extract in (("x", [0, 1]), ("y", []))
]  # fmt: skip


def _changed_rows(data: bytes, chance: random.Random) -> bytes:
    """Rows that are still JSON, most of the time."""
    if chance.random() < 0.3:
        return mutate(data, chance)
    rows = [json.loads(line) for line in data.splitlines()]
    place = chance.randrange(len(rows))
    rows[place] = change_value(rows[place], chance)
    return "".join(json.dumps(row) + "\n" for row in rows).encode("utf-8", "surrogatepass")


def _table(form: str) -> bytes:
    table = pa.table(
        {
            **{name: [row[name] for row in ROWS] for name in ROWS[0]},
            "kind": pa.array(["a", "b"]).dictionary_encode(),
            "view": pa.array(["a text that is not short", "b"], pa.string_view()),
        }
    )
    sink = io.BytesIO()
    if form == "parquet":
        pq.write_table(table.drop_columns("view"), sink)
    else:
        make = pa.ipc.new_stream if form == "stream" else pa.ipc.new_file
        with make(sink, table.schema) as writer:
            writer.write_table(table)
    return sink.getvalue()


def _score(path: Path, form: str) -> object:
    """What `summeval score` reads of a file."""
    with open_input(str(path), form) as file:
        columns = Columns(needs=("references",))
        if form in ("jsonl", "csv", "tsv"):
            return _drain(read_chunks(file, form, columns))
        names = file.carried(columns, False)
        made: object = None
        for chunk in file.chunks(columns, names):
            made = len(chunk.candidates), len(chunk.references), len(chunk.rows)
            chunk.candidates.to_list()
            chunk.references.to_list()
        return made


PLAIN = {"hyp.txt": "a cat\r\n東京\n\nit\u2028sat".encode(), "ref.txt": b"the cat\nx\ny\nz\n"}


def _plain(folder: Path) -> object:
    """What `summeval score --hyp` reads of two files."""
    paths = [str(folder / name) for name in PLAIN]
    with open_plain(Plain([("hyp", paths[0])], paths[1:])) as file:
        return _drain(read_chunks(file, "plain", Columns()))


TAC = {
    "D0901-A.M.100.A.1": b"a cat\nsat\n",
    "D0901-A.M.100.A.B": b"the cat\n",
    "manual.peer.A": b"D0901-A 1 0.5 3 0 9 9 0.6 4 2\n",
    "manual.model.A": b"D0901-A B 7 9 9 0.7 5 4\n",
    "overall.table": b"head\nD0901 x y 1 2\nD0901 x y B 5\n",
    "linguistic_quality.table": b"head\nD0901 x y 1 1 2\n",
    "processed_pans.txt": b"901 1 0.5 0.25 6 1\n",
    "rougejk_A.m.out": b"---\n1 ROUGE-2 Eval D0901-A.M.100.A.1 R:0.1 P:0.1 F:0.1\n",
    "aesop_allpeers_A": b"s t m\ns1 d1 0.5\nsB d1 NaN\n",
}


def _rows() -> None:
    lines = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
    for form, data in (("jsonl", lines), ("csv", CSV), ("tsv", TSV)):
        _add(f"score {form}", f"a.{form}", data, lambda path, form=form: _score(path, form))
        _add(f"rows {form}", f"a.{form}", data, lambda path: read_rows(str(path)))
    READERS["score plain"] = Reader(PLAIN, _plain)
    _add("score gz", "a.jsonl.gz", gzip.compress(lines, mtime=0),
         lambda path: _score(path, "jsonl"))  # fmt: skip
    for form in ("arrow", "stream", "parquet"):
        told = "parquet" if form == "parquet" else "arrow"
        file, data = f"a.{told}", _table(form)
        _add(f"score {form}", file, data, lambda path, told=told: _score(path, told))
        _add(f"rows {form}", file, data, lambda path: read_rows(str(path)))
    _add("score table", "a.txt", SCORES, lambda path: read_score_table(str(path)))
    _add("blank table", "a.txt", b"d1.M.100.X.7 0.5 1\nd1.M.100.X.8 0.25 2\n",
         lambda path: read_score_table(str(path)))  # fmt: skip
    extracts = "".join(json.dumps(row) + "\n" for row in EXTRACTS).encode()
    _add("extracts", "a.jsonl", extracts, lambda path: documents_of(str(path), RowColumns()),
         change=_changed_rows)  # fmt: skip
    READERS["tac"] = Reader(TAC, lambda folder: read_tac(str(folder)))


for _fill in (_discourse, _annotations, _pyramids, _rouge, _models, _word_tables, _rows):
    _fill()


def problem_of(error: BaseException, place: str) -> str | None:
    """What is wrong with an error as an answer about a file at `place`; None for nothing."""
    if type(error) not in OWN:
        return f"{type(error).__name__} is not the package's own: {error}"
    message = str(error)
    if "\n" in message or not message.isprintable():
        return f"not one plain line: {message!r}"
    if not message.startswith(place):
        return f"does not begin with the file: {message!r}"
    if len(message) > 2000:
        return f"{len(message)} characters long"
    return None


def read_wrong(name: str, seed: str, folder: Path) -> str | None:
    """Reads the wrong file that `seed` names; what is wrong with the answer, None for nothing."""
    reader = READERS[name]
    chance = random.Random(f"{name}/{seed}")
    wrong = chance.choice(sorted(reader.files))
    for file, data in reader.files.items():
        written = reader.change(data, chance) if file == wrong else data
        (folder / file).write_bytes(written)
    try:
        reader.read(folder)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        problem = problem_of(error, str(folder))
        if problem is not None:
            where = traceback.extract_tb(error.__traceback__)[-1]
            return f"{problem} [{Path(where.filename).name}:{where.lineno}]"
    return None


def check(name: str, count: int, seed: int = 0) -> list[str]:
    """The wrong answers of a reader over `count` wrong files, with the seeds that repeat them."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            problem = read_wrong(name, f"{seed}/{number}", Path(folder))
            if problem is not None:
                found.append(f"{name}/{seed}/{number}: {problem}")
    return found
