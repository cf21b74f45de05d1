"""Stops with one line that names the mend where this Python cannot build summeval.

Runs under any Python, old ones too, so that the message is ours and not a SyntaxError.
"""

import os
import shutil
import sys
import sysconfig


def complaint():
    """What is missing, or None."""
    found = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info < (3, 11):  # noqa: UP036
        return (
            "summeval needs Python 3.11 or newer, but "
            + sys.executable
            + " is "
            + found
            + "; name another one: make PYTHON=python3.12"
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return "this Python has no venv; install it (Debian, Ubuntu: apt install python3-venv)"
    header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
    if not os.path.exists(header):
        return (
            "no Python.h; install the headers of Python (Debian, Ubuntu: apt install python3-dev)"
        )
    if sys.platform == "win32":  # setuptools finds MSVC by itself
        return None
    wanted = os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "c++"
    if not shutil.which(wanted.split()[0]):
        return (
            "no C++ compiler: "
            + wanted.split()[0]
            + " is not on the PATH; install one (Debian, Ubuntu: apt install g++;"
            + " macOS: xcode-select --install) or name it: CXX=clang++"
        )
    return None


if __name__ == "__main__":
    message = complaint()
    if message:
        sys.exit("error: " + message)
