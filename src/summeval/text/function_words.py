"""English function words, used instead of closed-class tags if there is no tagger."""

from functools import cache

# A word with several tags is listed under its most frequent one (Penn Treebank).
_WORDS = {
    "CC": "and but either neither nor or plus minus versus vs",
    "DT, PDT": "a all an another any both each every no some that the these this those",
    "EX": "there",
    "IN": """
        aboard about above across after against albeit along alongside although amid amidst among
        amongst around as astride at atop because before behind below beneath beside besides between
        betwixt beyond by circa cos coz cuz despite down during ere except for from if in inside
        insofar into lest like near notwithstanding of off on onto outside over per qua sans since
        than though through throughout til till toward towards under underneath unless unlike until
        unto up upon via vis whereas whether while whilst with within without
    """,
    "MD": """
        can cannot could d dare ll may might must ought shall should will would
        couldn daren mayn mightn mustn needn oughtn shan shouldn wouldn
    """,
    "POS": "s",
    "PRP, PRP$": """
        em he her hers herself him himself his i it its itself me mine my myself oneself our ours
        ourselves she thee their theirs them themself themselves they thine thou thy thyself us we
        ye you your yours yourself yourselves
    """,
    "RP": "aside forth out",
    "TO": "to",
    "UH": """
        ah aha alas alright amen aw aww bye eh er gee goodbye gosh ha haha hello hey hi hm hmm hmmm
        hooray huh hurrah mhm mm nah nope oh ok okay ooh oops ouch please uh uhm uhh um umm whoa wow
        yay yeah yep yes yikes
    """,
    "WDT, WP, WP$": "what whatever which whichever who whoever whom whomever whose",
    "WRB": """
        how whence whenever when where whereby wherein whereof whereupon wherever whither why
    """,
}


def by_tag() -> dict[str, frozenset[str]]:
    """Return the words of `english` by their usual tag; tags that are close stand together.

    >>> "could" in by_tag()["MD"], "whom" in by_tag()["WDT, WP, WP$"]
    (True, True)
    """
    return {tags: frozenset(words.split()) for tags, words in _WORDS.items()}


@cache
def english() -> frozenset[str]:
    """Words whose usual tag is CC DT EX IN MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ or WRB.

    These are the function tags of TESLA, whose words weigh a tenth of others (Liu, Dahlmeier and Ng
    2010, "TESLA: Translation Evaluation of Sentences with Linear-programming-based Analysis").
    Lower case, in the form of `rouge155` tokens: "they'll" leaves `ll`, "dog's" `s`,
    "couldn't" `couldn`. As with tags, adverbs ("not", hence `t`) and the verbs be, have and do
    (`m`, `re`, `ve`) do not count as function words.

    Examples
    --------
    >>> words = english()
    >>> [word for word in "they ll say that it was not on the table".split() if word in words]
    ['they', 'll', 'that', 'it', 'on', 'the']
    """
    return frozenset(word for words in _WORDS.values() for word in words.split())
