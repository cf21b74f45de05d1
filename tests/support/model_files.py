"""Model files with a changed header, and a checksum that fits or does not."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

from summeval.learn.model_file import digest


def rewritten(data: bytes, sign: bool = True, **changes: object) -> bytes:
    """The file with members of its header replaced; of models without arrays."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        header: dict[str, Any] = json.loads(archive.read("model.json"))
    header |= changes
    if sign:
        header["sha256"] = digest({k: v for k, v in header.items() if k != "sha256"}, {})
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("model.json", json.dumps(header))
    return made.getvalue()
