"""Fuzz every entry of the core and every reader: `python tests/fuzz/run.py -n 1000000`.

Inputs are drawn from a seed, in blocks; a block that fails names the command that repeats it. Under
`make fuzz` the compiled modules are built with AddressSanitizer and UndefinedBehaviorSanitizer.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
import time
import warnings
from pathlib import Path

TESTS = Path(__file__).parents[1]
for folder in (TESTS, TESTS / "support", TESTS / "fuzz"):
    sys.path.insert(0, str(folder))

import alignment_targets  # noqa: E402, F401
import field_targets  # noqa: E402, F401
import likeness_targets  # noqa: E402, F401
import number_targets  # noqa: E402, F401
import parse_targets  # noqa: E402, F401
import parser_targets  # noqa: E402, F401
import reader_targets  # noqa: E402, F401
import reward_targets  # noqa: E402, F401
import text_targets  # noqa: E402, F401
from targets import TARGETS, run_block  # noqa: E402

HANG_S = 300.0
SLOWER = 20  # a file is written, read and parsed in Python: so many fewer than of other inputs


def share(inputs: int, name: str, names: list[str]) -> int:
    """How many of the inputs a target gets."""
    weights = {each: 1 if each.startswith("reader:") else SLOWER for each in names}
    return -(-inputs * weights[name] // sum(weights.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=100_000, help="inputs over all targets")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--targets", help="names with commas between them [all]")
    parser.add_argument("--block", type=int, help="run this block alone")
    given = parser.parse_args()
    names = given.targets.split(",") if given.targets else list(TARGETS)
    warnings.simplefilter("ignore")  # that a text has no letters is no fault
    total = 0
    for name in names:
        wanted = share(given.n, name, names)
        began, count, block = time.monotonic(), 0, given.block or 0
        while count < wanted:
            faulthandler.dump_traceback_later(HANG_S, exit=True)
            count += run_block(name, given.seed, block)
            faulthandler.cancel_dump_traceback_later()
            block += 1
            if given.block is not None:
                break
        seconds = time.monotonic() - began
        total += count
        print(f"{name:20} {count:9,} inputs {block:7,} blocks {seconds:8.1f} s", flush=True)
    print(f"{total:,} inputs, no fault; seed {given.seed}")


if __name__ == "__main__":
    main()
