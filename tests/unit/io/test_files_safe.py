"""Files are written completely, readable only by their owner, and never through links."""

import errno
import os
import signal
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from words_provider import Words

from summeval import _files as module
from summeval._files import UnsafeFile, create, is_ours, open_ours, signals_held, write_whole
from summeval.annotate import Cache, Document, Sentence, Token, annotate
from summeval.cli.main import main
from summeval.io import DataError
from summeval.io.arrow_output import TableWriter
from summeval.io.output import open_output

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and permissions of POSIX")

JOB = {"input file": {"size": 3}}
BESIDE = ["out.jsonl.partial", "out.jsonl.journal", "out.jsonl.whole", ".out.jsonl.manifest"]
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def plant_link(place: Path, victim: Path) -> None:
    place.symlink_to(victim)


def plant_hard_link(place: Path, victim: Path) -> None:
    os.link(victim, place)


def plant_pipe(place: Path, victim: Path) -> None:
    os.mkfifo(place)


PLANTED = {
    plant_link: "is a symbolic link, which is not followed",
    plant_hard_link: "is a hard link to another file",
    plant_pipe: "is not a regular file",
}


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("plant", PLANTED)
@pytest.mark.parametrize("name", BESIDE)
def test_nothing_is_written_through_what_was_planted_beside(tmp_path, name, plant, resume):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    out = tmp_path / "out.jsonl"
    if name == BESIDE[-1]:
        out.write_text("old")
    plant(tmp_path / name, victim)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(DataError) as refused:
        open_output(str(out), JOB, resume, TableWriter("parquet", {}, {}))
    problem = f"{tmp_path / name}: {PLANTED[plant]}; remove it or write elsewhere"
    assert str(refused.value) == problem
    assert victim.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", BESIDE[:3])
def test_a_dangling_link_makes_no_file(tmp_path, name):
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DataError, match="is a symbolic link"):
        open_output(str(tmp_path / "out.jsonl"), JOB)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
@pytest.mark.parametrize("name", BESIDE)
def test_what_another_user_left_beside_is_not_trusted(tmp_path, name):
    out = tmp_path / "out.jsonl"
    if name == BESIDE[-1]:
        out.write_text("old")
    (tmp_path / name).write_text("theirs")
    os.chown(tmp_path / name, 12345, -1)
    with pytest.raises(DataError, match=f"{name}: belongs to another user; remove it or write"):
        open_output(str(out), JOB, resume=True)
    assert (tmp_path / name).read_text() == "theirs"
    os.chown(tmp_path, 12345, -1)  # whose folder it is can do what he likes
    open_output(str(out), JOB).discard()


def test_a_link_that_is_put_in_the_place_of_the_output_is_replaced(tmp_path):
    """Between the start and the end of a run; what it leads to stays."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    victim.chmod(0o606)
    output = open_output(str(tmp_path / "out.jsonl"), JOB)
    output.write(b"new\n", {})
    (tmp_path / "out.jsonl").symlink_to(victim)
    output.commit()
    assert victim.read_text() == "precious"
    assert not (tmp_path / "out.jsonl").is_symlink()
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) != 0o606
    assert (tmp_path / "out.jsonl").read_bytes() == b"new\n"


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o027, 0o640)])
@pytest.mark.parametrize("resume", [False, True])
def test_a_new_file_has_the_mode_of_the_umask(tmp_path, mask, mode, resume):
    before = os.umask(mask)
    try:
        output = open_output(str(tmp_path / "out.jsonl"), JOB, resume)
        output.write(b"new\n", {})
        output.commit()
        write_whole(tmp_path / "model", b"x")
    finally:
        os.umask(before)
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == mode


def test_two_runs_of_the_command_do_not_write_one_file(tmp_path, capsys):
    (tmp_path / "rows.jsonl").write_text('{"candidate": "a", "references": "a"}\n')
    out = str(tmp_path / "out.jsonl")
    first = open_output(out, JOB)
    for more in ([], ["--resume"]):
        assert main(["score", str(tmp_path / "rows.jsonl"), "-m", "rouge1", "-o", out, *more]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line == f"summeval: {out}: another run is writing it; wait, or choose another file"
    first.write(b"x\n", {})
    first.commit()
    assert Path(out).read_bytes() == b"x\n"


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "model"
    write_whole(path, b"old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)
    for error in (OSError(errno.ENOSPC, "full"), KeyboardInterrupt()):

        def fail(*_, error=error):
            raise error

        for step in ("fsync", "replace"):
            with monkeypatch.context() as patch:
                patch.setattr(module.os, step, fail)
                with pytest.raises(type(error)):
                    write_whole(path, b"newer")
            assert [item.name for item in tmp_path.iterdir()] == ["model"]
            assert path.read_bytes() == b"new"


def test_a_written_file_keeps_links_and_devices(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_bytes() == b"new"
    write_whole(tmp_path / "link", b"newer", follow=False)
    assert not (tmp_path / "link").is_symlink() and (tmp_path / "real").read_bytes() == b"new"
    write_whole(os.devnull, b"x")
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, b"x")


def test_what_is_not_there_is_not_ours(tmp_path):
    assert not is_ours(str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError):
        open_ours(str(tmp_path / "nothing"))
    create(str(tmp_path / "new")).close()
    with pytest.raises(FileExistsError):
        create(str(tmp_path / "new"))


def test_a_link_that_comes_between_the_look_and_the_opening_is_refused(tmp_path, monkeypatch):
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    monkeypatch.setattr(module, "is_ours", lambda path: True)
    with pytest.raises(UnsafeFile, match="symbolic link"):
        open_ours(str(tmp_path / "link"), write=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_wait_for_steps_that_belong_together(number):
    seen = []
    before = signal.signal(number, lambda *_: seen.append("signal"))
    try:
        with signals_held():
            signal.raise_signal(number)
            seen.append("step")
        assert seen == ["step", "signal"]
        with pytest.raises(ZeroDivisionError), signals_held():
            raise ZeroDivisionError
        signal.raise_signal(number)
        assert seen == ["step", "signal", "signal"]
    finally:
        signal.signal(number, before)


YES = Document((Sentence((Token("Yes", "UH", "yes", -1, "root", 0, 3),)),), (), "Yes", "hand:1")


def modes(folder: Path) -> dict[str, int]:
    found = {path.name: path for path in [folder, *folder.iterdir()]}
    return {name: stat.S_IMODE(path.stat().st_mode) for name, path in found.items()}


def test_the_cache_is_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        cache = Cache(tmp_path / "cache")
        cache.store([YES])
        found = modes(tmp_path / "cache")
        cache.close()
    finally:
        os.umask(before)
    assert found.pop("cache") == 0o700
    assert {"annotations.sqlite", "annotations.sqlite-wal"} <= set(found)
    assert set(found.values()) == {0o600}


@pytest.mark.parametrize("mode", [0o755, 0o775, 0o750])
def test_a_cache_that_an_earlier_version_made_becomes_private(tmp_path, mode):
    folder = tmp_path / "cache"
    Cache(folder).store([YES])
    folder.chmod(mode)
    (folder / "annotations.sqlite").chmod(0o644)
    assert Cache(folder).find("hand:1", ["Yes"])
    found = modes(folder)
    assert (found["cache"], found["annotations.sqlite"]) == (0o700, 0o600)


def test_a_folder_with_other_things_keeps_its_permissions(tmp_path):
    (tmp_path / "notes").write_text("x")
    tmp_path.chmod(0o755)
    Cache(tmp_path).store([YES])
    found = modes(tmp_path)
    assert (found[tmp_path.name], found["annotations.sqlite"]) == (0o755, 0o600)


def world_writable(folder: Path) -> str:
    folder.chmod(0o777)
    return f"{folder}: can be written by other users (run chmod 700 on it)"


def shared_with_others(folder: Path) -> str:
    (folder / "notes").write_text("x")
    folder.chmod(0o775)
    return f"{folder}: can be written by other users (run chmod 700 on it)"


def link_to_a_file(folder: Path) -> str:
    base = folder / "annotations.sqlite"
    base.rename(folder.parent / "elsewhere.sqlite")
    base.symlink_to(folder.parent / "elsewhere.sqlite")
    return f"{base}: is a symbolic link, which is not followed"


def link_beside(folder: Path) -> str:
    wal = folder / "annotations.sqlite-wal"
    wal.symlink_to(folder.parent / "elsewhere")
    return f"{wal}: is a symbolic link, which is not followed"


def folder_of_another(folder: Path) -> str:
    os.chown(folder, 12345, -1)
    return f"{folder}: belongs to another user"


def file_of_another(folder: Path) -> str:
    os.chown(folder / "annotations.sqlite", 12345, -1)
    return f"{folder / 'annotations.sqlite'}: belongs to another user"


def link_of_another(folder: Path) -> str:
    real = folder.rename(folder.parent / "real")
    folder.symlink_to(real)
    os.chown(folder, 12345, -1, follow_symlinks=False)
    return f"{folder}: belongs to another user"


AS_ROOT = pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")


@pytest.mark.parametrize(
    "change",
    [
        world_writable,
        shared_with_others,
        link_to_a_file,
        link_beside,
        *(pytest.param(f, marks=AS_ROOT) for f in (folder_of_another, file_of_another)),
        pytest.param(link_of_another, marks=AS_ROOT),
    ],
)
def test_a_cache_that_others_could_have_written_is_not_trusted(tmp_path, change):
    folder = tmp_path / "cache"
    cache = Cache(folder)
    cache.store([YES])
    cache.close()
    message = change(folder)
    base = (folder / "annotations.sqlite").read_bytes()
    again = Cache(folder)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert again.find("hand:1", ["Yes"]) == {}
        again.store([YES])
    assert [str(one.message) for one in caught] == [
        f"{message}; continuing without the cache (set SUMMEVAL_CACHE to use another folder)"
    ]
    assert (folder / "annotations.sqlite").read_bytes() == base


def test_ones_own_link_to_another_disk_is_followed(tmp_path):
    (tmp_path / "disk").mkdir(mode=0o700)
    (tmp_path / "cache").symlink_to(tmp_path / "disk")
    Cache(tmp_path / "cache").store([YES])
    assert Cache(tmp_path / "disk").find("hand:1", ["Yes"])


def test_without_a_home_work_goes_on_without_a_cache(tmp_path):
    code = (
        "import os, pwd, warnings\n"
        "os.environ.pop('HOME', None)\n"
        "pwd.getpwuid = lambda number: {}[number]\n"  # as for a user that no file knows
        "from summeval.annotate import Cache, Document\n"
        "cache = Cache()\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    cache.store([Document(text='a', provider='b')])\n"
        "    cache.clear()\n"
        "    print(cache.find('b', ['a']), len(caught), caught[0].message)\n"
    )
    unset = ("SUMMEVAL_CACHE", "XDG_CACHE_HOME", "HOME")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("{} 1 annotations.sqlite: Could not determine home directory")


def test_texts_are_parsed_where_the_cache_is_not_trusted(tmp_path):
    tmp_path.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="can be written by other users"):
        assert len(annotate(["a b"], Words(), cache=tmp_path)) == 1
