"""Meta-evaluation: how far the scores of metrics can be trusted, and how metrics combine."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from summeval.meta import qarla
    from summeval.meta.arrays import DesignWarning
    from summeval.meta.comparison import bonferroni, clusters, compare, holm, letters
    from summeval.meta.correlations import (
        correlate,
        correlation,
        fisher_interval,
        pairwise_accuracy,
        tie_calibrated_accuracy,
    )
    from summeval.meta.folds import out_of_fold
    from summeval.meta.jackknife import leave_one_out
    from summeval.meta.judges.agreement import (
        JudgeAgreement,
        cohen_kappa,
        judge_agreement,
        judge_pairs,
    )
    from summeval.meta.judges.alpha import krippendorff_alpha
    from summeval.meta.judges.reliability import (
        Reliability,
        intraclass_correlations,
        judge_reliability,
        spearman_brown,
        split_half_reliability,
    )
    from summeval.meta.qarla import orange
    from summeval.meta.ranking.rank import rank
    from summeval.meta.significance import (
        bootstrap_interval,
        koehn_test,
        koehn_tests,
        permutation_test,
        permutation_tests,
        williams_test,
    )
    from summeval.table.scores import Judgements, Scores

_HOMES = {
    "DesignWarning": "arrays",
    "JudgeAgreement": "judges.agreement",
    "Judgements": "@table.scores",
    "Reliability": "judges.reliability",
    "Scores": "@table.scores",
    "bonferroni": "comparison",
    "bootstrap_interval": "significance",
    "clusters": "comparison",
    "cohen_kappa": "judges.agreement",
    "compare": "comparison",
    "correlate": "correlations",
    "correlation": "correlations",
    "fisher_interval": "correlations",
    "holm": "comparison",
    "intraclass_correlations": "judges.reliability",
    "judge_agreement": "judges.agreement",
    "judge_pairs": "judges.agreement",
    "judge_reliability": "judges.reliability",
    "koehn_test": "significance",
    "koehn_tests": "significance",
    "krippendorff_alpha": "judges.alpha",
    "leave_one_out": "jackknife",
    "letters": "comparison",
    "orange": "qarla",
    "out_of_fold": "folds",
    "pairwise_accuracy": "correlations",
    "permutation_test": "significance",
    "permutation_tests": "significance",
    "rank": "ranking.rank",
    "spearman_brown": "judges.reliability",
    "split_half_reliability": "judges.reliability",
    "tie_calibrated_accuracy": "correlations",
    "williams_test": "significance",
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
