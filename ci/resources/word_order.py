"""Count which words follow which in English, for the check of word order in rewards.

    python ci/resources/word_order.py FOLDER [-o TABLE]

FOLDER holds gdtb_free_train.jsonl.gz: the documents of the GUM Discourse Treebank
(github.com/amir-zeldes/gum, rst/gdtb, commit 72ce5ac14) whose texts may be used freely. Only counts
of pairs of word classes are used; the table holds function words and numbers, no text. The same
input gives the same file.

A class is a frequent function word, a mark, or the ending of another word. The number of a pair is
the logarithm of P(second | first) / P(second), smoothed by PRIOR counts, in steps of STEP from
-127 to 127.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
from collections import Counter
from itertools import pairwise
from pathlib import Path

from gdtb import NO_BLANK_AFTER, NO_BLANK_BEFORE

from summeval.text import function_words, word_order

TABLE = Path(__file__).parents[2] / "src/summeval/text/data/word_order.json"
LEAST = 25  # occurrences of a function word that is a class of its own
PRIOR = 4.0
# Verbs that carry tense and mood, and words that the function words of TESLA leave out.
AUXILIARIES = """
    am are be been being is was were do does did done doing have has had having not t m re ve
    also just only then so too very more most many much other such own
""".split()


def main() -> None:
    """Count, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=TABLE)
    arguments = parser.parse_args()
    texts = list(read(arguments.folder / "gdtb_free_train.jsonl.gz"))
    words = Counter(word for text in texts for word in word_order.split(text))
    known = {*function_words.english(), *AUXILIARIES}
    classes = sorted(word for word in known if words[word] >= LEAST)
    names = [*word_order.MARKS, *word_order.ENDINGS, *classes]
    numbers = {name: number for number, name in enumerate(names)}
    first, second = Counter[int](), Counter[int]()
    pairs = Counter[tuple[int, int]]()
    for text in texts:
        found = [word_order.class_of(word, numbers) for word in word_order.framed(text)]
        for one, two in pairwise(found):
            first[one] += 1
            second[two] += 1
            pairs[one, two] += 1
    total = sum(second.values())
    rows = []
    for one in range(len(names)):
        row = []
        for two in range(len(names)):
            prior = second[two] / total or 1 / total
            ratio = (pairs[one, two] / prior + PRIOR) / (first[one] + PRIOR)
            row.append(max(-127, min(127, round(math.log(ratio) / word_order.STEP))))
        rows.append(row)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    head = json.dumps(classes)
    text = f'{{"words": {head},\n"pairs": [\n{lines}\n]}}\n'
    arguments.output.write_text(text, encoding="utf-8")
    print(f"{arguments.output}: {len(names)} classes, {total:,} pairs of {len(texts)} texts")


def read(path: Path) -> list[str]:
    """The texts of the documents."""
    texts = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            parts: list[str] = []
            for first, end in row["sents"]:
                sentence = joined(row["tokens"][first:end])
                # headings and items of lists end in no mark, and are no sentences
                if sentence.endswith((".", "!", "?")) and end - first > 4:
                    parts.append(sentence)
            texts.append("\n".join(parts))
    return texts


def joined(tokens: list[str]) -> str:
    """A sentence as it is written."""
    text = ""
    for token in tokens:
        apart = text and token not in NO_BLANK_BEFORE and not text.endswith(tuple(NO_BLANK_AFTER))
        text += " " * bool(apart) + token
    return text


if __name__ == "__main__":
    main()
