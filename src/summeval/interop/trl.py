"""A reward for TRL's trainers (GRPO and others with the same interface).

    from trl import GRPOTrainer
    from summeval.interop.trl import Reward

    GRPOTrainer(model, reward_funcs=Reward("rougeLsum", reference_column="summary"), ...)

A `Rewards` works there too; it finds the columns by their usual names. TRL is not imported; the
convention is that of trl 1.16.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from summeval.interop.reward import RewardFunction, make_rewards
from summeval.interop.shaping.answers import Extract, finder_of
from summeval.interop.shaping.batch import PROMPT, Batch, Log, log_parts, text_of

__all__ = ["Reward", "text_of"]


class Reward(RewardFunction):
    """Scores completions against a column of the data set.

    Completions may be plain or conversational; of a conversation the content of the last message
    is scored. The rows of a group share one reading of their reference. It pickles, as trainers
    that spawn their workers need, and threads may share it.

    Parameters
    ----------
    metrics : name, metric object, iterable of these, or mapping of these to weights
        As in `Rewards`; "rougeLsum" by default.
    preset : {"content", "faithful", "overall"}, optional
        Instead of metrics: `Rewards.preset`. "faithful" needs no references; it takes the usual
        length from those of the column, if the data set has it.
    reference_column : str
        The column with the reference: for each row a str, a list of str or None, or messages, of
        which the last counts. If there is no `reference`, it is read from `references`, `target`,
        `targets` or `highlights`.
    source_column : str, optional
        The column with the input, for metrics that compare with it; "prompt" is the prompt, of
        messages the last of the user.
    source : str, pattern or callable, optional
        Finds the source in the text of that column, by default in the prompt; given as `extract`
        of `Rewards`.
    name : str, optional
        `__name__`, under which TRL logs the reward; by default the terms, joined by "+".
    **options
        Of `Rewards`: `field`, `clip`, `length_penalty`, `repetition_penalty`, `extract`,
        `missing`, `on_error`, `cache_size`, `workers`; of `Rewards.preset` all but `field`. A row
        without a reference has the reward None, which TRL leaves out, unless `missing` is set; with
        a preset it is an error. With `on_error="skip"` no completion ends the training: one that is
        refused has the lowest reward.

    Raises
    ------
    TypeError, ValueError
        As `Rewards`.

    Examples
    --------
    >>> reward = Reward("rougeLsum", field="recall", reference_column="summary")
    >>> reward(prompts=["sum up"] * 2, completions=["the cat", "a dog"], summary=["the cat"] * 2)
    [1.0, 0.0]
    >>> reward(completions=[[{"role": "assistant", "content": "a cat"}]], summary=["the cat"])
    [0.5]
    >>> reward.__name__
    'rougeLsum.recall'
    """

    def __init__(
        self,
        metrics: Any = None,
        *,
        preset: str | None = None,
        reference_column: str = "reference",
        source_column: str | None = None,
        source: Extract | None = None,
        name: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(make_rewards(metrics, preset, options), name)
        if source is not None and source_column is None:
            source_column = PROMPT
        if "source" in self.rewards.reads and source_column is None:
            what = "a metric" if preset is None else f"the preset {preset!r}"
            raise ValueError(
                f"{what} compares with the source; pass source_column=, which may be {PROMPT!r}, or"
                " source=, which finds it in the prompt"
            )
        self.reference_column = reference_column
        self.source_column = source_column
        self._source = None if source is None else finder_of(source)

    def __call__(
        self,
        prompts: Sequence[Any] | None = None,
        completions: Sequence[Any] = (),
        completion_ids: Sequence[Any] | None = None,
        *,
        log_metric: Log | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return the reward of each completion.

        Parameters
        ----------
        prompts : sequence of str or of messages
            Read where the source is in them.
        completions : sequence of str or of messages
        completion_ids
            Not read.
        log_metric : callable, optional
            TRL's; gets the mean of each part if the reward has several: terms and penalties, or the
            parts and guards of a preset.
        **columns
            The other columns of the data set, and what else the trainer passes.

        Raises
        ------
        KeyError
            The data set has no such column.
        TypeError, ValueError
            Naming the row: a text that is not a str.
        """
        names = self.reference_column, self.source_column
        batch = Batch(self.rewards, prompts, completions, columns)
        judged = self.rewards.judge(*batch.given(*names, self._source))
        log_parts(log_metric, self.__name__, judged.parts)
        return judged.rewards

    def __repr__(self) -> str:
        return f"<Reward {self.__name__} of column {self.reference_column!r}>"
