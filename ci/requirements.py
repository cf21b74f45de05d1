"""Prints what summeval and its extras NAME... require: python ci/requirements.py NAME...

With this list pip fetches the packages before summeval is built, or while it is.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def requirements(project, extras):
    """The requirements of a project and its extras; `NAME[EXTRA]` of its own stands for the extra.

    >>> project = {"name": "tea", "dependencies": ["water"]}
    >>> project["optional-dependencies"] = {"milk": ["cow>=1"], "all": ["tea[milk]", "cup"]}
    >>> requirements(project, ["all"])
    ['water', 'cow>=1', 'cup']
    """
    found = list(project["dependencies"])
    for extra in extras:
        for wanted in project["optional-dependencies"][extra]:
            own = re.fullmatch(rf"{project['name']}\[([\w, -]+)\]", wanted)
            if own:
                found += requirements({**project, "dependencies": []}, re.split(r", *", own[1]))
            else:
                found.append(wanted)
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    with PROJECT.open("rb") as file:
        print(*requirements(tomllib.load(file)["project"], sys.argv[1:]), sep="\n")
