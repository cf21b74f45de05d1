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

_HOMES = {  # the names of each module
    "meta.arrays": "DesignWarning",
    "meta.comparison": "bonferroni clusters compare holm letters",
    "meta.correlations": "correlate correlation fisher_interval"
    " pairwise_accuracy tie_calibrated_accuracy",
    "meta.folds": "out_of_fold",
    "meta.jackknife": "leave_one_out",
    "meta.judges.agreement": "JudgeAgreement cohen_kappa judge_agreement judge_pairs",
    "meta.judges.alpha": "krippendorff_alpha",
    "meta.judges.reliability": "Reliability intraclass_correlations judge_reliability"
    " spearman_brown split_half_reliability",
    "meta.qarla": "orange",
    "meta.ranking.rank": "rank",
    "meta.significance": "bootstrap_interval koehn_test koehn_tests"
    " permutation_test permutation_tests williams_test",
    "table.scores": "Judgements Scores",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import each name, and with it NumPy, on first use."""
    if name == "qarla":
        return importlib.import_module("summeval.meta.qarla")
    if name in _HOME_OF:
        return getattr(importlib.import_module(f"summeval.{_HOME_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
