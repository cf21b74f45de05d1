"""Give examples that end a docstring their heading, which the reference shows them under."""

from __future__ import annotations

from typing import Any

import griffe

HEADING = "Examples\n--------\n"


class Examples(griffe.Extension):
    """An extension of Griffe, which reads docstrings for `make docs`; mkdocs.yml names it."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for what a module holds."""
        _head(obj.docstring)

    def on_module(self, *, mod: griffe.Module, **_: Any) -> None:
        """Called for modules and packages."""
        _head(mod.docstring)


def _head(docstring: griffe.Docstring | None) -> None:
    """Head a doctest that stands in no section of examples."""
    if docstring is not None and HEADING not in docstring.value:
        before, prompt, after = docstring.value.partition("\n>>> ")
        if prompt:
            docstring.value = f"{before}\n\n{HEADING}>>> {after}"
