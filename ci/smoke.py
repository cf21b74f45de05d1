"""Scores one pair with the installed summeval and holds it to the numbers worked out by hand."""

import math

import summeval

# The candidate's three tokens are the first three of the reference's five.
EXPECTED = {"rouge1": (1.0, 3 / 5), "rouge2": (1.0, 2 / 4), "rougeL": (1.0, 3 / 5)}


def main() -> None:
    """Fail where a score differs."""
    scores = summeval.score("the cat sat", ["The cat sat down quietly."], metrics=list(EXPECTED))
    for name, (precision, recall) in EXPECTED.items():
        score = scores[name]
        if not (math.isclose(score.precision, precision) and math.isclose(score.recall, recall)):
            raise SystemExit(f"{name} is {score}, not precision {precision}, recall {recall}")
    print(f"summeval {summeval.__version__} from {summeval.__file__}: {scores}")


if __name__ == "__main__":
    main()
