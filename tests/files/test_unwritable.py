"""What cannot be written is told in the toolkit's own errors, with what to do; nothing else is replaced by a file."""

import errno
import os
import stat

import pytest

import toolkit as tk


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture
def read_only(monkeypatch, tmp_path):
    """A folder of a file system that takes nothing, as a mounted one: even what is not there cannot be deleted."""

    def refusing(done):
        def refused(path, *rest, **options):
            if str(path).startswith(str(tmp_path)) and rest[:1] != (os.O_RDONLY,):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
            return done(path, *rest, **options)

        return refused

    for name in ("unlink", "open"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    return tmp_path


def test_a_run_is_not_saved_in_a_read_only_folder(run, read_only):
    place = read_only / "run.gz"
    with pytest.raises(tk.errors.InputError) as refused:
        run.save(place)
    assert str(refused.value) == f"{place} cannot be written: Read-only file system. Name another file."


def test_a_run_is_not_saved_below_a_file(run, tmp_path):
    (tmp_path / "notes").write_text("mine")
    place = tmp_path / "notes" / "run.gz"
    with pytest.raises(tk.errors.InputError) as refused:
        run.save(place)
    assert str(refused.value) == f"{place} cannot be written: Not a directory. Name another file."
    assert (tmp_path / "notes").read_text() == "mine"


def test_a_run_is_not_saved_in_a_folder_that_is_missing(run, tmp_path):
    place = tmp_path / "missing" / "run.gz"
    with pytest.raises(tk.errors.InputError) as refused:
        run.save(place)
    assert str(refused.value) == f"{place} cannot be written: No such file or directory. Name another file."


def test_a_name_that_is_too_long_is_told(run, tmp_path):
    with pytest.raises(tk.errors.InputError, match=r"cannot be written: File name too long\. Name another file\.$"):
        run.save(tmp_path / ("x" * 300))


def test_a_run_is_not_saved_as_a_folder(run, tmp_path):
    with pytest.raises(tk.errors.InputError) as refused:
        run.save(tmp_path)
    assert str(refused.value) == f"{tmp_path} is a folder. Name a file in it."
    assert list(tmp_path.parent.glob("*.part")) == []


@pytest.mark.parametrize("path", [None, 5, b"run.gz", ["run.gz"]], ids=repr)
def test_what_is_no_path_is_told(run, path):
    with pytest.raises(tk.errors.InputError) as refused:
        run.save(path)
    assert str(refused.value) == f"path must be the name of a file, not {path!r}. Pass 'run.jsonl.gz', for example."


@pytest.mark.parametrize("path", ["run\0.gz", "run\ud83d.gz"], ids=ascii)
def test_a_name_that_no_file_can_have_is_told(run, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tk.errors.InputError) as refused:
        run.save(path)
    assert str(refused.value) == f"{path!r} cannot be the name of a file. Name another file."


@pytest.mark.parametrize("save", ["save", "report"])
def test_what_is_no_file_is_not_replaced_by_one(run, save, tmp_path):
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    with pytest.raises(tk.errors.InputError) as refused:
        getattr(run, save)(pipe)
    assert str(refused.value) == f"{pipe} is a device or a pipe, and would be replaced by a file. Name another file."
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_file_that_is_there_is_replaced(run, tmp_path):
    place = tmp_path / "run.gz"
    place.write_bytes(b"earlier")
    assert run.save(str(place)) == place
    assert tk.load_run(place).counts() == run.counts()
