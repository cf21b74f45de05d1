"""Prints what summeval and its extras or dependency groups NAME... require; `build`: its build.

With this list pip fetches the packages before summeval is built, or while it is.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def requirements(table, names):
    """The requirements of a pyproject.toml and of extras and groups of it.

    `NAME[EXTRA]` of the project itself stands for the extra.

    >>> project = {"name": "tea", "dependencies": ["water"]}
    >>> project["optional-dependencies"] = {"milk": ["cow>=1"]}
    >>> table = {"project": project, "dependency-groups": {"test": ["tea[milk]", "cup"]}}
    >>> table["build-system"] = {"requires": ["kettle"]}
    >>> requirements(table, ["build", "test"])
    ['water', 'kettle', 'cow>=1', 'cup']
    """
    project = table["project"]
    lists = {**project["optional-dependencies"], **table["dependency-groups"]}
    lists["build"] = table["build-system"]["requires"]

    def of(name):
        for wanted in lists[name]:
            own = re.fullmatch(rf"{project['name']}\[([\w, -]+)\]", wanted)
            if own:
                for extra in re.split(r", *", own[1]):
                    yield from of(extra)
            else:
                yield wanted

    found = [*project["dependencies"], *(wanted for name in names for wanted in of(name))]
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    with PROJECT.open("rb") as file:
        print(*requirements(tomllib.load(file), sys.argv[1:]), sep="\n")
