"""Sentences and noun phrases of an article, found without a parser: the menu that a very small model chooses from."""

import re
from collections import Counter
from collections.abc import Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n{2,}")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-])*|\S")
_LONGEST = 3
_MOST_CHARACTERS = 60

# Words that no phrase crosses: function words, and verbs and adverbs that are common in expository prose.
_BREAK_TEXT = """
    a about above accessible across adopt adopted adopts after again against all almost alone along already also
    although always among amount amounts an and another any are around as at away back be became because become
    becomes been before began begin begins behind being below between beyond both bring brings brought but by
    called came can cannot cause caused causes causing come comes continue continued continues contribute
    contributed contributes could cut cuts decline declined deepened depend dependent did do does done down drive
    driven drives drove due during each edge either encourage encourages enough especially even ever every evident
    expansion fall fallen falls fell few fewer first followed following follows for form found from further gave
    get gets give given gives go goes grew grow grows had half hard has have having he her here high higher his
    hit how however i if in increase increased increases instead into is it its itself just keep keeps kept known
    landed large largely larger largest last lead leading leads least led lengthen lengthens less let lets like
    likely little lose loses loss lost low lower lowered lowers made main mainly make makes making many may mean
    means meant might more most much must near nearly need needed needs neither never new next no nor not now of
    off often on once one only onto or other others our out over own part people per percent period protect
    protected protects push pushed pushes put puts raise raised raises rather reach reached reaches reduce reduced
    reduces release released releases remain remained remains respond responded result resulted results return
    returns rise risen rises risk rose same saw say says second see seem seen several shall sharp she should show
    shows shrink since slow slowed slows small smaller so some sometimes soon still stop stopped such suffer
    suffers take taken takes than that the their them themselves then there these they third this those though
    threaten threatens three through thus time times to together too took toward towards trigger triggered
    triggers turn turned turns two under unless unlike until up upon use used uses using usually very was way ways
    weaken weakens well went were what when where whereas whether which while who whom whose why will with within
    without world worsen worsened worsens would year years yet you
"""
_BREAKS = frozenset(_BREAK_TEXT.split())
_NOT_LAST = re.compile(r".*(?:ed|ly|ing|ive|ous|al|ic|able|ible|ful|less|ary)$")
_NOUNS_NEVERTHELESS = re.compile(
    r".*(?:spending|farming|lending|logging|mining|funding|housing|warming|flooding|fishing|trading|training|building|"
    r"pricing|grazing|shipping|borrowing|supply|capital|material|chemical|hospital|animal|signal|fossil|seed|feed|"
    r"speed|need|traffic|public|music|logic|family|assembly|incentive|library|salary|boundary)$"
)


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, in order, with white space collapsed.

    Example:
        >>> split_sentences("Rain fell.  Rivers rose!")
        ('Rain fell.', 'Rivers rose!')
    """
    return tuple(" ".join(part.split()) for part in _SENTENCE_END.split(text) if part.strip())


def is_mentioned(phrase: str, sentence: str) -> bool:
    """Whether a sentence holds a phrase as whole words, whatever the case; a plural ``s`` may be added or missing.

    Example:
        >>> is_mentioned("flood", "Floods follow."), is_mentioned("rain", "The train left.")
        (True, False)
    """
    stem = re.escape(phrase.lower().removesuffix("s"))
    return re.search(rf"\b{stem}s?\b", sentence.lower()) is not None


def split_passages(text: str, n: int) -> tuple[str, ...]:
    """A text cut between sentences into at most ``n`` passages of about as many sentences each.

    Example:
        >>> split_passages("One. Two. Three.", 2)
        ('One. Two.', 'Three.')
    """
    sentences = split_sentences(text)
    size = -(-len(sentences) // n)  # rounded up
    return tuple(" ".join(sentences[at : at + size]) for at in range(0, len(sentences), max(size, 1)))


def find_phrases(text: str) -> tuple[str, ...]:
    """Noun phrases of one to three words: frequent and longer ones first, otherwise in text order.

    A run of words between two breaks (function words, common verbs, punctuation, numbers) counts as a noun phrase if
    it ends like a noun. It is a heuristic for a menu, not a parser: a part of the phrases are none.

    Example:
        >>> find_phrases("Heavy rainfall leads to river floods. The river floods damage crops.")
        ('heavy rainfall', 'river floods', 'floods damage crops')
    """
    counts: Counter[str] = Counter()
    for sentence in split_sentences(text):
        counts.update(phrase for phrase in _split_runs(sentence) if _is_nominal(phrase))
    # A single word is often a fragment, so it needs one mention more. The sort is stable: text order among equals.
    ranked = sorted(counts, key=lambda phrase: -(counts[phrase] + (" " in phrase)))
    return tuple(ranked)


def find_passage(text: str, names: Sequence[str]) -> str:
    """The sentences of a text that say most about some names, cut to 60 words.

    The first sentence that mentions them all, or else the first mention of each, in text order; the first sentence of
    the text where none is mentioned.

    Example:
        >>> find_passage("It is cold. Rain fell. Floods followed the rain.", ("rain", "floods"))
        'Floods followed the rain.'
    """
    sentences = split_sentences(text)
    mentions = [[is_mentioned(name, sentence) for name in names] for sentence in sentences]
    chosen = [at for at, mentioned in enumerate(mentions) if all(mentioned)][:1]
    if not chosen:
        firsts = [
            [at for at, mentioned in enumerate(mentions) if mentioned[column]][:1] for column in range(len(names))
        ]
        chosen = sorted({at for first in firsts for at in first}) or [0]
    return " ".join(" ".join(sentences[at] for at in chosen if at < len(sentences)).split()[:60])


def _split_runs(sentence: str) -> list[str]:
    runs: list[list[str]] = [[]]
    for word in _WORD.findall(sentence):
        if word.lower() in _BREAKS or not word[0].isalpha():
            runs.append([])
        else:
            runs[-1].append(word.lower())
    return [" ".join(run[-_LONGEST:]) for run in runs if run]


def _is_nominal(phrase: str) -> bool:
    last = phrase.rsplit(maxsplit=1)[-1]
    if len(last) < 3 or len(phrase) > _MOST_CHARACTERS or last.endswith("'s"):
        return False
    return not _NOT_LAST.match(last) or _NOUNS_NEVERTHELESS.match(last) is not None
