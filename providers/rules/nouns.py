"""English plurals."""

from providers.rules.lexicon import to_words

_IRREGULAR_TEXT = """
men:man women:woman children:child feet:foot teeth:tooth mice:mouse geese:goose oxen:ox lives:life leaves:leaf
wolves:wolf halves:half shelves:shelf knives:knife wives:wife thieves:thief crises:crisis analyses:analysis
bases:base hypotheses:hypothesis theses:thesis oases:oasis axes:axis phenomena:phenomenon criteria:criterion
diagnoses:diagnosis syntheses:synthesis emphases:emphasis parentheses:parenthesis bacteria:bacteria fungi:fungus
algae:algae larvae:larva nuclei:nucleus cacti:cactus species:species series:series means:means people:people
gases:gas viruses:virus buses:bus biases:bias statuses:status potatoes:potato tomatoes:tomato heroes:hero
causes:cause uses:use houses:house courses:course horses:horse diseases:disease increases:increase
decreases:decrease databases:database purchases:purchase licenses:license expenses:expense responses:response
releases:release purposes:purpose phases:phase cases:case leases:lease losses:loss taxes:tax movies:movie
cookies:cookie calories:calorie prairies:prairie zombies:zombie caches:cache headaches:headache aches:ache
avalanches:avalanche niches:niche axises:axis pass:pass exercises:exercise enterprises:enterprise premises:premise
prizes:prize sizes:size
"""
_IRREGULAR_PLURALS: dict[str, str] = {
    pair.partition(":")[0]: pair.partition(":")[2] for pair in _IRREGULAR_TEXT.split()
}
_SINGULAR_IN_S = to_words("""
    news goods arms savings earnings physics economics politics ethics mathematics statistics gas bus virus bias
    atlas chaos canvas lens always thus as is us this plus minus series species means mumps diabetes rabies aids
    overseas whereas perhaps proceeds clothes thanks headquarters remains surroundings belongings customs premises
    christmas texas kansas biomass tennis humus campus cosmos ethos pathos asbestos
    """)


def to_singular(word: str) -> str:
    """The singular of a lower-case English noun.

    Example:
        >>> [to_singular(word) for word in ("crises", "cities", "taxes", "viruses", "loss", "prices")]
        ['crisis', 'city', 'tax', 'virus', 'loss', 'price']
    """
    if "-" in word:
        stem, last = word.rsplit("-", 1)
        return f"{stem}-{to_singular(last)}"
    if word in _IRREGULAR_PLURALS:
        return _IRREGULAR_PLURALS[word]
    if len(word) < 4 or not word.endswith("s") or word in _SINGULAR_IN_S or word.endswith(("ss", "us", "is", "ics")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return word[:-2]
    return word[:-1]
