"""What the commands that parse texts share: providers by name, and errors that are one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from summeval.cli.shared.errors import UsageError
from summeval.io import DataError, system_error

if TYPE_CHECKING:
    from summeval.annotate import Provider


def open_provider(name: str) -> Provider:
    """The provider of a name.

    Raises
    ------
    UsageError
        For a name that is not known, a program or model that is not installed, a file that holds no
        documents.
    DataError
        For a file that cannot be read.
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
    """Texts of a file that a metric or a provider refuses end the command as bad data."""
    try:
        yield
    except (DataError, UsageError):
        raise
    except (ValueError, RuntimeError) as error:
        problem, _, mend = str(error).rpartition("; ")
        if not problem:
            problem, mend = mend, "--debug shows where"
        raise DataError(place, problem, mend) from error
