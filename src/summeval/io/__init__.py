"""Read rows and write scores in chunks: JSON Lines and CSV, plain or gzip; Parquet; Arrow.

Memory is bounded by the chunk size (`BLOCK_BYTES` of text, `PIECE_BYTES` for columnar files), not
by the file size. pyarrow is imported only for columnar files.
"""

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.io.arrow.carried import RowColumns
    from summeval.io.arrow.files import check_pyarrow
    from summeval.io.arrow.output import check_writable, table_writer
    from summeval.io.arrow.rows import PIECE_BYTES, ArrowChunk, TableInput
    from summeval.io.column_names import Columns
    from summeval.io.errors import BadRow, DataError, SystemFailure, system_error
    from summeval.io.formats import (
        FORMATS,
        IN_COLUMNS,
        IN_ROWS,
        Format,
        encoder,
        format_of,
        open_input,
        read_chunks,
    )
    from summeval.io.input import BLOCK_BYTES, InputFile
    from summeval.io.jsonl import LineChunk
    from summeval.io.output import Finish, Output, open_output
    from summeval.io.rows import Chunk, OnError, Position, Rows, encode_json, join_first
    from summeval.io.settling import settle

__all__ = [
    "BLOCK_BYTES",
    "FORMATS",
    "IN_COLUMNS",
    "IN_ROWS",
    "PIECE_BYTES",
    "ArrowChunk",
    "BadRow",
    "Chunk",
    "Columns",
    "DataError",
    "Finish",
    "Format",
    "InputFile",
    "LineChunk",
    "OnError",
    "Output",
    "Position",
    "RowColumns",
    "Rows",
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
    "settle",
    "system_error",
    "table_writer",
]

__getattr__ = lazy(
    __name__,
    {
        "BLOCK_BYTES": "input",
        "FORMATS": "formats",
        "IN_COLUMNS": "formats",
        "IN_ROWS": "formats",
        "PIECE_BYTES": "arrow.rows",
        "ArrowChunk": "arrow.rows",
        "BadRow": "errors",
        "Chunk": "rows",
        "Columns": "column_names",
        "DataError": "errors",
        "Finish": "output",
        "Format": "formats",
        "InputFile": "input",
        "LineChunk": "jsonl",
        "OnError": "rows",
        "Output": "output",
        "Position": "rows",
        "RowColumns": "arrow.carried",
        "Rows": "rows",
        "SystemFailure": "errors",
        "TableInput": "arrow.rows",
        "check_pyarrow": "arrow.files",
        "check_writable": "arrow.output",
        "encode_json": "rows",
        "encoder": "formats",
        "format_of": "formats",
        "join_first": "rows",
        "open_input": "formats",
        "open_output": "output",
        "read_chunks": "formats",
        "settle": "settling",
        "system_error": "errors",
        "table_writer": "arrow.output",
    },
)
