UNICODE_VERSION: str
WORDS_VERSION: str
TOKENIZERS: dict[str, int]
JIWER: int
TERCOM: int
NORMALIZED: int
BARE: int
ASIAN: int

def tokens(text: bytes, kind: int) -> list[bytes]: ...
