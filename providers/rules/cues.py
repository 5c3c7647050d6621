"""The cue phrases by which English states a causal effect: which way it runs, with which sign, how firmly."""

from collections.abc import Mapping
from dataclasses import dataclass

from providers.rules.lexicon import to_words

STRONG, CLEAR, WEAK = 0.9, 0.7, 0.45
"""Strengths: "causes", "increases", "is associated with"."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What a cue says: the sign of the effect, its strength in (0, 1), and whether the cause stands before it."""

    sign: int
    strength: float
    is_forward: bool = True


def _cues(rows: str, sign: int, strength: float, *, is_forward: bool = True) -> dict[str, Cue]:
    cue = Cue(sign, strength, is_forward)
    return {row.strip(): cue for row in " ".join(rows.split()).split(",")}


VERB_CUES: Mapping[str, Cue] = (
    # a verb with its preposition, or alone with a direct object; the base form
    _cues(
        """
        cause, lead to, result in, trigger, give rise to, bring about, produce, create, generate, provoke,
        induce, spark, precipitate, drive, necessitate, ignite, unleash, incite, instigate, culminate in,
        usher in, prompt, force, bring on, set off, touch off
        """,
        1,
        STRONG,
    )
    | _cues(
        """
        contribute to, increase, raise, strengthen, enhance, accelerate, worsen, exacerbate, intensify, expand,
        stimulate, boost, promote, encourage, enable, facilitate, foster, fuel, heighten, improve, deepen,
        aggravate, amplify, widen, elevate, broaden, bolster, reinforce, sustain, hasten, speed, quicken,
        prolong, extend, perpetuate, motivate, inspire, allow, permit, add to, spur, invite, stiffen, inflate,
        propel, nurture, entail, help, feed, empower, cement, galvanize, swell, multiply, restore, secure,
        escalate, catalyze, breed, embolden, revive, ensure, enlarge, advance, attract, deliver, lengthen,
        release, emit, spawn, cultivate, popularize, legitimize, modernize, liberalize
        """,
        1,
        CLEAR,
    )
    | _cues(
        """
        support, favor, favour, provide, introduce, benefit, maintain, preserve, make, nourish, yield, enrich
        """,
        1,
        WEAK,
    )
    | _cues(
        """
        influence, affect, shape, determine, govern, control, alter, change, regulate, modify, transform,
        underpin, impact, act on, impinge on, bear on, underlie, play into, push, pull, account for, disturb,
        dictate, drive up
        """,
        1,
        WEAK,
    )
    | _cues(
        """
        prevent, destroy, eliminate, halt, stop, block, end, eradicate, avert, suppress, ban, prohibit, forbid,
        outlaw, abolish, devastate, cripple, kill, wipe out, ravage
        """,
        -1,
        STRONG,
    )
    | _cues(
        """
        reduce, lower, decrease, weaken, limit, inhibit, hinder, discourage, curb, restrict, undermine, erode,
        diminish, mitigate, deter, damage, harm, threaten, degrade, slow, ease, alleviate, impede, hamper,
        disrupt, deplete, constrain, curtail, dampen, counteract, offset, relieve, minimize, obstruct, impair,
        drain, endanger, jeopardize, cut, depress, stifle, dilute, delay, retard, counter, combat, resist,
        restrain, thwart, shorten, narrow, displace, replace, neutralize, pollute, contaminate, destabilize,
        disturb, shrink, injure, hurt, upset, strain, protect against, guard against, detract from,
        interfere with, cut back, drive out, discredit, plague, wither, flatten, loosen, shatter, subdue,
        frustrate, tighten, soften
        """,
        -1,
        CLEAR,
    )
    | _cues("protect, oppose, compete with, conflict with, outweigh, address, tackle, treat", -1, WEAK)
    | _cues(
        """
        result from, stem from, arise from, originate from, originate in, come from, derive from, emerge from,
        flow from, spring from, follow from, arise out of, grow out of, arise because of, develop from,
        be due to, be caused by
        """,
        1,
        STRONG,
        is_forward=False,
    )
    | _cues(
        """
        depend on, depend upon, rely on, rely upon, hinge on, rest on, respond to, react to, require,
        benefit from, suffer from, need, vary with, be contingent on, rise with, increase with, grow with,
        be subject to
        """,
        1,
        CLEAR,
        is_forward=False,
    )
    | _cues("decrease with, decline with, fall with, recover from", -1, CLEAR, is_forward=False)
)
"""``protect`` and ``support`` act on their object weakly: they say more about intent than about an effect."""

PASSIVE_CUES: Mapping[str, Cue] = (
    # participle with its preposition, beside every forward verb cue with "by"
    _cues(
        """
        associate with, link to, correlate with, connect to, connect with, tie to, relate to
        """,
        1,
        WEAK,
    )
    | _cues("attribute to, blame on, owe to", 1, CLEAR, is_forward=False)
    | _cues("base on", 1, WEAK, is_forward=False)
    | _cues("offset by, oppose by, outweigh by", -1, CLEAR, is_forward=False)
    | _cues("design for, aim at, intend for", 1, WEAK)
)

ADJECTIVE_CUES: Mapping[str, Cue] = (
    # after "be", with the preposition
    _cues("responsible for", 1, STRONG)
    | _cues(
        """
        essential for, essential to, crucial for, crucial to, vital for, vital to, important for, necessary for,
        conducive to
        """,
        1,
        CLEAR,
    )
    | _cues(
        """
        critical for, critical to, key to, central to, beneficial to, beneficial for, useful for
        """,
        1,
        WEAK,
    )
    | _cues("harmful to, detrimental to, damaging to, toxic to, destructive to", -1, CLEAR)
    | _cues("dependent on, dependent upon, reliant on, contingent on, contingent upon", 1, CLEAR, is_forward=False)
    | _cues(
        """
        sensitive to, vulnerable to, susceptible to, prone to, subject to, attributable to, responsive to
        """,
        1,
        CLEAR,
        is_forward=False,
    )
)

NOUN_CUES: Mapping[str, Cue] = (
    # "X is a NOUN of/in/for/to Y", "X has a NOUN on Y"; alone, "the NOUN of X on Y"
    _cues("cause, driver, trigger, source, origin, root", 1, STRONG)
    | _cues(
        """
        factor, contributor, catalyst, stimulus, incentive, contribution, determinant, engine, basis,
        foundation, precondition, key
        """,
        1,
        CLEAR,
    )
    | _cues("effect, impact, influence, role, bearing, implication, repercussion", 1, WEAK)
    | _cues(
        """
        threat, obstacle, barrier, impediment, danger, hindrance, constraint, remedy, deterrent, hazard,
        safeguard
        """,
        -1,
        CLEAR,
    )
    | _cues(
        """
        result, consequence, product, outcome, by-product, byproduct, symptom, legacy, aftermath, function
        """,
        1,
        STRONG,
        is_forward=False,
    )
    | _cues("response, reaction, answer", 1, CLEAR, is_forward=False)
)
ACTING_NOUNS = frozenset(
    {"effect", "impact", "influence", "bearing", "implication", "repercussion", "pressure", "toll"}
)
"""Nouns that act on something by "on": "the effect of X on Y", "X has an influence on Y"."""

HARMFUL_MODIFIERS = to_words("""
    negative adverse harmful detrimental damaging destructive devastating inhibitory depressing
    """)
NULL_MODIFIERS = to_words("no little negligible minimal limited")
"""Words that make an effect negative, or deny it."""

COMPARATIVES: Mapping[str, int] = {
    **dict.fromkeys(
        (
            *("likely", "common", "frequent", "severe", "cheap", "cheaper", "affordable", "attractive", "profitable"),
            *("intense", "higher", "larger", "stronger", "greater", "easier", "possible"),
        ),
        1,
    ),
    **dict.fromkeys(
        (
            *("unlikely", "rare", "scarce", "difficult", "harder", "lower", "smaller", "weaker", "impossible"),
            *("costly", "expensive", "dearer"),
        ),
        -1,
    ),
}
"""Adjectives in "X makes Y (more) likely", and the sign they give."""


def find_verb_cue(lemma: str, particle: str, *, has_object: bool, is_passive: bool) -> Cue | None:
    """The cue of a verb with the word after it, or None.

    Args:
        lemma: base form of the verb.
        particle: the preposition or adverb behind the verb, or an empty string.
        has_object: a noun phrase follows the verb directly.
        is_passive: the verb is a past participle: "X is caused by Y".

    Example:
        >>> find_verb_cue("lead", "to", has_object=False, is_passive=False)
        Cue(sign=1, strength=0.9, is_forward=True)
        >>> find_verb_cue("cause", "by", has_object=False, is_passive=True)
        Cue(sign=1, strength=0.9, is_forward=False)
    """
    phrase = f"{lemma} {particle}"
    if is_passive:
        if phrase in PASSIVE_CUES:
            return PASSIVE_CUES[phrase]
        cue = VERB_CUES.get(lemma) if particle in {"by", "through"} else None
        return Cue(cue.sign, cue.strength, is_forward=False) if cue and cue.is_forward else None
    if particle and phrase in VERB_CUES:
        return VERB_CUES[phrase]
    return VERB_CUES.get(lemma) if has_object else None
