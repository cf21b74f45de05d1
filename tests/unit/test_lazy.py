"""What is imported when it is used, and what is said if it cannot be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from summeval._lazy import need


@pytest.mark.parametrize(
    ("asked", "text", "said"),
    [
        (
            "brewer",
            "import no_such_leaf",
            "cannot be imported: No module named 'no_such_leaf'",
        ),
        ("brewer", "import brewer.kettle", "cannot be imported: No module named 'brewer.k"),
        ("brewer", "from os import tea", "cannot be imported: cannot import name 'tea'"),
        ("brewer", "raise ImportError('libtea.so')", "cannot be imported: libtea.so"),
        ("brewer.kettle", "", "Tea needs brewer: pip install 'summeval[tea]'"),
    ],
)
def test_a_module_that_is_there_tells_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: str, text: str, said: str
) -> None:
    (tmp_path / "brewer").mkdir()
    (tmp_path / "brewer" / "__init__.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError) as error:
        need(asked, "Tea", "tea")
    assert said in str(error.value) and "Tea needs brewer" in str(error.value)
    sys.modules.pop("brewer", None)
