"""Lines that are hard to tokenize, for the tokenizer of the compiled parser."""

from __future__ import annotations

import random
import unicodedata

SYMBOLS = "abcXYZ019.,:;!?'\"()[]{}-/_+*^=<>&@#$%~`|\\ \t\n"
ADDRESSES = [
    *"http:// https:// ftp:// www. mailto: user:pass@ @ .com .co.uk example a-b.org :// ..".split(),
    *"10.0.0.1 127.1.2.3 192.168.1.1 169.254.1.2 172.20.1.2 172.40.1.2 8.8.8.8 224.1.1.1".split(),
    *"223.255.255.254 :80 :123456 /p?q=1 #x _ é 中 .museum .Com".split(),
    *("x" * 63, "y" * 64),
]
ENDS = [
    *"n't ’t 's ’s 'S 'll ’ve 'd `` '' “ ” ... … …… -- --- — US$ C$ € ₿ 5% 1kg km² 9km/h".split(),
    *"20°C. °c. 2^3 -1 a/b x=y U.S. e.g. Mr. 3.14 1,000 10am p.m. o'clock ma'am 'em".split(),
    *"cannot gonna y'all c'mon Let's I'm <3 :) :-) (^_^) ¯\\(ツ)/¯ \\t \\n a.B etc.)".split(),
    *("word", "Word", "WORD", "well-known", "and/or", "3 km²", "x" * 120),
]
# More than ten scripts, and characters with a lower case, a kind or a width of their own.
SCRIPTS = [
    *"Straße ﬁn İzmir ŞİŞLİ ΟΔΥΣΣΕΥΣ Σ Σ. Жизнь Ґанок עברית العربية ٣٫٥ ؟ हिन्दी । বাংলা".split(),
    *"ไทย 中文。 ， カタカナ ー 한국어 ქართული ᎠᎡ አማርኛ ǅ 𝔘 Ⅷ ½ ² ª".split(),
    *"Tiếng é ẞ \u212a Ａｂ １２".split(),
]
PICTURES = [
    *"🙂 👍🏽 ❤️ 👨\u200d👩\u200d👧 🇩🇪 ☃ © ™ ° ← ■ ㎏ ䷀ 𝄞 \u200d \ufe0f \ufeff \ufffd".split(),
    *("\x00", "\x7f", "\u0301", "\U000e0001", "\U0010ffff"),
]
GAPS = [*(6 * " "), *("  ", "\n", "\n\n", "\t", "\r\n", " \n")]
GAPS += ["\xa0", "\u2028", "\u3000", "\x1c", "\x85"]
BOUNDS = (0x20, 0x3000, 0x11000, 0x110000)  # of characters that are drawn from all


def a_line(rng: random.Random) -> str:
    """Noise, addresses, emoticons, units, many scripts, with and without gaps."""
    mixed = [*ENDS, *SCRIPTS, *PICTURES, *ADDRESSES]
    parts = rng.choice((ADDRESSES, ENDS, SCRIPTS, PICTURES, mixed))
    found = []
    for _ in range(rng.randrange(25)):
        kind = rng.random()
        if kind < 0.5:
            found.append(rng.choice(parts))
        elif kind < 0.7:
            found.append(rng.choice(SYMBOLS))
        elif kind < 0.75:
            found.append(a_character(rng))
        else:
            found.append(rng.choice(GAPS))
    return "".join(found)


def a_character(rng: random.Random) -> str:
    """One of Unicode 3.2: later versions agree on what these are."""
    one = chr(rng.randrange(rng.choice(BOUNDS)))
    return "x" if unicodedata.ucd_3_2_0.category(one) in ("Cn", "Cs") else one
