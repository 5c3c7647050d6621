"""Phrasings for states, what to expect of roots, effects, and strength.

Slots: ``{V}`` a variable, ``{B}`` the same without article, ``{C}`` the child, ``{s}`` a state, ``{o}`` a state as an
outcome, ``{c}`` a condition (clause) or setting (noun phrase), ``{d}`` another one, ``{w}`` a clause, ``{pct}`` a
percentage, ``{low}`` another one, ``{n}`` a percentage in brackets or nothing, ``{l}`` a list, ``{verb}`` rises or
falls. ``<V:is|are>`` agrees with V.

Words of strength stand only in the decks that are kept by band, so that they always come from a probability.
"""

from bayes.causal_language import Band
from providers.writer.templates import Deck

# ---- States as conditions -----------------------------------------------------------------------------------------

WHEN_ADJECTIVE: Deck = ("{V} <V:is|are> {s}", "{V} <V:is|are> {s}", "{V} <V:turns|turn> out {s}")
WHEN_PREDICATE: Deck = ("{V} <V:is|are> {s}",)
WHEN_NOUN: Deck = (
    "{V} <V:takes|take> the form of {s}",
    "{V} <V:is|are> best described as {s}",
    "{V} <V:comes|come> down to {s}",
    "{V} <V:comes|come> in the form of {s}",
    "{V} <V:amounts|amount> to {s}",
)
WHEN_PROPER: Deck = ("{V} <V:is|are> {s}", "{V} <V:happens|happen> to be {s}")
WHEN_SAID: Deck = (
    "{V} <V:is|are> {s}",
    "{V} <V:is|are> best summed up as {s}",
    "{V} <V:is|are> recorded as {s}",
    "{V} <V:amounts|amount> to {s}",
)
WHEN_NONE: Deck = (
    "no particular {B} <V:is|are> in play",
    "{V} <V:plays|play> no part",
    "nothing noteworthy is going on with {V}",
    "{V} <V:is|are> out of the picture",
)
WITH_NONE: Deck = ("no particular {B}", "no notable {B}", "no {B} to speak of")
LEADS_CLAUSE: Deck = ("when {c}, ", "if {c}, ", "where {c}, ", "once {c}, ", "whenever {c}, ", "as long as {c}, ")
LEADS_NOUN: Deck = (
    "with {c}, ",
    "given {c}, ",
    "with {c}, ",
    "in the event of {c}, ",
    "faced with {c}, ",
)
TRAILS_CLAUSE: Deck = (" when {c}", " if {c}", " where {c}", " once {c}")
TRAILS_NOUN: Deck = (" with {c}", " given {c}", " in the event of {c}")
LEADS_ALL_NONE: Deck = (
    "when none of this is in play, ",
    "with nothing of the kind at work, ",
    "in the absence of all that, ",
    "left to itself, so to speak, and without any of these, ",
)
REST_NONE: Deck = (" and nothing else of note", " alone", " and little else")
TURNS: Deck = ("by contrast, ", "on the other hand, ", "conversely, ", "things look different elsewhere: ")
LIKEWISES: Deck = ("likewise, ", "similarly, ", "in much the same way, ")

# ---- Effects ------------------------------------------------------------------------------------------------------
# {adv} stands before a verb or complement, {always} at the end of a clause or before a whole one.

MAINS_ADJECTIVE: Deck = (
    "{C} <C:is|are> {adv} {s}{n}",
    "{C} <C:is|are> {adv} {s}{n}",
    "{C} <C:is|are> {adj} to be {s}{n}",
    "there is {chance} of {o}{n}",
    "{always} one sees {o}{n}",
    "{C} will {adv} be {s}{n}",
    "{o} can be expected {always}{n}",
    "{C} <C:is|are> {s} {always}{n}",
)
MAINS_NOUN: Deck = (
    "the outcome is {adv} {o}{n}",
    "{C} will {adv} be {o}{n}",
    "there is {chance} of {o}{n}",
    "{o} can be expected {always}{n}",
    "{always} the result is {o}{n}",
    "{o} will follow {always}{n}",
    "this {adv} means {o}{n}",
    "{C} {adv} <C:takes|take> the form of {o}{n}",
)
MAINS_NUMBER_ADJECTIVE: Deck = (
    "the chance of {o} is {pct}",
    "{C} <C:is|are> {s} in {pct} of cases",
    "{o} can be expected in {pct} of cases",
    "the odds of {o} stand at {pct}",
)
MAINS_NUMBER_NOUN: Deck = (
    "the chance of {o} is {pct}",
    "the outcome is {o} in {pct} of cases",
    "{pct} of cases end in {o}",
    "the odds of {o} stand at {pct}",
)
MAINS_NONE: Deck = (
    "{always} nothing of note happens to {C}{n}",
    "{C} {adv} <C:plays|play> no part{n}",
    "{C} {adv} <C:stays|stay> out of the picture{n}",
    "{C} {adv} <C:shows|show> none of this{n}",
)
MAINS_NUMBER_NONE: Deck = (
    "nothing of note happens to {C} in {pct} of cases",
    "{C} <C:plays|play> no part in {pct} of cases",
    "{pct} of cases leave {C} out of the picture",
)
MAINS_LEADING: Deck = (
    "the likeliest outcome is {o}, at {pct}",
    "the field is open, {o} being ahead at {pct}",
    "much remains undecided; {o} can be expected in {pct} of cases",
    "no single outcome stands out, the front runner being {o} at {pct}",
)
MAINS_LEADING_NONE: Deck = (
    "the field is open, and in {pct} of cases nothing of note happens to {C}",
    "much remains undecided, and in {pct} of cases {C} <C:plays|play> no part",
)
SECONDS: Deck = (
    ", followed by {o} at {pct}",
    ", against {pct} for {o}",
    ", with {o} next at {pct}",
    ", while {pct} of cases see {o}",
    ", ahead of {o} at {pct}",
)
SECONDS_LEADING: Deck = (", followed by {o} at {pct}", ", against {pct} for {o}")
SECONDS_NONE: Deck = (
    ", while nothing of note happens in {pct} of cases",
    ", with nothing of the kind in {pct} of cases",
    ", against {pct} for nothing at all",
)
CONTRASTS: Deck = (
    "with {c} instead, the chance of {o} {verb} to {pct}",
    "put {c} in place of that, and the chance of {o} {verb} to {pct}",
    "the chance of {o} {verb} to {pct}, however, with {c} instead",
    "change one thing only, to {c}, and the chance of {o} {verb} to {pct}",
    "had there been {c} instead, the chance of {o} would have been {pct}",
    "with {c} instead, there is {chance} of {o}{n}",
    "{o} would be {adj} with {c} instead{n}",
    "this is sensitive to a single change: {c} in its place, and the chance of {o} {verb} to {pct}",
)
CONTRASTS_NONE: Deck = (
    "leave {V} out of it, and the chance of {o} {verb} to {pct}",
    "without any {B} to speak of, the chance of {o} {verb} to {pct}",
    "were {V} to play no part, the chance of {o} would be {pct}",
    "without any {B} to speak of, {o} would be {adj}{n}",
    "take {V} away, with nothing to replace <V:it|them>, and the chance of {o} {verb} to {pct}",
)
CONTRASTS_LEVEL: Deck = ("with {c} instead, the chance of {o} stays at {pct}",)
PEAKS: Deck = (
    "the best chance of {o} comes with {c} ({pct})",
    "the chance of {o} is at its highest with {c}, where it reaches {pct}",
    "the chance of {o} peaks at {pct}, with {c}",
    "for {o}, the most favourable circumstances are those with {c} ({pct})",
    "the odds of {o} are best with {c}, at {pct}",
    "it takes {c} to bring the chance of {o} to {pct}",
    "the chance of {o} rises to {pct} with {c}",
)
PEAKS_LOW: Deck = (
    "even with {c} there is only {chance} of {o}{n}",
    "{o} can be expected at best {always}, and that with {c}{n}",
    "{o} would be {adj} even with {c}{n}",
)
PEAKS_NONE: Deck = (
    "the chance of {o} is at its highest, at {pct}, when {w}",
    "when {w}, the chance of {o} reaches its peak ({pct})",
    "nothing favours {o} more than a situation in which {w} ({pct})",
)
CLIMBS: Deck = (
    "the chance of {o} climbs from {low} with {d} to {pct} with {c}",
    "between {d} and {c}, the chance of {o} moves from {low} to {pct}",
    "while the chance of {o} is only {low} with {d}, it stands at {pct} with {c}",
    "{o} can be expected in {pct} of cases with {c}, but in {low} with {d}",
    "the odds of {o} are {low} with {d} and {pct} with {c}",
    "it makes a difference for {o} whether one has {c} ({pct}) or {d} ({low})",
)
LEFTOVERS_RARE: Deck = (
    "{l} hardly ever {come} about, whatever the circumstances (at most {pct})",
    "whatever the circumstances, {l} seldom {come} about (at most {pct})",
)
LEFTOVERS_ONE: Deck = (
    "there is also room for {l}",
    "another possible outcome is {l}",
    "not to be forgotten: {l}",
    "one more outcome to reckon with is {l}",
)
LEFTOVERS: Deck = (
    "further outcomes to reckon with are {l}",
    "under other circumstances one meets with {l}",
    "there is also room for {l}",
    "other possible outcomes are {l}",
    "not to be forgotten: {l}",
    "the list of outcomes would be incomplete without {l}",
)

# ---- Priors -------------------------------------------------------------------------------------------------------

PRIORS: Deck = (
    "in {pct} of cases {c}",
    "{always} {c}{n}",
    "it is {adj} that {c}{n}",
    "the odds that {c} stand at {pct}",
    "to begin with, {c} in {pct} of cases",
    "the chance that {c} is {pct}",
    "{c} in {pct} of cases",
)
PRIORS_NONE: Deck = (
    "{always} {c}{n}",
    "in {pct} of cases {c}",
    "it is {adj} that {c}{n}",
)
PRIORS_LEADING: Deck = (
    "it is no more than the likeliest case that {c} ({pct})",
    "in {pct} of cases {c}",
    "the chance that {c} is {pct}",
    "the commonest case, with {pct}, is that {c}",
    "nothing is settled beforehand, but in {pct} of cases {c}",
    "if anything, {c} ({pct})",
)
PRIOR_RESTS_ADJECTIVE_ONE: Deck = (
    "<V:it|they> can also be {l}",
    "otherwise one may find <V:it|them> {l}",
    "the other possibility is that <V:it is|they are> {l}",
)
PRIOR_RESTS_ADJECTIVE: Deck = (
    "<V:it|they> can also be {l}",
    "otherwise one may find <V:it|them> {l}",
    "other possibilities are that <V:it is|they are> {l}",
)
PRIOR_RESTS: Deck = (
    "the alternatives are {l}",
    "what remains is {l}",
    "beyond that there is {l}",
    "<V:it|they> can also take the form of {l}",
    "otherwise the talk is of {l}",
)
PRIOR_RESTS_ONE: Deck = (
    "the alternative is {l}",
    "what remains is {l}",
    "<V:it|they> can also take the form of {l}",
    "otherwise the talk is of {l}",
)
PRIOR_EXCEPTIONS_ADJECTIVE: Deck = (
    "still, <V:it|they> may be {l}",
    "now and again <V:it is|they are> {l}",
    "in other cases <V:it is|they are> {l}",
)
PRIOR_EXCEPTIONS: Deck = (
    "the exceptions are {l}",
    "departures from this take the shape of {l}",
    "where that is not so, the talk is of {l}",
    "what may occur instead is {l}",
    "apart from that there is {l}",
    "other cases are those of {l}",
)
PRIOR_BASELINES: Deck = (
    "in the remaining {pct} of cases {c}",
    "{c} in the other {pct} of cases",
    "for the rest ({pct}), {c}",
)

# ---- Strength -----------------------------------------------------------------------------------------------------

ADVERBS: dict[Band, Deck] = {
    Band.STRONG: ("usually", "typically", "usually", "very often"),
    Band.MODERATE: ("quite often", "fairly often", "often", "frequently"),
    Band.WEAK: ("sometimes", "occasionally"),
    Band.RARE: ("rarely", "seldom", "hardly ever", "only rarely"),
}
ALWAYS: dict[Band, Deck] = {
    Band.STRONG: ("in most cases", "as a rule", "most of the time", "in the great majority of cases"),
    Band.MODERATE: ("fairly often", "quite often", "frequently"),
    Band.WEAK: ("now and then", "from time to time", "at times", "sometimes"),
    Band.RARE: ("only rarely", "on rare occasions"),
}
ADJECTIVES: dict[Band, Deck] = {
    Band.STRONG: ("very likely", "highly likely", "very likely"),
    Band.MODERATE: ("fairly likely", "quite likely"),
    Band.WEAK: ("rather unlikely", "unlikely"),
    Band.RARE: ("very unlikely", "highly unlikely"),
}
CHANCES: dict[Band, Deck] = {
    Band.STRONG: ("a strong chance", "a high probability", "a strong likelihood"),
    Band.MODERATE: ("a fair chance", "a moderate chance", "a moderate probability"),
    Band.WEAK: ("some chance", "a modest chance", "a limited chance"),
    Band.RARE: ("a remote chance", "hardly any chance", "a remote possibility"),
}
ADVERBS_EVEN: Deck = ("about as often as not",)
ALWAYS_EVEN: Deck = ("about half the time", "roughly half the time", "about as often as not")
ADJECTIVES_EVEN: Deck = ("about as likely as not",)
CHANCES_EVEN: Deck = ("an even chance",)
ADVERBS_CERTAIN: Deck = ("almost always", "nearly always", "almost invariably")
ALWAYS_CERTAIN: Deck = ("almost always", "nearly always", "in the vast majority of cases")
ADJECTIVES_CERTAIN: Deck = ("almost certain", "all but certain")
