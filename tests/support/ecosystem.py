"""Find the libraries of other ecosystems, which an ordinary test run does not need."""

import importlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

# Libraries that would tell their makers, or ask the network, are told not to before they are there.
QUIET = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DO_NOT_TRACK": "true",
    "LANGSMITH_TRACING": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "RAGAS_DO_NOT_TRACK": "true",
}


def ecosystem(module: str) -> Any:
    """The module; skips the test where it is absent, unless this run is there to test it.

    `make test-interop` and `make test-engines` set SUMMEVAL_NO_SKIP to the libraries that they
    install.
    """
    os.environ.update(QUIET)
    if module.partition(".")[0] in os.environ.get("SUMMEVAL_NO_SKIP", "").split():
        return importlib.import_module(module)
    return pytest.importorskip(module, exc_type=ImportError)


def reduce_in_process(
    rank: int, port: int, folder: str, terms: list[str], parts: list[tuple[list[str], list[str]]]
) -> None:
    """What torch starts as one of several processes, each of which has its part of the rows.

    It is here because the process that is started imports it by name.
    """
    import torch.distributed as dist

    from summeval.interop.torchmetrics import SummaryScore

    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=len(parts))
    score = SummaryScore(terms)
    score.update(*parts[rank])
    found = {name: float(value) for name, value in score.compute().items()}
    (Path(folder) / f"{rank}.json").write_text(json.dumps(found))
    dist.destroy_process_group()
