"""The command in a separate process, which gets a signal after a number of chunks."""

import subprocess
import sys

DRIVER = """
import functools, os, sys
import summeval
from summeval.cli import main
from summeval.cli.score import command as score

size, number, after = map(int, sys.argv[1:4])
score.read_chunks = functools.partial(score.read_chunks, chunk_bytes=size)
calls, inner = 0, summeval.Suite.score_batch

def score_batch(self, *arguments, **options):
    global calls
    calls += 1
    if calls > after and number:
        os.kill(os.getpid(), number)
    return inner(self, *arguments, **options)

summeval.Suite.score_batch = score_batch
sys.exit(main.main(sys.argv[4:]))
"""


def drive(*arguments: object, number: int = 0, after: int = 0) -> subprocess.CompletedProcess:
    """Run the command with small chunks; signal `number` strikes in the chunk after `after`."""
    line = [sys.executable, "-c", DRIVER, "400", str(int(number)), str(after), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, check=False, text=True)
