"""What the discourse parser and the metrics on top of it are worth, measured on annotated texts.

    python benchmarks/people/discourse.py parser DATA       the parser, by part and end to end
    python benchmarks/people/discourse.py order DATA        texts beside their permutations
    python benchmarks/people/discourse.py readability DATA  correlation with how people judge
    python benchmarks/people/discourse.py shipped DATA      the same of the models that ship

DATA holds gdtb/ (the GUM Discourse Treebank, free part) and the files of judgements. The help of
each part (`python benchmarks/people/discourse.py PART --help`) tells its protocol and options.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import discourse_order
import discourse_parser
import discourse_readability
import discourse_shipped

PARTS = {
    "parser": discourse_parser,
    "order": discourse_order,
    "readability": discourse_readability,
    "shipped": discourse_shipped,
}


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = parser.add_subparsers(metavar="PART", required=True)
    for name, module in PARTS.items():
        documentation = module.__doc__ or ""
        part = parts.add_parser(
            name,
            help=documentation.splitlines()[0],
            description=documentation,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        part.add_argument("data", type=Path)
        module.add_arguments(part)
        part.set_defaults(run=module.run)
    given = parser.parse_args(argv)
    given.run(given)


if __name__ == "__main__":
    main()
