"""`summeval train`: the models that it trains."""

DESCRIPTION = "Train a metric on rows with human scores, and write its model."
EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Arguments of one: summeval train dicomer --help"""
DEST = "metric"
COMMANDS = {
    "readability": ("train.discourse", "how well a text reads, from its surface and relations"),
    "dicomer": ("train.discourse", "how well a text reads, from its discourse roles"),
    "cremer": ("train.discourse", "overall quality, from TESLA-S and DICOMER"),
    "combination": ("train.combination", "a score from any metrics, cross-validated"),
    "extracts": ("train.extracts", "the importance of utterances, from people's extracts"),
}
