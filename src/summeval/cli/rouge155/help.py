"""What rouge155 says of itself, and the folder it makes for programs that look for the script."""

import shlex
import sys
from pathlib import Path

from summeval._files import write_whole

SCRIPT = "ROUGE-1.5.5.pl"

USAGE = """\
usage: rouge155 [options] SETTINGS.xml SYSTEM     score one system
       rouge155 [options] -a SETTINGS.xml         score every system
       rouge155 [options] -z FORMAT LIST [NAME]   score the files of a list
       rouge155 --install-home DIR                make a ROUGE home for pyrouge and its like
       rouge155 -h                                explain the options
"""

HELP = (
    USAGE
    + """
Scores summaries (peers) against reference summaries (models) and prints what ROUGE-1.5.5 prints.
Letters without a value may share a dash; options stand before the settings file.

Measures
  -n N       ROUGE-1 to ROUGE-N, N at most 100
  -x         no ROUGE-L, which is otherwise always there (but not with -3)
  -w WEIGHT  ROUGE-W: a run of k neighbours weighs k^WEIGHT, 1.2 as a rule
  -2 GAP     ROUGE-S: pairs of words with at most GAP words between; -1 for any number
  -u         with -2: ROUGE-SU (with single words) in place of ROUGE-S
  -U         with -2: ROUGE-S and ROUGE-SU
  -3 MODE    basic elements from SIMPLE files; MODE is H, HM, HMR, HM1, HMR1 or HMR2

Text
  -m         stem words of four letters and more
  -s         leave out stop words
  -l N       read the first N words of each peer and model
  -b N       read the first N bytes of each peer and model

Scores
  -f A|B     of several models: A all together (default), B the one with the best recall
  -p ALPHA   weight of precision in F, 0 to 1; default 0.5
  -t 0|1|2   average scores (default), scores of summed counts, or the sums themselves
  -r N       bootstrap samples; default 1000
  -c LEVEL   confidence of the interval in per cent; default 95
  -d         print each evaluation too

Input
  -a         score every system of the settings file
  -z FORMAT  LIST holds one evaluation a line: a peer file, then its model files. FORMAT is SEE,
             SPL, ISI or SIMPLE. Scores appear under NAME, or X
  -e DIR     accepted and not needed: the stop list and the stems are built in
  -v         accepted; there is nothing to add

SETTINGS.xml
  <ROUGE-EVAL version="1.5.5">
    <EVAL ID="1">
      <PEER-ROOT>folder</PEER-ROOT>
      <MODEL-ROOT>folder</MODEL-ROOT>
      <INPUT-FORMAT TYPE="SPL"/>                SPL: one sentence a line
      <PEERS><P ID="SYSTEM">file</P></PEERS>
      <MODELS><M ID="A">file</M><M ID="B">file</M></MODELS>
    </EVAL>
  </ROUGE-EVAL>
A peer that an evaluation lacks is left out of that evaluation, with a warning; a model that is
missing ends the run.

pyrouge and its like
  They want a folder that holds ROUGE-1.5.5.pl. Make one and name it once:
    rouge155 --install-home ~/rouge155
    pyrouge_set_rouge_path ~/rouge155      or in Python: Rouge155("/home/me/rouge155")
  The launcher also runs as "perl ROUGE-1.5.5.pl". It needs a POSIX shell.
"""
)

# A shell runs the second line and no more; Python reads lines two and three as a string.
_LAUNCHER = """\
#!/bin/sh
'''exec' {python} "$0" "$@"
'''
# Written by rouge155 --install-home: runs rouge155 of this Python in place of the Perl script.
import sys

from summeval.cli.rouge155.command import main

sys.exit(main())
"""
_MARK = "rouge155 --install-home"


def install_home(folder: str) -> Path:
    """Make a ROUGE home: a launcher by the script's name, and the data folder that callers check.

    Raises FileExistsError when another program's script is there; OSError.
    """
    home = Path(folder).expanduser()
    script = home / SCRIPT
    if script.exists() and _MARK not in script.read_text(encoding="utf-8", errors="replace"):
        raise FileExistsError(f"{script} is there and is not ours; choose another folder")
    (home / "data").mkdir(parents=True, exist_ok=True)
    launcher = _LAUNCHER.format(python=shlex.quote(sys.executable))
    write_whole(script, launcher.encode())
    script.chmod(0o755)
    return script
