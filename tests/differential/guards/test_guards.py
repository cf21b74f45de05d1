"""Guards and rewards in the core are those of their definition, to the last bit."""

from __future__ import annotations

import random
import sys
import unicodedata
from importlib import resources
from typing import Any

import pytest
from definitions import guards as twin
from hypothesis import example, given, settings
from hypothesis import strategies as st

import summeval
from summeval._core.columns import columns
from summeval._core.guards.guards import GuardKernel, GuardTables, PresetKernel
from summeval.interop.reward import RepetitionPenalty, Rewards
from summeval.interop.shaping import guards
from summeval.interop.shaping.guards import ground_of, kernel_of
from summeval.interop.shaping.presets import PRESETS
from summeval.metrics.run.refusals import RowErrors

FEW = settings(max_examples=150)
GOLD = "The storm hit the coast on Monday, and the trains stopped for two days."
SOURCE = (
    "A heavy storm hit the coast on Monday night. Roofs were torn off in three towns! Because trees"
    " lay on the rails, the trains stopped for two days? The mayor of Brenford thanked 12 firemen."
)
SCRIPTS = {
    "Latin": "Der Sturm traf die Küste am Montag, und Straßen in İzmir standen still. Ǆ ŉ ﬁn",
    "Greek": "Η καταιγίδα έπληξε την ακτή τη Δευτέρα; ΟΔΟΣ ΟΔΟΣ. ΣΑΣ’Σ «ΑΣ»",
    "Cyrillic": "В понедельник шторм обрушился на побережье, и ПОЕЗДА стояли два дня.",
    "Arabic": "ضربت عاصفة قوية الساحل يوم الاثنين، وتوقفت القطارات لمدة ٢ يومين؟",
    "Hebrew": "סערה היכתה בחוף ביום שני, והרכבות עמדו יומיים. שָׁלוֹם",
    "Devanagari": "सोमवार को तूफान तट से टकराया और ट्रेनें २ दिन तक रुकी रहीं।",
    "Thai": "พายุพัดถล่มชายฝั่งในวันจันทร์ และรถไฟหยุดวิ่งสองวัน",
    "Chinese": "周一晚上，一场强风暴袭击了海岸；火车停运了两天。没有人受伤！",
    "Japanese": "月曜日に嵐が海岸を襲い、ﾃﾞﾝｼｬは二日間止まった。「ＡＢＣ」けが人は？",
    "Korean": "월요일에 폭풍이 해안을 강타했고 기차가 이틀 동안 멈췄다.",
    "Armenian": "Երկուշաբթի օրը փոթորիկը հարվածեց ափին։ ԵՒ և",
    "Georgian": "ორშაბათს ქარიშხალი დაატყდა სანაპიროს. ᲥᲐᲠᲗᲣᲚᲘ",
    "Khmer": "ព្យុះបានវាយប្រហារឆ្នេរសមុទ្រ។",
    "Ethiopic": "ሰኞ ዕለት አውሎ ነፋስ የባህር ዳርቻውን መታ።",
    "Deseret": "𐐔𐐇𐐝𐐀𐐡𐐇𐐓 𝐀𝐁𝐂 ①② ½ ²³ Ⅷ",
}
# Words that are known and words that are not, endings, numbers, marks, and what changes with case.
PIECES = [
    *"the of and not with that Storm storms coast Monday trains stopped s t ly al ing ment".split(),
    *"nation ously Previous creative basic cats 12 3rd 1,000 2.5 x_y _ don't A I".split(),
    *". ! ? ... , ; : - ( ) \" ' \n \n\n \x85 \x1c \u2028 \u00a0 \u200b \u0336 @ #".split(" "),
    *"é É ß ſ K Å İ ı Σ ΑΣ ΑΣ. ΑΣΑ Α'Σ Σ: … 。 ， ； ！ 海 岸 ก า ๒ ² ½ Ⅷ ｆ а \ufeff 𝐀 ´".split(),
    *" ".join(SCRIPTS.values()).split()[::3],
]
glue = st.sampled_from(["", "", " ", " ", " ", " "])
texts = st.lists(st.tuples(st.sampled_from(PIECES), glue), max_size=30).map(
    lambda parts: "".join(piece + blank for piece, blank in parts)
)
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
plain = st.text(st.sampled_from("aeTSs_19 .,;!\n-\t\x7f"), max_size=40)
any_text = texts | anything | plain
given_texts = st.lists(any_text, max_size=3)


def assert_alike(references: list[str], source: list[str], text: str, run: int = 3) -> None:
    kernel = kernel_of(run)
    usual = twin.ground_of(references, source)
    factors, words = usual.guards(text)
    ground = kernel.ground((*references,), (*source,))
    assert kernel.factors(ground, text) == factors
    assert kernel.seams(ground, text) == usual.seams(text)
    assert kernel.repeated(ground, text) == twin.repeated_share(words, run)


@FEW
@given(given_texts, given_texts, any_text, st.integers(1, 9))
@example([GOLD], [SOURCE], GOLD, 3)
@example([], [SOURCE], SOURCE, 1)
@example([" \x85", ""], ["\u2028"], "Σ", 3)
@example([], ["the " * 3000 + "Σ"], "the storm. " * 300, 2)
@example([], ["海岸。" * 3000], "海岸。the", 12)
@example([], ["w" * 3999 + "xyz storm"], "xyz wwwww storm.", 3)
def test_guards_are_those_of_the_definition(
    references: list[str], source: list[str], text: str, run: int
) -> None:
    assert_alike(references, source, text, run)
    assert_alike(references, source, f"{text} {text.lower()}", 1)


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("other", ["Latin", "Greek", "Chinese"])
def test_every_script_is_read_as_the_definition_reads_it(script: str, other: str) -> None:
    text = SCRIPTS[script]
    endings = " ".join(f"{word[:5]}ж {word[:4]}ж" for word in text.split())
    for references, source in (([text], []), ([], [text * 40]), ([SCRIPTS[other]], [GOLD])):
        for summary in (text, f"{GOLD} {text}", f"{text} {text} {GOLD}", text.upper(), endings):
            assert_alike(references, source, summary)


def test_every_character_is_read_as_the_definition_reads_it() -> None:
    """Each between letters, since what stands beside a sigma decides its form.

    Of a million that mean nothing, and of the Chinese and Korean ones, one in 50.
    """
    every = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    some = [
        one
        for one in every
        if unicodedata.category(one) not in ("Cn", "Co", "Lo") or ord(one) % 50 == 0
    ]
    for begin in range(0, len(some), 256):
        characters = some[begin : begin + 256]
        text = " ".join(f"a{one}b Α{one}Σ ΑΣ{one}Α {one}" for one in characters)
        # the words in Python's lower case are repeated, unless the kernel reads others
        assert_alike(["a b ας.", text[:2000]], [], f"{text} {text.lower()}", 1)


def test_a_kernel_reads_characters_that_others_learned_and_those_it_meets() -> None:
    calls: list[str] = []

    def describe(character: str) -> tuple[str, int, Any]:
        calls.append(character)
        return character, 1 << 22, "LATIN"

    tables = GuardTables({b"the": (0, True)}, [(b"s", 0)], 0, 0, bytes(16), describe)
    first, second = GuardKernel(tables), GuardKernel(tables, 2)
    assert len(calls) == 128
    ground = first.ground(("éé",), ())
    first.factors(ground, "ééß")
    second.factors(second.ground((), ("ß",)), "ßé")
    assert calls[128:] == ["é", "ß"]


def test_tables_are_checked() -> None:
    def describe(character: str) -> tuple[str, int, Any]:
        return character, 0, ""

    for words, endings, pairs, told in (
        ({}, [], b"", "0 pairs of classes"),
        ({}, [], bytes(17), "17 pairs of classes"),
        ({}, [], bytes(9), "9 pairs of classes; give a square of 4"),
        ({b"the": (4, True)}, [], bytes(16), "no class 4"),
        ({}, [(b"", 0)], bytes(16), "an ending is empty"),
        ({}, [(b"s", -1)], bytes(16), "no class -1"),
    ):
        with pytest.raises(ValueError, match=told):
            GuardTables(words, endings, 0, 0, pairs, describe)


def test_only_a_ground_is_taken() -> None:
    with pytest.raises(TypeError, match="give what `ground` returned"):
        other: Any = summeval.metric("rouge1").prepare("a cat")
        kernel_of(3).factors(other._runners[0]._kernel, "a cat")
    assert len(ground_of([], []).guards("a cat")) == 7


# ---- texts that are stitched together

ENGLISH = [*"the of and not with that a to in storm coast trains days , . !".split(), "zzyzx", "12"]
english = st.lists(st.sampled_from(ENGLISH), min_size=1, max_size=60).map(" ".join)
copies = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 15)), max_size=6)


@FEW
@given(english, english, copies, st.booleans())
@example("the storm hit the coast of the storm", "the storm hit the coast of the storm", [], True)
@example("the a " * 40, "the a the " * 30, [(0, 60)], False)
def test_stitched_texts_are_looked_at_as_the_definition_does(
    source: str, text: str, pieces: list[tuple[int, int]], of_source: bool
) -> None:
    words = source.split()
    stitched = " ".join([text, *(" ".join(words[at : at + size]) for at, size in pieces)])
    given_source = f"The {source} and the storm of the coast."
    if of_source:
        assert_alike([], [given_source, source], stitched)
        assert_alike([GOLD], [given_source], stitched)
    else:
        assert_alike([given_source, source], [], stitched)


def test_no_guard_looks_where_the_language_is_another() -> None:
    for script in ("Latin", "Greek", "Chinese"):
        text = SCRIPTS[script]
        kernel = kernel_of(3)
        for ground in (kernel.ground((text,), ()), kernel.ground((), (text,))):
            assert kernel.seams(ground, text) == (0.0,) * 20
            assert kernel.factors(ground, f"{text} the coast the of")[-1] == 1.0


def test_a_damaged_model_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    path = resources.files("summeval.text").joinpath("data/english.ngrams")
    model = path.read_bytes()

    def describe(character: str) -> tuple[str, int, Any]:
        return character, 0, ""

    def tables(ngrams: bytes, weights: int = 20, high: float = 1.0) -> GuardTables:
        fits = dict.fromkeys(("references", "source"), ([0.0] * weights, 0.0, high))
        return GuardTables({}, [], 0, 0, bytes(16), describe, ngrams, fits)

    tables(model)
    cuts = [0, 1, 19, 20, 43, 44, *range(45, len(model) - 4, len(model) // 40)]
    for damaged in (*(model[:cut] for cut in cuts), b"x" + model[1:], bytes(len(model))):
        with pytest.raises(ValueError, match=r"^the model of runs of words is damaged$"):
            tables(damaged)
    for weights, high in ((19, 1.0), (20, 0.0)):
        with pytest.raises(ValueError, match=r"^give 20 weights of seams, and two bounds that"):
            tables(model, weights, high)
    flipped = bytearray(model)
    for place in range(20, len(model), 40_009):
        flipped[place] ^= 0xFF
    monkeypatch.setattr(guards, "_data", lambda folder, name: bytes(flipped))
    with pytest.raises(ValueError, match=r"^english.ngrams is damaged; install summeval again$"):
        guards.tables_of({})


def test_a_model_with_other_bytes_is_refused_or_read_within_its_bounds() -> None:
    model = resources.files("summeval.text").joinpath("data/english.ngrams").read_bytes()
    fits = dict.fromkeys(("references", "source"), ([1.0] * 20, 0.0, 1.0))
    draw = random.Random(1)
    words = " ".join(draw.choices(GOLD.split(), k=50))
    read = 0
    for turn in range(30):
        damaged = bytearray(model)
        begin, end = (20, 44) if turn % 3 == 0 else (44, len(model))
        for _ in range(3):
            damaged[draw.randrange(begin, end)] ^= 1 << draw.randrange(8)
        try:
            of_bytes = bytes(16), guards._described, bytes(damaged), fits
            tables = GuardTables({}, [], 0, 0, *of_bytes)
        except ValueError:
            continue
        kernel = GuardKernel(tables)
        kernel.factors(kernel.ground((GOLD,), (SOURCE,)), words)
        read += 1
    assert read > 5


# ---- rewards of presets


def test_a_text_that_a_kernel_refuses_is_told_or_noted() -> None:
    """A preset of skip-bigrams, of which a text may have too many."""
    kernel = PresetKernel(
        kernel_of(3), [([(2, 1.0, True)], 1.0, 0.0, 1.0, 0.0, 1.0)], 0.0, 0.1, 0.0
    )
    prepared = tuple(one.prepare(GOLD) for one, _ in summeval.suite("rougeS*").kernels)
    ground = kernel.guards.ground((GOLD,), ())
    column = columns.texts([GOLD, "a b " * 40_000, None, GOLD], "texts")
    with pytest.raises(ValueError, match=r"^row 1: "):
        kernel.judge(prepared, ground, column)
    refused = RowErrors()
    rewards, values, english = kernel.judge(prepared, ground, column, 1, refused)
    assert [*refused] == [1]
    assert rewards == [1.0, 0.0, 0.0, 1.0]
    assert [value[1] for value in values] == [value[2] for value in values] == [0.0] * 9
    assert not english  # "a b a b" is not evidently English, so that a longer look is needed
    wrong: Any
    for wrong in ((None,), (summeval.metric("rouge1"),)):
        with pytest.raises(TypeError):
            kernel.judge(wrong, ground, column)
    other = PresetKernel(
        kernel.guards, [([(3, 1.0, True)], 1.0, 0.0, 1.0, 0.0, 1.0)], 0.0, 0.1, 0.0
    )
    with pytest.raises(ValueError, match="3 columns of scores; the parts need 4"):
        other.judge(prepared, ground, column)
    with pytest.raises(ValueError, match="2 parts; give 1"):
        other.reward((1.0, 1.0), 1.0)


VALUES = {"rouge2": "fmeasure", "rougeL": "fmeasure", "support": "explained"}


def parts_of(preset: Any, suite: Any) -> tuple[list[twin.Part], list[list[str]]]:
    """The parts of the definition, and the columns of the scores of each."""
    rising = suite.directions
    parts, columns = [], []
    for part in preset.parts:
        names = [f"{term}.{VALUES[term]}" if term in VALUES else term for term in part.terms]
        shares = zip(part.terms.values(), [rising[name] for name in names], strict=True)
        scale = part.weight, part.worst, part.cap, part.minimum
        parts.append(twin.Part([*shares], *scale))
        columns.append(names)
    return parts, columns


@settings(max_examples=40, deadline=None)
@given(
    st.lists(any_text | st.just(GOLD), min_size=1, max_size=4),
    any_text.filter(str.strip) | st.just(GOLD),
    any_text.filter(str.strip) | st.just(SOURCE),
    st.sampled_from([None, 0.5, RepetitionPenalty(3, words=1), RepetitionPenalty(2.5, words=2)]),
)
@example([GOLD, SOURCE, f"{GOLD} {GOLD}"], GOLD, SOURCE, 1.5)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PRESETS)
def test_rewards_are_those_of_the_definition(
    name: str, texts: list[str], reference: str, source: str, repetition: Any
) -> None:
    preset = PRESETS[name]
    rewards = Rewards.preset(name, repetition_penalty=repetition)
    suite = rewards._suite
    parts, columns = parts_of(preset, suite)
    rows = len(texts)
    table = suite.score_batch(texts, [reference] * rows, sources=[source] * rows)
    ground = twin.ground_of([reference], [source] if "source" in preset.sees else [])
    found = rewards.judge(texts, [reference] * rows, [source] * rows)
    penalty = rewards._repetition
    own = (0.0, 1) if penalty is None else (penalty.weight, penalty.words)
    for row, text in enumerate(texts):
        scores = [[float(table[name][row]) for name in names] for names in columns]
        wanted, values = twin.judged(parts, scores, ground, text, own)
        assert found.rewards[row] == wanted
        assert [found.parts[name][row] for name in rewards.part_names] == [*values]
