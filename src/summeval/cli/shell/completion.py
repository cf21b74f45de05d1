"""`summeval completion`: completion of commands, options and names for a shell.

Print what completes commands, options, names of metrics and files in a shell. bash-completion and
fish find the files below by themselves; for zsh the folder must be in fpath before compinit.

[ARGUMENTS]
SHELL: bash, zsh or fish

Exit status: 0 done, 1 standard output cannot be written, 2 bad usage.
Examples:
  summeval completion bash >~/.local/share/bash-completion/completions/summeval
  summeval completion zsh >~/.zfunc/_summeval
  summeval completion fish >~/.config/fish/completions/summeval.fish
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from textwrap import shorten

from summeval.cli.shared.errors import put
from summeval.cli.shell.declared import Argument, Command, commands

_MOST_TOLD = 72  # characters of what is told of an option

_BASH = r"""
# Made by: summeval completion bash
_summeval() {
    local current=${COMP_WORDS[COMP_CWORD]} command= option= last= values= list= before= word i
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]} last=
        case "$command $word" in
            *" =") last=$option ;;
            *" -"*) option=$word last=$word ;;
            @COMMANDS@)
                command=${command:+$command }$word option= ;;
        esac
    done
    if [[ $current == = ]]; then
        current=
    fi
    case "$command:$option" in
        @MANY@) ;;
        *) option=$last ;; # the option of one value is over with it
    esac
    if [[ $current == -* ]]; then
        case $command in
            @FLAGS@
        esac
    else
        case "$command:$option" in
            @VALUES@
        esac
    fi
    if [[ $list ]]; then
        before=${current%"${current##*,}"} current=${current##*,}
    fi
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$before$word")
    done < <(compgen -W "$values" -- "$current")
}
# Where there is no reply bash completes files.
complete -o bashdefault -o default -F _summeval summeval
"""

_ZSH = r"""
#compdef summeval
# Made by: summeval completion zsh
_summeval-metrics() {
    _sequence compadd "$@" - @METRICS@
}
@FUNCTIONS@
_summeval "$@"
"""

_FISH = r"""
# Made by: summeval completion fish
function __summeval_at
    set -l at
    for word in (commandline -opc)[2..]
        if contains -- (string join ' ' -- $at $word) @COMMANDS@
            set -a at $word
        end
    end
    test "$at" = "$argv"
end
# Whether the last option is one of those.
function __summeval_after
    set -l given (string match -- '-*' (commandline -opc))
    set -q given[1]; and contains -- $given[-1] $argv
end
# Names between commas: what stands before the last is kept.
function __summeval_list
    printf '%s\n' (string replace -r '[^,]*$' '' -- (commandline -ct))$argv
end
complete -c summeval -f
@LINES@
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL")


def run(arguments: Namespace) -> None:
    """Print the completion for a shell."""
    put({"bash": bash, "zsh": zsh, "fish": fish}[arguments.shell](commands()))


def bash(found: Sequence[Command]) -> Iterator[str]:
    """Yield the lines of the completion for bash."""
    many: list[str] = []
    values: dict[str, list[str]] = defaultdict(list)
    for command in found:
        if command.below:
            values[f'values="{" ".join(command.below)}"'].append(f'"{command.words}:"')
        for one in command.arguments:
            places = [f'"{command.words}:{flag}"' for flag in one.flags or ("",)]
            if one.words:
                listed = " list=1" if one.is_list else ""
                values[f'values="{" ".join(one.words)}"{listed}'] += places
            if one.flags and one.is_many:
                many += places
    return _filled(
        _BASH,
        COMMANDS=[" | ".join(f'"{" ".join(_above(one.words))}"' for one in found if one.words)],
        MANY=[" | ".join(many)],
        FLAGS=[f'"{one.words}") values="{" ".join(_flags(one))}" ;;' for one in found],
        VALUES=[f"{' | '.join(places)}) {what} ;;" for what, places in values.items()],
    )


def zsh(found: Sequence[Command]) -> Iterator[str]:
    """Yield the lines of the completion for zsh."""
    return _filled(
        _ZSH,
        METRICS=[" ".join(map(_quoted, _metrics(found)))],
        FUNCTIONS=[line for command in found for line in _function(command)],
    )


def _function(command: Command) -> Iterator[str]:
    name = "_".join(["_summeval", *command.words.split()])
    specs = [spec for one in command.arguments for spec in _specs(one)]
    yield f"{name}() {{"
    if not command.below:
        yield f"    _arguments {' '.join(map(_quoted, specs))}"
    else:
        told = [f"{word}:{text}" for word, text in command.below.items()]
        specs += ["1:command:{_describe command told}", "*::argument:->below"]
        yield "    local -a told line=()"
        yield f"    local state below={name}"
        yield f"    told=({' '.join(map(_quoted, told))})"
        yield f"    _arguments -C {' '.join(map(_quoted, specs))} && return"
        yield "    below+=_$line[1]"
        yield "    (( $+functions[$below] )) && $below"
    yield "}"


def _specs(one: Argument) -> Iterator[str]:
    """Yield how `_arguments` of zsh reads an argument, once for each flag."""
    action = "_files" if one.is_file else f"({' '.join(one.words) or ' '})"
    value = f":{_escaped(one.value)}:{'_summeval-metrics' if one.is_list else action}"
    if not one.flags:
        yield f"*{value}" if one.is_many else value
    for flag in one.flags:
        until = ":*-*" if one.is_many else ""  # the next option
        yield f"*{flag}[{_escaped(_told(one.told))}]" + (until + value if one.value else "")


def _escaped(text: str) -> str:
    return "".join(f"\\{mark}" if mark in r"\:[]" else mark for mark in text)


def fish(found: Sequence[Command]) -> Iterator[str]:
    """Yield the lines of the completion for fish."""
    return _filled(
        _FISH,
        COMMANDS=[" ".join(_quoted(one.words) for one in found if one.words)],
        LINES=[line for command in found for line in _lines(command)],
    )


def _lines(command: Command) -> Iterator[str]:
    start = f"complete -c summeval -n {_quoted(f'__summeval_at {command.words}'.strip())}"
    for word, line in command.below.items():
        yield f"{start} -a {word} -d {_quoted(line)}"
    for one in command.arguments:
        flags = [f"-l {f[2:]}" if f.startswith("--") else f"-s {f[1:]}" for f in one.flags]
        told = ["-d", _quoted(_told(one.told))] if flags else []
        # A star would be replaced by the names of files.
        words = " ".join(f'"{word}"' if "*" in word else word for word in one.words)
        values = ["-a", _quoted(f"(__summeval_list {words})" if one.is_list else words)]
        if one.is_file:
            needs = ["-r"] * bool(flags) + ["-F"]
        else:
            needs = ["-x"] * bool(flags and one.value) + (values if words else [])
        yield " ".join([start, *flags, *needs, *told])
        if one.flags and one.is_many and words:  # fish itself completes the first word alone
            yield " ".join([f"{start[:-1]}; and __summeval_after {' '.join(one.flags)}'", *values])


# What the shells share


def _told(text: str) -> str:
    return shorten(text, _MOST_TOLD, placeholder=" …")


def _flags(command: Command) -> list[str]:
    return [flag for one in command.arguments for flag in one.flags]


def _metrics(found: Sequence[Command]) -> list[str]:
    lists = (one.words for command in found for one in command.arguments if one.is_list)
    return sorted({word for words in lists for word in words})


def _above(words: str) -> tuple[str, str]:
    """Return the command that a command is of, empty for `summeval`, and its own word.

    >>> _above("study aesop"), _above("score")
    (('study', 'aesop'), ('', 'score'))
    """
    before, _, last = words.rpartition(" ")
    return before, last


def _quoted(text: str) -> str:
    """Return a text as one word of zsh and fish."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _filled(page: str, **blocks: Sequence[str]) -> Iterator[str]:
    r"""Yield the lines of a page, and for the line of a mark such as @MARK@ one for each text.

    >>> list(_filled("a\n  @B@)", B=["b", "c"]))
    ['a', '  b)', '  c)']
    """
    for line in page.strip().splitlines():
        yield from _lines_of(line, blocks)


def _lines_of(line: str, blocks: Mapping[str, Sequence[str]]) -> list[str]:
    for name, texts in blocks.items():
        if f"@{name}@" in line:
            return [line.replace(f"@{name}@", text) for text in texts]
    return [line]
