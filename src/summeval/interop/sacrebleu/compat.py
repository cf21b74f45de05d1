"""Scores by one call, with sacrebleu's arguments; the classes say what these mean."""

# ruff: noqa: PLR0917  (as many positional arguments as sacrebleu takes)

from __future__ import annotations

from collections.abc import Sequence

from summeval.interop.sacrebleu.metrics import (
    BLEU,
    CHRF,
    TER,
    BLEUScore,
    CHRFScore,
    Streams,
    TERScore,
)


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Streams,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Return the BLEU of a corpus."""
    bleu = BLEU(
        lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order
    )
    return bleu.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Streams,
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Return the BLEU of a corpus of tokens between blanks, with smoothing "floor"."""
    return corpus_bleu(
        hypotheses, references, "floor", smooth_value, True, False, "none", use_effective_order=True
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Return the BLEU of a text."""
    bleu = BLEU(
        lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order
    )
    return bleu.sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Streams,
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Return the chrF of a corpus."""
    chrf = CHRF(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing)
    return chrf.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Return the chrF of a text."""
    chrf = CHRF(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing)
    return chrf.sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: Streams,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Return the TER of a corpus."""
    ter = TER(normalized, no_punct, asian_support, case_sensitive)
    return ter.corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Return the TER of a text."""
    ter = TER(normalized, no_punct, asian_support, case_sensitive)
    return ter.sentence_score(hypothesis, references)
