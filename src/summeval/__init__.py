"""Summary evaluation: exact where an original program exists, and fast.

>>> import summeval
>>> summeval.score("the cat sat", ["the cat sat down"], ["rouge1"])
{'rouge1': Score(precision=1.0, recall=0.75, fmeasure=0.8571428571428571)}
"""

from __future__ import annotations

from summeval import _forks  # noqa: F401  its hooks must stand before the first thread
from summeval._lazy import lazy
from summeval._version import __version__

TYPE_CHECKING = False  # as that of typing, which is not worth its time here
if TYPE_CHECKING:
    from summeval import annotate, elements, io, meta, metrics, solvers, text  # noqa: F401
    from summeval._core.rows.record import Score
    from summeval.metrics.bertscore.metric import BertScore
    from summeval.metrics.bipartite import BipartiteMatching
    from summeval.metrics.cited.cite import cite
    from summeval.metrics.combination import Combination
    from summeval.metrics.discourse.cremer import Cremer
    from summeval.metrics.discourse.dicomer import Dicomer
    from summeval.metrics.discourse.readability import Readability
    from summeval.metrics.elements.basic_elements import BasicElements
    from summeval.metrics.elements.bewte import BEwTE
    from summeval.metrics.extractiveness import Extractiveness
    from summeval.metrics.ngram_graphs import AutoSummENG, MeMoG, NPowER
    from summeval.metrics.nouveau_rouge import NouveauRouge
    from summeval.metrics.own.register import register, unregister
    from summeval.metrics.paraeval import ParaEval
    from summeval.metrics.pyramid.lite import LitePyramid
    from summeval.metrics.pyramid.position import PositionPyramid
    from summeval.metrics.registry import list_metrics, metric
    from summeval.metrics.rouge.metric import Rouge
    from summeval.metrics.run.base import Metric
    from summeval.metrics.run.notices import ScoreWarning
    from summeval.metrics.run.signature import Signature
    from summeval.metrics.run.suite import Suite
    from summeval.metrics.run.table import ScoreTable
    from summeval.metrics.scoring import explain, score, score_batch, suite, values
    from summeval.metrics.simetrix import Simetrix
    from summeval.metrics.support.metric import Support
    from summeval.metrics.tesla.tesla_e import TeslaE
    from summeval.metrics.tesla.tesla_m import TeslaM
    from summeval.metrics.tesla.tesla_s import TeslaS

__all__ = [
    "AutoSummENG",
    "BEwTE",
    "BasicElements",
    "BertScore",
    "BipartiteMatching",
    "Combination",
    "Cremer",
    "Dicomer",
    "Extractiveness",
    "LitePyramid",
    "MeMoG",
    "Metric",
    "NPowER",
    "NouveauRouge",
    "ParaEval",
    "PositionPyramid",
    "Readability",
    "Rouge",
    "Score",
    "ScoreTable",
    "ScoreWarning",
    "Signature",
    "Simetrix",
    "Suite",
    "Support",
    "TeslaE",
    "TeslaM",
    "TeslaS",
    "__version__",
    "cite",
    "explain",
    "list_metrics",
    "metric",
    "register",
    "score",
    "score_batch",
    "suite",
    "unregister",
    "values",
]

_FOLDERS = ("annotate", "elements", "io", "learn", "meta", "metrics", "solvers", "text")

_HOMES = {
    "AutoSummENG": "metrics.ngram_graphs",
    "BEwTE": "metrics.elements.bewte",
    "BasicElements": "metrics.elements.basic_elements",
    "BertScore": "metrics.bertscore.metric",
    "BipartiteMatching": "metrics.bipartite",
    "Combination": "metrics.combination",
    "Cremer": "metrics.discourse.cremer",
    "Dicomer": "metrics.discourse.dicomer",
    "Extractiveness": "metrics.extractiveness",
    "LitePyramid": "metrics.pyramid.lite",
    "MeMoG": "metrics.ngram_graphs",
    "Metric": "metrics.run.base",
    "NPowER": "metrics.ngram_graphs",
    "NouveauRouge": "metrics.nouveau_rouge",
    "ParaEval": "metrics.paraeval",
    "PositionPyramid": "metrics.pyramid.position",
    "Readability": "metrics.discourse.readability",
    "Rouge": "metrics.rouge.metric",
    "Score": "_core.rows.record",
    "ScoreTable": "metrics.run.table",
    "ScoreWarning": "metrics.run.notices",
    "Signature": "metrics.run.signature",
    "Simetrix": "metrics.simetrix",
    "Suite": "metrics.run.suite",
    "Support": "metrics.support.metric",
    "TeslaE": "metrics.tesla.tesla_e",
    "TeslaM": "metrics.tesla.tesla_m",
    "TeslaS": "metrics.tesla.tesla_s",
    "cite": "metrics.cited.cite",
    "explain": "metrics.scoring",
    "list_metrics": "metrics.registry",
    "metric": "metrics.registry",
    "register": "metrics.own.register",
    "score": "metrics.scoring",
    "score_batch": "metrics.scoring",
    "suite": "metrics.scoring",
    "unregister": "metrics.own.register",
    "values": "metrics.scoring",
}

if not TYPE_CHECKING:  # which would take any name for one that is there
    __getattr__ = lazy(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*__all__, *_FOLDERS, *(name for name in globals() if name.startswith("__"))})
