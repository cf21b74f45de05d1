"""The compiled modules of summeval, and the switches of their build.

SUMMEVAL_DEBUG=1    checks bounds in Cython, asserts in the standard library, -O1 (not with MSVC)
SUMMEVAL_SANITIZE=1 adds the sanitizers for addresses and undefined behaviour (preload libasan)
"""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

CORE = Path("src/summeval/_core")
SOURCES = sorted(CORE.rglob("*.pyx"))
# What every compiled module would hold a copy of: Cython's memory views and functions.
SHARED = "summeval._core._cyutility"

DEBUG = os.environ.get("SUMMEVAL_DEBUG") == "1"
SANITIZE = os.environ.get("SUMMEVAL_SANITIZE") == "1"

# Each kind of build keeps its files apart, so that none reuses another's.
BUILD = "build/sanitize" if SANITIZE else "build/debug" if DEBUG else "build/release"

# Intel's processors from Skylake to Cascade Lake decode a jump anew each time if it crosses or ends
# at a multiple of 32 bytes ("Jump Conditional Code erratum"). Without this flag it is luck which
# loops are slower by a tenth.
JUMPS = "-mbranches-within-32B-boundaries"


def accepted(flag: str) -> bool:
    """Whether the compiler, and its assembler, take a flag."""
    compiler = os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "c++"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "empty.cpp")
        source.write_text("int main() { return 0; }\n")
        line = [*shlex.split(compiler), flag, "-c", str(source), "-o", f"{source}.o"]
        try:
            return subprocess.run(line, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


def made_with_other_options() -> bool:
    """Whether C++ that Cython made is older than this file, which has the options."""
    made = [Path(BUILD, "cython", source).with_suffix(".cpp") for source in SOURCES]
    changed = Path("setup.py").stat().st_mtime
    return any(path.exists() and path.stat().st_mtime < changed for path in made)


def depends(source: Path) -> list[str]:
    """The headers and declarations of ours that a module reads, itself or through others."""
    found: dict[Path, None] = {}
    queue = [source]
    for path in queue:  # grows as it goes
        text = path.read_text(encoding="utf-8")
        names = re.findall(r'^(?:#include|cdef extern from) "(.+?)"', text, re.MULTILINE)
        modules = re.findall(r"^from summeval\._core\.([\w.]+) cimport", text, re.MULTILINE)
        named = [CORE / name for name in names]
        named += [CORE / f"{name.replace('.', '/')}.pxd" for name in modules]
        named += [path.with_suffix(".pxd")]
        queue += (new := [path for path in named if path.exists() and path not in found])
        found |= dict.fromkeys(new)
    return sorted(map(str, found))


if sys.platform == "win32":
    compile_args = ["/std:c++17", "/O2", "/EHsc"]
    link_args = []
else:
    compile_args = ["-std=c++17", "-O3", "-fvisibility=hidden", "-pthread"]
    link_args = ["-pthread"]
    if DEBUG or SANITIZE:
        compile_args += ["-O1", "-g", "-D_GLIBCXX_ASSERTIONS", "-UNDEBUG"]
    else:  # Python's own flags ask for -g, which made the modules nine times as large
        compile_args += ["-g0"]
        link_args += ["-Wl,-x" if sys.platform == "darwin" else "-Wl,-s"]
    if sys.platform == "linux":
        compile_args += [flag for flag in (f"-Wa,{JUMPS}", JUMPS) if accepted(flag)][:1]
    if SANITIZE:
        compile_args += ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
        link_args += ["-fsanitize=address,undefined"]

# The parser's networks, and rewards, give the same bits on every machine.
EXACT = dict.fromkeys(
    [CORE / "guards/guards.pyx", CORE / "parsing/parsing.pyx"],
    [] if sys.platform == "win32" else ["-ffp-contract=off"],
)

extensions = [
    Extension(
        ".".join(source.relative_to("src").with_suffix("").parts),
        [source.as_posix()],
        include_dirs=[CORE.as_posix(), numpy.get_include()],
        depends=depends(source),
        language="c++",
        extra_compile_args=compile_args + EXACT.get(source, []),
        extra_link_args=link_args,
    )
    for source in SOURCES
]
# Cython makes its source, which is C.
c_args = [flag for flag in compile_args if not flag.startswith(("-std", "/std"))]
extensions.append(Extension(SHARED, [], extra_compile_args=c_args, extra_link_args=link_args))

setup(
    ext_modules=cythonize(
        extensions,
        include_path=["src"],
        build_dir=f"{BUILD}/cython",
        shared_utility_qualified_name=SHARED,
        force=made_with_other_options(),
        compiler_directives={
            "language_level": "3str",
            "embedsignature": True,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
            "cdivision": True,
            # Kept objects change their dicts and C++ containers under the lock of the interpreter.
            "freethreading_compatible": False,
        },
    ),
    options={"build": {"build_base": BUILD}, "build_ext": {"parallel": os.cpu_count()}},
)
