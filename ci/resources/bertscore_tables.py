"""Write the layers and the baselines that bert-score 0.3.13 has for models of the hub.

    python ci/resources/bertscore_tables.py

Both are numbers that its authors measured: the layer of each model that agreed best with people on
WMT16, and for each layer the mean precision, recall and F of random pairs of sentences, which
`rescale` subtracts. They come from the PyPI package bert-score 0.3.13 (MIT), fetched with pip into
a temporary folder; its files are read, not run.
"""

import ast
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

TABLES = Path(__file__).parents[2] / "src/summeval/metrics/bertscore/data/tables.json"
PACKAGE = "bert-score==0.3.13"
LAYERS, BASELINES = "bert_score/utils.py", "bert_score/rescale_baseline/"


def layers_of(source: str) -> dict[str, int]:
    """The table of layers, out of the source of the package."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "model2layers":
            found: dict[str, int] = ast.literal_eval(node.value)
            return found
    raise SystemExit("the package has no table of layers")


def baseline(lines: list[str]) -> list[list[float]]:
    """Precision, recall and F of each layer from 0 on."""
    rows = [line.split(",") for line in lines[1:] if line.strip()]
    assert [int(row[0]) for row in rows] == list(range(len(rows)))
    return [[float(number) for number in row[1:]] for row in rows]


def main() -> None:
    baselines: dict[str, dict[str, list[list[float]]]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch]
        subprocess.run([*command, PACKAGE], check=True)
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            layers = layers_of(archive.read(LAYERS).decode())
            for member in sorted(archive.namelist()):
                if member.startswith(BASELINES) and member.endswith(".tsv"):
                    language, _, model = member.removeprefix(BASELINES).partition("/")
                    lines = archive.read(member).decode().splitlines()
                    baselines.setdefault(language, {})[model[: -len(".tsv")]] = baseline(lines)
    told = {"source": PACKAGE, "layers": layers, "baselines": baselines}
    TABLES.parent.mkdir(exist_ok=True)
    TABLES.write_text(json.dumps(told, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
