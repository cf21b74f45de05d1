"""The help of rouge155, and the ROUGE home folder for programs that look for the script.

usage: rouge155 [options] SETTINGS.xml SYSTEM     score one system
       rouge155 [options] -a SETTINGS.xml         score every system
       rouge155 [options] -z FORMAT LIST [NAME]   score the files of a list
       rouge155 --install-home DIR                create a ROUGE home for pyrouge and others
       rouge155 -h                                explain the options

Scores summaries (peers) against reference summaries (models) and prints what ROUGE-1.5.5 prints.
Options without a value may share a dash; options precede the settings file.

Measures
  -n N       ROUGE-1 to ROUGE-N; N is at most 100
  -x         omit ROUGE-L, which is computed by default (not with -3)
  -w WEIGHT  ROUGE-W: a run of k consecutive words weighs k^WEIGHT; usually 1.2
  -2 GAP     ROUGE-S: pairs of words with at most GAP words in between; -1 for any number
  -u         with -2: ROUGE-SU (also single words) instead of ROUGE-S
  -U         with -2: ROUGE-S and ROUGE-SU
  -3 MODE    Basic Elements from SIMPLE files; MODE is H, HM, HMR, HM1, HMR1 or HMR2

Text
  -m         stem words of four or more letters
  -s         remove stop words
  -l N       use the first N words of each peer and model
  -b N       use the first N bytes of each peer and model

Scores
  -f A|B     several models: A averages all (default), B takes the best recall
  -p ALPHA   weight of precision in F, 0 to 1; default 0.5
  -t 0|1|2   0 average scores (default), 1 scores of summed counts, 2 the sums
  -r N       bootstrap samples; default 1000
  -c LEVEL   confidence level of intervals in per cent; default 95
  -d         also print each evaluation

Input
  -a         score every system of the settings file
  -z FORMAT  LIST has one evaluation per line: a peer file, then its models. FORMAT is SEE,
             SPL, ISI or SIMPLE. Scores appear under NAME, or X
  -e DIR     accepted but ignored: stop words and stemmer are built in
  -v         accepted but ignored

SETTINGS.xml
  <ROUGE-EVAL version="1.5.5">
    <EVAL ID="1">
      <PEER-ROOT>folder</PEER-ROOT>
      <MODEL-ROOT>folder</MODEL-ROOT>
      <INPUT-FORMAT TYPE="SPL"/>                SPL: one sentence per line
      <PEERS><P ID="SYSTEM">file</P></PEERS>
      <MODELS><M ID="A">file</M><M ID="B">file</M></MODELS>
    </EVAL>
  </ROUGE-EVAL>
A peer missing from an evaluation is left out of it with a warning; a missing model ends the run.

pyrouge and similar packages
  They need a folder that holds ROUGE-1.5.5.pl. Create one and register it:
    rouge155 --install-home ~/rouge155
    pyrouge_set_rouge_path ~/rouge155      or in Python: Rouge155("/home/me/rouge155")
  The launcher also runs as "perl ROUGE-1.5.5.pl". It needs a POSIX shell.
"""

import shlex
import sys
from pathlib import Path

from summeval._files import write_whole

SCRIPT = "ROUGE-1.5.5.pl"

HELP = (__doc__ or "").partition("\n\n")[2]
USAGE = HELP.partition("\n\n")[0]

# A shell runs only the second line; Python reads lines two and three as a string.
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
    """Create a ROUGE home: a launcher with the script's name, and a data folder.

    Raises FileExistsError if another program's script exists there; OSError.
    """
    home = Path(folder).expanduser()
    script = home / SCRIPT
    if script.exists() and _MARK not in script.read_text(encoding="utf-8", errors="replace"):
        raise FileExistsError(f"{script} already exists; choose another folder")
    (home / "data").mkdir(parents=True, exist_ok=True)
    launcher = _LAUNCHER.format(python=shlex.quote(sys.executable))
    write_whole(script, launcher.encode())
    script.chmod(0o755)
    return script
