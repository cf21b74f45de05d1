"""A reward function for OpenRLHF.

Pass `--remote_rm_url FILE`, with in that file:

    from summeval.interop.openrlhf import Reward

    reward_func = Reward("rougeLsum")

OpenRLHF is not imported, and PyTorch only by a call; the convention is that of OpenRLHF 0.11.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any

from summeval._lazy import need
from summeval.interop.reward import RewardFunction, Texts, without_none
from summeval.interop.shaping.answers import Extract, finder_of
from summeval.interop.shaping.batch import means, text_or_error

# Special tokens that end a turn or a text, or pad a batch.
SPECIAL_TOKENS = (
    *("</s>", "<s>", "<pad>", "<eos>", "<bos>", "<|endoftext|>", "<|im_end|>", "<|eot_id|>"),
    *("<|end_of_text|>", "<|end|>", "<end_of_turn>", "<\uff5cend\u2581of\u2581sentence\uff5c>"),
    "[PAD]",
)
_SHORTEST_END = 16


class Reward(RewardFunction):
    """Scores the part of each query after its prompt against its label.

    Parameters
    ----------
    metrics, **options
        As in `Rewards`; `missing` is 0 by default, for the tensors take no None.
    preset : {"content", "faithful", "overall"}, optional
        Instead of metrics: `Rewards.preset` with the options.
    source : str, pattern or callable, optional
        Finds the source in a prompt, for metrics that compare with it; given as `extract` of
        `Rewards`.
    special_tokens : sequence of str
        Cut from what remains of a query.

    Raises
    ------
    TypeError, ValueError
        As `Rewards`.

    Examples
    --------
    >>> reward = Reward("rouge1")
    >>> reward.completion("<s>Sum up: <|im_end|>the cat</s>", "Sum up: <|im_end|>", 0)
    'the cat'
    """

    def __init__(
        self,
        metrics: Any = None,
        *,
        preset: str | None = None,
        source: Extract | None = None,
        special_tokens: Sequence[str] = SPECIAL_TOKENS,
        **options: Any,
    ) -> None:
        super().__init__(without_none(metrics, preset, options, "OpenRLHF"))
        if "source" in self.rewards.reads and source is None:
            what = "a metric" if preset is None else f"the preset {preset!r}"
            raise ValueError(f"{what} compares with the source; pass source=, which finds it")
        self._source = None if source is None else finder_of(source)
        self.special_tokens = tuple(special_tokens)
        self._has_failed = False

    def __call__(
        self, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Texts], **_: Any
    ) -> dict[str, Any]:
        """Return the rewards of queries in OpenRLHF's format.

        Parameters
        ----------
        queries, prompts : sequences of str
            A query is its prompt and the completion, with special tokens.
        labels : sequence of str or of sequences of str
            The references.

        Returns
        -------
        dict
            `rewards` and `scores`, tensors float32 [query], and `extra_logs` with the mean of
            each part over the queries that have references, `missing` if none has.

        Raises
        ------
        ValueError
            Naming the query: it does not hold its prompt. With `on_error="skip"` it has the lowest
            reward instead, as each that is refused. OpenRLHF goes on without the reward of a query
            for which an error came, and does not show it; so the first is logged here.
        """
        try:
            return self._rewards(queries, prompts, labels)
        except Exception as error:
            if not self._has_failed:
                self._has_failed = True
                message = "no reward, as OpenRLHF drops errors; told once: %s: %s"
                logging.getLogger(__name__).error(message, type(error).__name__, error)
            raise

    def _rewards(
        self, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Texts]
    ) -> dict[str, Any]:
        torch = need("torch", "the reward of OpenRLHF")
        pairs = enumerate(zip(queries, prompts, strict=True))
        on_error = self.rewards.on_error
        texts = [text_or_error(on_error, self.completion, *one, i) for i, one in pairs]
        sources = None
        if self._source is not None:
            sources = [self._source(self._plain(prompt)) for prompt in prompts]
        judged = self.rewards.judge(texts, labels, sources, prompts)
        rewards = torch.tensor(judged.rewards, dtype=torch.float32)
        found = means(judged.parts)
        # OpenRLHF merges experiences by the names they log, so each must log all names.
        logs = {name: found.get(name, self.rewards.missing or 0.0) for name in judged.parts}
        return {"rewards": rewards, "scores": rewards, "extra_logs": logs}

    def completion(self, query: str, prompt: str, row: int) -> str:
        """Return the part of a query after its prompt, without special tokens.

        The prompt is searched unchanged, then without special tokens on both sides, then only its
        end (at least 16 characters) at the start of the query, because OpenRLHF truncates the start
        of long prompts.
        """
        for sent, asked in ((query, prompt), (self._plain(query), self._plain(prompt))):
            _, found, completion = sent.partition(asked) if asked else ("", " ", sent)
            if found:
                return self._plain(completion).strip()
        for begin in range(len(asked) - _SHORTEST_END + 1):
            if sent.startswith(asked[begin:]):
                return sent[len(asked) - begin :].strip()
        raise ValueError(f"queries[{row}] does not hold prompts[{row}]; decode both alike")

    def _plain(self, text: str) -> str:
        return re.sub("|".join(map(re.escape, self.special_tokens)) or "(?!)", "", text)
