"""A drop-in for the scores of sacrebleu 2.6.0: its calls, classes, results and signatures, faster.

Only change the import. As there, references are streams: a list for each reference, with a text for
each row.

>>> from summeval.interop import sacrebleu
>>> rows = ["The dog bit the man.", "It rained."]
>>> sacrebleu.corpus_bleu(rows, [["The dog bit the man.", "It was raining."]])
BLEU = 75.54 88.9/71.4/80.0/100.0 (BP = 0.895 ratio = 0.900 hyp_len = 9 ref_len = 10)
>>> sacrebleu.sentence_chrf(rows[1], ["It was raining.", "Rain fell."])
chrF2 = 20.60
"""

from summeval.interop.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from summeval.interop.sacrebleu.metrics import BLEU, CHRF, TER
from summeval.interop.sacrebleu.metrics import VERSION as __version__

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]
