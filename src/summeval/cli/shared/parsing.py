"""Shared by commands that parse texts: providers by name, and one-line errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from summeval.cli.shared.errors import UsageError
from summeval.io import DataError, system_error

if TYPE_CHECKING:
    from summeval.annotate import Provider


def open_provider(name: str) -> Provider:
    """Return the provider of a name.

    Raises
    ------
    UsageError
        An unknown name, a program or model that is not installed, or a file without documents.
    DataError
        A file cannot be read.
    """
    from summeval.annotate import provider

    try:
        return provider(name)
    except OSError as error:
        raise system_error(str(error.filename or name), error) from None
    except (ValueError, ImportError) as error:
        raise UsageError(str(error)) from None


@contextmanager
def refusals(place: str) -> Iterator[None]:
    """Report texts that a metric or a provider refuses as bad data of the file."""
    try:
        yield
    except (DataError, UsageError):
        raise
    except (ValueError, RuntimeError) as error:
        raise DataError.of(place, error, "use --debug to see where") from error
