# The names of the package: `_lazy.attach` reads the imports here when a name is first used, and the
# pages of the reference show what `__all__` has.

from summeval.interop.sacrebleu.compat import corpus_bleu as corpus_bleu
from summeval.interop.sacrebleu.compat import corpus_chrf as corpus_chrf
from summeval.interop.sacrebleu.compat import corpus_ter as corpus_ter
from summeval.interop.sacrebleu.compat import raw_corpus_bleu as raw_corpus_bleu
from summeval.interop.sacrebleu.compat import sentence_bleu as sentence_bleu
from summeval.interop.sacrebleu.compat import sentence_chrf as sentence_chrf
from summeval.interop.sacrebleu.compat import sentence_ter as sentence_ter
from summeval.interop.sacrebleu.metrics import BLEU as BLEU
from summeval.interop.sacrebleu.metrics import CHRF as CHRF
from summeval.interop.sacrebleu.metrics import TER as TER

__version__: str

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
