"""Which texts a tokeniser of ASCII letters and digits keeps less than half of."""

WHOLE = 1024  # bytes; a longer text is looked at in four places of so many bytes:
PLACE = 256


def weight(character: str) -> int:
    """What a character outside ASCII weighs against an ASCII letter or digit.

    One of Chinese, Japanese or Korean weighs three, for a word has fewer of them; marks, symbols
    and emoji weigh nothing.

    >>> [weight(character) for character in "éж猫”🙂"]
    [1, 1, 3, 0, 0]
    """
    code = ord(character)
    if code < 0xC0 or character in "×÷" or 0x300 <= code < 0x370:
        return 0
    if code < 0x2000:
        return 1
    if 0x3040 <= code < 0xE000:
        return 3
    if 0xF900 <= code < 0xFE00:
        return 1
    return 3 if 0x20000 <= code < 0x38000 else 0


def is_foreign(text: str | None) -> bool:
    """Whether letters outside ASCII weigh more than those of ASCII and digits.

    >>> [is_foreign(text) for text in ("the cat", "das Schöne", "кошка", "3 猫, 1 犬", None)]
    [False, False, True, True, False]
    """
    data = (text or "").encode()
    step = len(data) - PLACE
    whole = len(data) <= WHOLE
    places = [data] if whole else [data[i * step // 3 :][:PLACE] for i in range(4)]
    kept = foreign = 0
    for place in places:
        if sum(byte >= 0x80 for byte in place) * 4 < len(place):
            kept += len(place) // 2
            continue
        kept += sum(byte < 0x80 and chr(byte).isalnum() for byte in place)
        foreign += sum(map(weight, place.decode(errors="ignore")))
    return foreign > kept
