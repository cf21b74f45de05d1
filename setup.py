"""The compiled modules of summeval, and the switches of their build.

SUMMEVAL_DEBUG=1    checks bounds in Cython, asserts in the standard library, no optimisation
SUMMEVAL_SANITIZE=1 adds AddressSanitizer and UndefinedBehaviorSanitizer (run with libasan preloaded)
"""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

MODULES = ["arrow", "columns"]

DEBUG = os.environ.get("SUMMEVAL_DEBUG") == "1"
SANITIZE = os.environ.get("SUMMEVAL_SANITIZE") == "1"

if sys.platform == "win32":
    compile_args = ["/std:c++17", "/O2", "/EHsc"]
    link_args = []
else:
    compile_args = ["-std=c++17", "-O2", "-fvisibility=hidden", "-pthread"]
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
        compiler_directives={
            "language_level": "3str",
            "embedsignature": True,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
            "cdivision": True,
            "freethreading_compatible": False,
        },
    )
)
