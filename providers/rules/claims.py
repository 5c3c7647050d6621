"""Sentences as causal claims: which phrase acts on which, with which sign and strength."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from providers.rules import cues
from providers.rules.arguments import (
    Argument,
    Arguments,
    find_objects,
    is_boundary,
    is_tag,
    is_usable,
    is_word,
    keep_usable,
    read_coordinates,
    to_arguments,
)
from providers.rules.clauses import (
    find_clause_variable,
    find_last_clause,
    find_main_clause,
    find_sentence_start,
    find_sentence_stop,
    is_moving,
)
from providers.rules.cues import Cue
from providers.rules.lexicon import to_words
from providers.rules.phrases import Item, Phrase, VerbGroup
from providers.rules.predicates import Finding, orient, read_make, read_noun, read_predicate, weigh
from providers.rules.subjects import find_subject
from providers.rules.tokens import BACKWARD_CONNECTIVES, FORWARD_CONNECTIVES, Tag, Token
from providers.rules.verbs import MOVES

_ADJACENT_CONNECTIVES = ("due to", "as a result of", "owing to")
_SHIELDING = frozenset({"protect", "shield", "safeguard", "shelter"})
_SUMMARY_HEADS = to_words("""
    process change increase decrease decline rise fall shift trend effect development situation condition phenomenon
    practice loss growth result reduction event problem crisis factor
    """)


@dataclass(frozen=True, slots=True)
class Claim:
    """One phrase acts on another. ``position`` is the item of the cue."""

    cause: Phrase
    effect: Phrase
    sign: int
    strength: float
    position: int


@dataclass(frozen=True, slots=True)
class Context:
    """What "this" and "it" may stand for: the last effect and the first subject of the sentence before."""

    outcome: Arguments = ()
    topic: Arguments = ()


def find_claims(items: Sequence[Item], context: Context) -> tuple[Claim, ...]:
    """The causal claims of a sentence, in the order of their cues; a question makes none."""
    claims: list[Claim] = []
    if any(is_word(item, "?") for item in items):
        return ()
    for position, item in enumerate(items):
        if is_word(item, "whether"):
            break  # what follows is asked, not said
        for finding in _read_cue(items, position, claims, context):
            claims.extend(_pair(finding, context, position))
    return tuple(claims)


def to_context(items: Sequence[Item], claims: Sequence[Claim]) -> Context:
    """What the next sentence may refer back to."""
    verb = next((i for i, item in enumerate(items) if isinstance(item, VerbGroup) and item.is_finite), None)
    topic = keep_usable(find_subject(items, verb)) if verb is not None else ()
    if claims:
        return Context((Argument(claims[-1].effect, claims[-1].sign),), topic)
    return Context(keep_usable(find_clause_variable(items, 0, len(items))), topic)


def _pair(finding: Finding, context: Context, position: int) -> Iterator[Claim]:
    cue = finding.cue
    effects = keep_usable(_resolve(finding.effects, context))
    for cause in keep_usable(_resolve(finding.causes, context)):
        for effect in effects:
            if cause.phrase is not None and effect.phrase is not None:
                sign = cue.sign * cause.sign * effect.sign
                yield Claim(cause.phrase, effect.phrase, sign, cue.strength, position)


def _resolve(arguments: Arguments, context: Context) -> Arguments:
    """The arguments with pronouns and summaries ("this process") replaced by what they stand for."""
    resolved: list[Argument] = []
    for argument in arguments:
        if argument.anaphor in {"this", "that", "these"} or _is_summary(argument.phrase):
            resolved.extend(replace(a, sign=a.sign * argument.sign) for a in context.outcome or context.topic)
        elif argument.anaphor in {"it", "they"}:
            resolved.extend(replace(a, sign=a.sign * argument.sign) for a in context.topic or context.outcome)
        else:
            resolved.append(argument)
    return tuple(resolved)


def _is_summary(phrase: Phrase | None) -> bool:
    if phrase is None or phrase.determiner not in {"this", "these", "such"}:
        return False
    return phrase.head in _SUMMARY_HEADS and not is_usable(phrase)


def _read_cue(items: Sequence[Item], position: int, claims: Sequence[Claim], context: Context) -> Iterator[Finding]:
    item = items[position]
    if isinstance(item, VerbGroup):
        if not item.is_negated:
            yield from _read_verb(items, position, item, claims)
    elif isinstance(item, Phrase):
        yield from read_noun(items, position, item)
    elif item.lower in BACKWARD_CONNECTIVES:
        yield from _read_backward_connective(items, position)
    elif item.lower in FORWARD_CONNECTIVES:
        yield from _read_forward_connective(items, position, claims, context)
    elif item.lower == "because":
        yield from _read_subordinate(items, position, Cue(1, cues.CLEAR), needs_moves=False)
    elif item.lower in {"when", "if", "whenever", "as", "once"}:
        yield from _read_subordinate(items, position, Cue(1, cues.WEAK), needs_moves=True)


def _read_verb(items: Sequence[Item], verb: int, group: VerbGroup, claims: Sequence[Claim]) -> Iterator[Finding]:
    if group.lemma == "be":
        yield from read_predicate(items, verb, group)
        return
    if group.lemma == "make":
        yield from read_make(items, verb, group)
        return
    particle = _find_particle(items, verb)
    is_passive = group.voice == "passive"
    cue = cues.find_verb_cue(group.lemma, particle, has_object=not particle and not is_passive, is_passive=is_passive)
    if cue is None:
        return
    subject = _find_cause(items, verb, group, claims)
    if group.lemma in _SHIELDING and not is_passive:
        yield Finding(subject, _find_warded(items, verb), weigh(Cue(-1, cues.CLEAR), group))
    yield orient(subject, find_objects(items, verb, has_particle=bool(particle)), weigh(cue, group))


def _find_particle(items: Sequence[Item], verb: int) -> str:
    follower = items[verb + 1] if verb + 1 < len(items) else None
    if isinstance(follower, Token) and follower.tag in {Tag.PREPOSITION, Tag.ADVERB, Tag.TO}:
        return follower.lower
    return ""


def _find_cause(items: Sequence[Item], verb: int, group: VerbGroup, claims: Sequence[Claim]) -> Arguments:
    """The subject of the verb; for ", leading to Y" and "and this leads to Y" what the words before result in."""
    before = verb - 1
    while before > 0 and is_tag(items[before], Tag.ADVERB):
        before -= 1
    is_aside = (
        group.voice == "gerund" and not group.is_finite and before >= 0 and is_word(items[before], ",", "thus", "hence")
    )
    subject = find_subject(items, verb)
    if is_aside or any(argument.anaphor == "clause" for argument in subject):
        return _find_outcome(items, verb if is_aside else before, claims)
    return subject


def _find_warded(items: Sequence[Item], verb: int) -> Arguments:
    """What "protects Y from Z" wards off: Z."""
    _, end = read_coordinates(items, verb + 1)
    if end + 1 < len(items) and is_word(items[end], "from", "against"):
        return to_arguments(read_coordinates(items, end + 1)[0])
    return ()


def _find_outcome(items: Sequence[Item], stop: int, claims: Sequence[Claim]) -> Arguments:
    """What the clause up to ``stop`` results in: the effects of its last cue, else what it speaks of."""
    start = stop
    while start > 0 and not is_boundary(items[start - 1]):
        start -= 1
    effects = {c.effect.start: c for c in claims if start <= c.position == claims[-1].position}
    if effects:
        return tuple(Argument(claim.effect, claim.sign) for claim in effects.values())
    return find_clause_variable(items, start, stop)


def _read_backward_connective(items: Sequence[Item], position: int) -> Iterator[Finding]:
    """Findings of "Y because of X", "Because of X, Y" and "deaths due to X"."""
    causes, end = read_coordinates(items, position + 1)
    cue = Cue(1, cues.CLEAR)
    start = find_sentence_start(items, position)
    if position == start:
        comma = next((i for i in range(end, len(items)) if is_word(items[i], ",")), None)
        if comma is not None:
            yield Finding(to_arguments(causes), find_clause_variable(items, comma + 1, len(items)), cue)
        return
    start = find_last_clause(items, start, position)
    verbs = [item for item in items[start:position] if isinstance(item, VerbGroup)]
    if any(verb.is_negated for verb in verbs):
        return
    before = items[position - 1]
    hangs = position >= 2 and is_tag(items[position - 2], Tag.PREPOSITION) and bool(verbs)
    if (
        isinstance(before, Phrase)
        and is_usable(before)
        and not hangs
        and is_word(items[position], *_ADJACENT_CONNECTIVES)
    ):
        yield Finding(to_arguments(causes), (Argument(before),), cue)
    else:
        yield Finding(to_arguments(causes), find_clause_variable(items, start, position), cue)


def _read_forward_connective(
    items: Sequence[Item], position: int, claims: Sequence[Claim], context: Context
) -> Iterator[Finding]:
    """Findings of "X. As a result, Y rises": what follows must move."""
    stop = find_sentence_stop(items, position + 1)
    group = next((item for item in items[position + 1 : stop] if isinstance(item, VerbGroup)), None)
    if group is None or not group.is_finite or group.lemma not in MOVES:
        return
    before = position
    while before > 0 and (is_word(items[before - 1], ";", ",") or is_tag(items[before - 1], Tag.CONJUNCTION)):
        before -= 1
    has_clause = any(isinstance(item, VerbGroup) for item in items[:before])
    causes = _find_outcome(items, before, claims) if has_clause else context.outcome
    yield Finding(causes, find_clause_variable(items, position + 1, stop), Cue(1, cues.WEAK))


def _read_subordinate(items: Sequence[Item], position: int, cue: Cue, *, needs_moves: bool) -> Iterator[Finding]:
    """Findings of "Because X fell, Y rose" and "Y rose because X fell"; likewise with when and if."""
    start = find_sentence_start(items, position)
    if position == start:
        comma = find_main_clause(items, position + 1)
        if comma is None:
            return
        sub, main = (position + 1, comma), (comma + 1, len(items))
    else:
        sub = (position + 1, find_sentence_stop(items, position + 1))
        main = (find_last_clause(items, start, position), position)
    if needs_moves and not (is_moving(items, *sub) and is_moving(items, *main)):
        return
    states_cause = any(isinstance(item, VerbGroup) and item.lemma in cues.VERB_CUES for item in items[slice(*main)])
    if states_cause and not is_moving(items, *sub):
        return
    yield Finding(find_clause_variable(items, *sub), find_clause_variable(items, *main), cue)
