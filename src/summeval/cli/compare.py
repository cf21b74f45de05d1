"""`summeval compare`: the form of `correlate` that tests which metric agrees better with people."""

from summeval.cli.correlate import COMPARED as EPILOG
from summeval.cli.correlate import COMPARING as DESCRIPTION
from summeval.cli.correlate import add_compared as add_arguments
from summeval.cli.correlate import run_compared as run

__all__ = ["DESCRIPTION", "EPILOG", "add_arguments", "run"]
