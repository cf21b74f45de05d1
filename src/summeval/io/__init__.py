"""Read rows and write scores in chunks: JSON Lines and CSV, plain or gzip; Parquet; Arrow.

Memory is bounded by the chunk size (`BLOCK_BYTES` of text, `PIECE_BYTES` for columnar files), not
by the file size. pyarrow is imported only for columnar files.
"""

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.io.arrow import PIECE_BYTES, TableInput, check_pyarrow
    from summeval.io.arrow_output import check_writable, table_writer
    from summeval.io.column_names import Columns
    from summeval.io.errors import BadRow, DataError, SystemFailure, system_error
    from summeval.io.output import Finish, Output, encoder, open_output
    from summeval.io.rows import Chunk, OnError, Position, encode_json, join_first
    from summeval.io.source import (
        BLOCK_BYTES,
        FORMATS,
        IN_COLUMNS,
        IN_ROWS,
        Format,
        InputFile,
        format_of,
        open_input,
        read_chunks,
        resolve_columns,
    )

__all__ = [
    "BLOCK_BYTES",
    "FORMATS",
    "IN_COLUMNS",
    "IN_ROWS",
    "PIECE_BYTES",
    "BadRow",
    "Chunk",
    "Columns",
    "DataError",
    "Finish",
    "Format",
    "InputFile",
    "OnError",
    "Output",
    "Position",
    "SystemFailure",
    "TableInput",
    "check_pyarrow",
    "check_writable",
    "encode_json",
    "encoder",
    "format_of",
    "join_first",
    "open_input",
    "open_output",
    "read_chunks",
    "resolve_columns",
    "system_error",
    "table_writer",
]

__getattr__ = lazy(
    __name__,
    {
        "BLOCK_BYTES": "source",
        "FORMATS": "source",
        "IN_COLUMNS": "source",
        "IN_ROWS": "source",
        "PIECE_BYTES": "arrow",
        "BadRow": "errors",
        "Chunk": "rows",
        "Columns": "column_names",
        "DataError": "errors",
        "Finish": "output",
        "Format": "source",
        "InputFile": "source",
        "OnError": "rows",
        "Output": "output",
        "Position": "rows",
        "SystemFailure": "errors",
        "TableInput": "arrow",
        "check_pyarrow": "arrow",
        "check_writable": "arrow_output",
        "encode_json": "rows",
        "encoder": "output",
        "format_of": "source",
        "join_first": "rows",
        "open_input": "source",
        "open_output": "output",
        "read_chunks": "source",
        "resolve_columns": "source",
        "system_error": "errors",
        "table_writer": "arrow_output",
    },
)
