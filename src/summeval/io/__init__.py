"""Read rows and write scores in chunks: JSON Lines and CSV, plain or gzip; Parquet; Arrow.

Memory is bounded by the chunk size (`source.BLOCK_BYTES` of text, `arrow.PIECE_BYTES` for columnar
files), not by the file size. pyarrow is imported only for columnar files.
"""

from summeval.io.errors import BadRow, DataError, SystemFailure, system_error

__all__ = ["BadRow", "DataError", "SystemFailure", "system_error"]
