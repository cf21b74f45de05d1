"""A batch as TRL passes it: completions, prompts, and the columns of the data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from summeval.interop.shaping import Texts
from summeval.interop.shaping.answers import Finder
from summeval.io.rows import ALIASES, guessed
from summeval.metrics.run.declared import OnError

Log = Callable[[str, float], object]
PROMPT = "prompt"  # TRL passes this column under another name


class Batch(NamedTuple):
    """The completions of a call and what came with them; `rewards` says what is read."""

    rewards: Any
    prompts: Sequence[Any] | None
    completions: Sequence[Any]
    columns: Mapping[str, Any]

    def given(
        self, reference_column: str, source_column: str | None, finder: Finder | None = None
    ) -> tuple[list[Any], Sequence[Texts], Sequence[Texts] | None, Sequence[Any] | None]:
        """Return what `Rewards.judge` takes: texts, references, sources and groups.

        Parameters
        ----------
        reference_column, source_column : str
            The column; where it is missing, one of another usual name.
        finder : callable, optional
            Finds the source in the text of its column.

        Raises
        ------
        KeyError
            There is no such column.
        TypeError
            Naming the row: what should be a text is none. Under `on_error="skip"` the error stands
            in place of the text.
        """
        completions = enumerate(self.completions)
        texts = [self.text(text_of, item, f"completions[{i}]") for i, item in completions]
        references: Sequence[Texts] = [None] * len(texts)
        is_needed = "references" in self.rewards.reads
        if is_needed or ("references" in self.rewards.uses and reference_column in self.columns):
            references = self.column(self.named("references", reference_column))
        sources = self.sources(source_column, finder) if source_column else None
        return texts, references, sources, self.prompts

    def text(self, read: Callable[..., Any], *given: Any) -> Any:
        """Return the text that `read` finds; with `on_error="skip"`, the error where it fails."""
        return text_or_error(self.rewards.on_error, read, *given)

    def named(self, what: str, name: str) -> str:
        """Return the column of this name, or the one with another usual name of what it holds."""
        lists = [key for key, value in self.columns.items() if isinstance(value, list)]
        is_there = name in self.columns or {*ALIASES[what]}.isdisjoint(lists)
        return name if is_there else guessed(what, name, lists)

    def column(self, name: str) -> Sequence[Texts]:
        """Return the texts of a column; of messages the content of the last."""
        if name not in self.columns:
            known = ", ".join(key for key, value in self.columns.items() if isinstance(value, list))
            raise KeyError(
                f"the data set has no column {name!r}; it has: {known or 'no other columns'}"
            )
        column: Sequence[Texts] = self.columns[name]
        if any(isinstance(item, (list, tuple)) for item in column):
            return [_reference(item, f"{name}[{i}]") for i, item in enumerate(column)]
        return column

    def sources(self, name: str, finder: Finder | None) -> Sequence[Texts]:
        """Return the source of each completion, from its prompt or a column."""
        found: Sequence[Any]
        if name == PROMPT and self.prompts is not None:
            prompts = enumerate(self.prompts)
            found = [self.text(_prompt, item, f"prompts[{i}]") for i, item in prompts]
        else:
            found = self.column(name)
        if finder is None:
            return found
        return [self.text(finder, text) if isinstance(text, str) else text for text in found]


def text_or_error(on_error: OnError, read: Callable[..., Any], *given: Any) -> Any:
    """Return the text that a function finds; with `on_error="skip"`, the error where it fails."""
    try:
        return read(*given)
    except Exception as error:
        if on_error == "raise":
            raise
        return error


def means(parts: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the mean of each part over the texts that have it; parts without values are left out.

    >>> means({"rouge1": [0.5, 1.0], "rouge2": [0.0, math.nan], "rougeL": [math.nan, math.nan]})
    {'rouge1': 0.75, 'rouge2': 0.0}
    """
    present = {
        name: [value for value in column if not math.isnan(value)] for name, column in parts.items()
    }
    return {name: math.fsum(some) / len(some) for name, some in present.items() if some}


def log_parts(log_metric: Log | None, name: str, parts: Mapping[str, Sequence[float]]) -> None:
    """Log the mean of each part of a reward that has several, under the name of the reward."""
    if log_metric is not None and len(parts) > 1:
        for part, mean in means(parts).items():
            log_metric(f"{name}/{part}", mean)


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
