"""A reward for TRL's trainers (GRPO and others with the same interface).

    from trl import GRPOTrainer
    from summeval.interop.trl import Reward

    GRPOTrainer(model, reward_funcs=Reward("rougeLsum", reference_column="summary"), ...)

TRL is not imported; the convention is that of trl 1.16.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from summeval.interop.reward import RewardFunction, Texts, make_rewards, means
from summeval.interop.shaping.answers import Extract, finder_of
from summeval.io.rows import ALIASES, guessed

PROMPT = "prompt"  # TRL passes this column under another name


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
        log_metric: Callable[[str, float], object] | None = None,
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
        texts = [
            item if isinstance(item, str) else self.text(text_of, item, f"completions[{i}]")
            for i, item in enumerate(completions)
        ]
        references: Sequence[Texts] = [None] * len(texts)
        needed = "references" in self.rewards.reads
        if needed or ("references" in self.rewards.uses and self.reference_column in columns):
            lists = [name for name, value in columns.items() if isinstance(value, list)]
            name = self.reference_column
            if name not in columns and not {*ALIASES["references"]}.isdisjoint(lists):
                name = guessed("references", name, lists)
            references = self._column(columns, name)
        sources = self._sources(prompts, columns) if self.source_column else None
        judged = self.rewards.judge(texts, references, sources, prompts)
        if log_metric is not None and len(judged.parts) > 1:
            for name, mean in means(judged.parts).items():
                log_metric(f"{self.__name__}/{name}", mean)
        return judged.rewards

    def _sources(
        self, prompts: Sequence[Any] | None, columns: Mapping[str, Any]
    ) -> Sequence[Texts]:
        found: Sequence[Any]
        if self.source_column == PROMPT and prompts is not None:
            found = [self.text(_prompt, item, f"prompts[{i}]") for i, item in enumerate(prompts)]
        else:
            found = self._column(columns, str(self.source_column))
        finder = self._source
        if finder is None:
            return found
        return [self.text(finder, text) if isinstance(text, str) else text for text in found]

    def _column(self, columns: Mapping[str, Any], name: str) -> Sequence[Texts]:
        if name not in columns:
            known = ", ".join(key for key, value in columns.items() if isinstance(value, list))
            raise KeyError(
                f"the data set has no column {name!r}; it has: {known or 'no other columns'}"
            )
        column: Sequence[Texts] = columns[name]
        if any(isinstance(item, (list, tuple)) for item in column):
            return [_reference(item, f"{name}[{i}]") for i, item in enumerate(column)]
        return column

    def __repr__(self) -> str:
        return f"<Reward {self.__name__} of column {self.reference_column!r}>"


def text_of(completion: Any, place: str) -> str:
    """Return the text of a completion: the str itself, or the content of its last message.

    Content None (a tool call) gives an empty text; content in parts gives the text parts.

    >>> text_of([{"role": "assistant", "content": [{"type": "text", "text": "the cat"}]}], "")
    'the cat'
    """
    if isinstance(completion, str):
        return completion
    if not isinstance(completion, (list, tuple)) or not completion:
        raise TypeError(f"{place} is {type(completion).__name__}; pass a str or messages")
    message = completion[-1]
    if not isinstance(message, Mapping) or "content" not in message:
        raise TypeError(f"{place} ends in {type(message).__name__}; pass messages with content")
    content = message["content"]
    if content is None:
        return ""
    if isinstance(content, (list, tuple)):
        return "".join(part.get("text") or "" for part in content if isinstance(part, Mapping))
    if not isinstance(content, str):
        raise TypeError(f"{place}: the content is {type(content).__name__}; pass a str")
    return content


def _prompt(prompt: Any, place: str) -> str:
    """The text of a prompt: the str itself, or the content of the last message of the user."""
    of_user = (
        [one for one in prompt if isinstance(one, Mapping) and one.get("role") == "user"]
        if isinstance(prompt, (list, tuple))
        else []
    )
    return text_of(of_user or prompt, place)


def _reference(item: Any, place: str) -> Any:
    is_chat = isinstance(item, (list, tuple)) and item and isinstance(item[-1], Mapping)
    return text_of(item, place) if is_chat else item
