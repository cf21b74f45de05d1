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

from __future__ import annotations

from summeval._lazy import attach

__version__ = "2.6.0"  # of sacrebleu, whose numbers and signatures these are
__getattr__, __dir__ = attach(__name__)
