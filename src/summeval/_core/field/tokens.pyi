UNICODE_VERSION: str
WORDS_VERSION: str
TOKENIZERS: dict[str, int]

def tokens(text: bytes, tokenizer: str) -> list[bytes]: ...
