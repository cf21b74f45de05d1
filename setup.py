"""The compiled modules of summeval, and the switches of their build.

SUMMEVAL_DEBUG=1    checks bounds in Cython, asserts in the standard library, -O1 (not with MSVC)
SUMMEVAL_SANITIZE=1 adds the sanitizers for addresses and undefined behaviour (preload libasan)
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CORE = Path("src/summeval/_core")
MODULES = sorted(path.stem for path in CORE.glob("*.pyx"))

DEBUG = os.environ.get("SUMMEVAL_DEBUG") == "1"
SANITIZE = os.environ.get("SUMMEVAL_SANITIZE") == "1"

# Each kind of build keeps its files apart, so that none reuses another's.
BUILD = "build/sanitize" if SANITIZE else "build/debug" if DEBUG else "build/release"

if sys.platform == "win32":
    compile_args = ["/std:c++17", "/O2", "/EHsc"]
    link_args = []
else:
    compile_args = ["-std=c++17", "-O3", "-fvisibility=hidden", "-pthread"]
    link_args = ["-pthread"]
    if DEBUG or SANITIZE:
        compile_args += ["-O1", "-g", "-D_GLIBCXX_ASSERTIONS", "-UNDEBUG"]
    if SANITIZE:
        compile_args += ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
        link_args += ["-fsanitize=address,undefined"]

extensions = [
    Extension(
        f"summeval._core.{name}",
        [f"src/summeval/_core/{name}.pyx"],
        include_dirs=["src/summeval/_core"],
        depends=[*map(str, CORE.glob("*.hpp")), *map(str, CORE.glob("*.pxd"))],
        language="c++",
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    for name in MODULES
]

setup(
    ext_modules=cythonize(
        extensions,
        include_path=["src"],
        build_dir=f"{BUILD}/cython",
        compiler_directives={
            "language_level": "3str",
            "embedsignature": True,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
            "cdivision": True,
            "freethreading_compatible": False,
        },
    ),
    options={"build": {"build_base": BUILD}, "build_ext": {"parallel": os.cpu_count()}},
)
