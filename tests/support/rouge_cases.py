"""The numbers that ROUGE-1.5.5 printed, and the texts it read."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent / "cases" / "rouge"


@dataclass(frozen=True)
class Cases:
    """One folder with inputs.json and expected.jsonl."""

    folder: Path

    @cached_property
    def inputs(self) -> dict[str, Any]:
        return json.loads((self.folder / "inputs.json").read_text(encoding="utf-8"))

    @cached_property
    def expected(self) -> list[dict[str, Any]]:
        with open(self.folder / "expected.jsonl", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    def content(self, text_ids: list[str]) -> bytes:
        """The bytes of the file that the script read for these texts."""
        return "".join(
            text["raw"] if isinstance(text, dict) else "".join(line + "\n" for line in text)
            for text in (self.inputs["texts"][name] for name in text_ids)
        ).encode("utf-8")

    def sentence_cases(self) -> set[str]:
        """Cases whose files hold one sentence a line and nothing else."""
        texts = self.inputs["texts"]
        return {
            name
            for name, case in self.inputs["cases"].items()
            if case["format"] == "SPL"
            and not any(isinstance(texts[text], dict) for text in case["peer"])
        }


def option(opts: str, letter: str, default: str = "") -> str:
    """The value that follows -<letter>."""
    words = opts.split()
    return words[words.index(letter) + 1] if letter in words else default
