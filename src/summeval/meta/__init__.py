"""Meta-evaluation: how far the scores of metrics can be trusted, and how metrics combine."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from summeval.meta import qarla
    from summeval.meta.agreement import pairwise_accuracy, tie_calibrated_accuracy
    from summeval.meta.correlations import correlate, correlation, fisher_interval
    from summeval.meta.folds import out_of_fold
    from summeval.meta.jackknife import leave_one_out
    from summeval.meta.judges.alpha import krippendorff_alpha
    from summeval.meta.judges.halves import split_half_reliability
    from summeval.meta.judges.intraclass import intraclass_correlations
    from summeval.meta.judges.judgements import Judgements
    from summeval.meta.judges.overall import JudgeAgreement, judge_agreement
    from summeval.meta.judges.pairs import cohen_kappa, judge_pairs
    from summeval.meta.judges.reliability import (
        Reliability,
        judge_reliability,
        spearman_brown,
    )
    from summeval.meta.nbest import orange
    from summeval.meta.ranking.rank import rank
    from summeval.meta.significance.bootstrap import bootstrap_interval, koehn_test, koehn_tests
    from summeval.meta.significance.comparison import compare
    from summeval.meta.significance.multiple import bonferroni, clusters, holm, letters
    from summeval.meta.significance.pairs import permutation_tests
    from summeval.meta.significance.tests import permutation_test, williams_test
    from summeval.meta.tables.arrays import DesignWarning
    from summeval.meta.tables.scores import Scores

_HOMES = {
    "DesignWarning": "tables.arrays",
    "JudgeAgreement": "judges.overall",
    "Judgements": "judges.judgements",
    "Reliability": "judges.reliability",
    "Scores": "tables.scores",
    "bonferroni": "significance.multiple",
    "bootstrap_interval": "significance.bootstrap",
    "clusters": "significance.multiple",
    "cohen_kappa": "judges.pairs",
    "compare": "significance.comparison",
    "correlate": "correlations",
    "correlation": "correlations",
    "fisher_interval": "correlations",
    "holm": "significance.multiple",
    "intraclass_correlations": "judges.intraclass",
    "judge_agreement": "judges.overall",
    "judge_pairs": "judges.pairs",
    "judge_reliability": "judges.reliability",
    "koehn_test": "significance.bootstrap",
    "koehn_tests": "significance.bootstrap",
    "krippendorff_alpha": "judges.alpha",
    "leave_one_out": "jackknife",
    "letters": "significance.multiple",
    "orange": "nbest",
    "out_of_fold": "folds",
    "pairwise_accuracy": "agreement",
    "permutation_test": "significance.tests",
    "permutation_tests": "significance.pairs",
    "rank": "ranking.rank",
    "spearman_brown": "judges.reliability",
    "split_half_reliability": "judges.halves",
    "tie_calibrated_accuracy": "agreement",
    "williams_test": "significance.tests",
}

__all__ = [
    "DesignWarning",
    "JudgeAgreement",
    "Judgements",
    "Reliability",
    "Scores",
    "bonferroni",
    "bootstrap_interval",
    "clusters",
    "cohen_kappa",
    "compare",
    "correlate",
    "correlation",
    "fisher_interval",
    "holm",
    "intraclass_correlations",
    "judge_agreement",
    "judge_pairs",
    "judge_reliability",
    "koehn_test",
    "koehn_tests",
    "krippendorff_alpha",
    "leave_one_out",
    "letters",
    "orange",
    "out_of_fold",
    "pairwise_accuracy",
    "permutation_test",
    "permutation_tests",
    "qarla",
    "rank",
    "spearman_brown",
    "split_half_reliability",
    "tie_calibrated_accuracy",
    "williams_test",
]


def __getattr__(name: str) -> Any:
    """Import each name, and with it NumPy, on first use."""
    if name == "qarla":
        return importlib.import_module("summeval.meta.qarla")
    if name in _HOMES:
        return getattr(importlib.import_module(f"summeval.meta.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
