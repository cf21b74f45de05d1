"""Write the word counts that SIMetrix compares inputs with, from the word list of wordfreq.

    python ci/resources/word_counts.py

The PyPI package wordfreq 3.1.1 (R. Speer; data CC BY-SA 4.0) has the relative frequencies of
321,180 English words in Wikipedia, news, books, subtitles and web pages, in steps of 1 %. It is
fetched with pip into a temporary folder. A word is cut into runs of letters and digits, in lower
case; the stop words of ROUGE-1.5.5 are left out, as in the background of the program SIMetrix.

The counts are those that a corpus as large as the program's (1,607,568 words, 5,000 documents)
would have, rounded; words with less than half an occurrence are left out. The size matters: the
more words a background has, the surer is a likelihood ratio that a word is rare there. wordfreq
counts numbers of two digits and more together, and tells them apart by a formula; here those up to
9999 are told apart by it, and other words with several digits are left out.
"""

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

DATA = Path(__file__).parents[2] / "src/summeval/text/data"
PACKAGE = "wordfreq==3.1.1"
TOTAL = 1_607_568  # words of the background of SIMetrix
LETTERS = re.compile(r"[^\W_]+")
DIGITS = re.compile(r"\d.*\d")
HEAD = "# Counts of English words, from wordfreq 3.1.1 (R. Speer, CC BY-SA 4.0): see NOTICE\n"


def frequencies() -> dict[str, float]:
    """The relative frequency of each token, from the package."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "install", "-q", "--target", scratch, PACKAGE]
        subprocess.run(command, check=True)
        sys.path.insert(0, scratch)
        import wordfreq

        words = wordfreq.get_frequency_dict("en", wordlist="large")
        found: dict[str, float] = defaultdict(float)
        for word, share in words.items():
            if not DIGITS.search(word):
                for token in LETTERS.findall(word):
                    found[token.lower()] += share
        for number in range(10, 10_000):
            found[str(number)] = wordfreq.word_frequency(str(number), "en", wordlist="large")
        sys.path.remove(scratch)
    return found


def main() -> None:
    """Write one word and its count a line, the most frequent first."""
    stopwords = set((DATA / "rouge155_stopwords.txt").read_text(encoding="ascii").split())
    shares = {word: share for word, share in frequencies().items() if word not in stopwords}
    whole = sum(shares.values())
    counts = {word: round(share / whole * TOTAL) for word, share in shares.items()}
    kept = sorted((-count, word) for word, count in counts.items() if count)
    path = DATA / "english_words.txt"
    lines = [f"{word} {-count}\n" for count, word in kept]
    path.write_text(HEAD + "".join(lines), encoding="utf-8", newline="\n")
    print(f"{path}: {len(kept):,} words, {-sum(count for count, _ in kept):,} occurrences")


if __name__ == "__main__":
    main()
