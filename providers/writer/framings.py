"""Phrasings for all that says nothing about probabilities: openings, closings, edges.

Slots: ``{T}`` the title, ``{R}`` roots, ``{S}`` a last effect, ``{N}`` a count in words, ``{P}`` parents, ``{C}`` the
child, ``{A}`` both or all, ``{V}`` a variable, ``{l}`` its states.
"""

from providers.writer.templates import Deck

# ---- Openings and closings --------------------------------------------------------------------------------------

OPENINGS_WITH_TITLE: Deck = (
    "what follows traces the part of {T} that runs from {R} to {S}",
    "anyone who wants to make sense of {T} will sooner or later ask what {R} <R:has|have> to do with {S}",
    "seen as a chain of causes and effects, {T} begins with {R} and arrives, step by step, at {S}",
    "discussions of {T} tend to circle around {S}, yet the story starts further back, with {R}",
    "this account of {T} is concerned with {S} and with what lies further back: {R}",
    "there is more than one way to tell the story of {T}; this one sets out from {R} and goes as far as {S}",
    "in the case of {T}, {S} can hardly be judged without a look at {R}",
    "{N} conditions carry this account of {T}, from {R} at one end to {S} at the other",
    "a useful way into {T} is to look first at {R} and to keep {S} in mind as the point where things end up",
    "on the subject of {T}, the paragraphs below move from {R} towards {S} and say how firm each step is",
)
OPENINGS: Deck = (
    "what follows traces a path that runs from {R} to {S}",
    "what <R:does|do> {R} have to do with {S}? The answer takes a few steps",
    "seen as a chain of causes and effects, the matter begins with {R} and arrives, step by step, at {S}",
    "talk tends to circle around {S}, yet the story starts further back, with {R}",
    "this account is concerned with {S} and with what lies further back: {R}",
    "there is more than one way to tell this story; the present one sets out from {R} and goes as far as {S}",
    "{S} can hardly be judged without a look at {R}",
    "{N} conditions carry this account, from {R} at one end to {S} at the other",
    "it helps to look first at {R} and to keep {S} in mind as the point where things end up",
    "the paragraphs below move from {R} towards {S} and say how firm each step is",
)
OPENINGS_LOOSE_WITH_TITLE: Deck = (
    "in what is told about {T}, {R} can be looked at without regard to anything else",
    "a look at {T} has to take in {R}, for which this account gives the bare odds",
    "as far as {T} is concerned, the question here is simply what to expect of {R}",
)
OPENINGS_LOOSE: Deck = (
    "this account deals with {R} and says what to expect",
    "the question here is simply what to expect of {R}",
    "{R} can be looked at here without regard to anything else",
)
CLOSINGS: Deck = (
    "taken together, these steps lead away from {R} and end at {S}, with room for exceptions at every turn",
    "whatever else may matter for {S} is left out of this account",
    "so the view from {R} to {S} is one of tendencies rather than of fixed rules",
    "read backwards, the same account tells what {S} may reveal about {R}",
    "in this way a change in {R} can travel all the way to {S}, though it may lose force as it goes",
    "what happens to {S} in a single case remains open; the account only says where the odds lie",
    "that is how {R} and {S}, far apart as they may look, belong to one story",
    "to watch {R} is therefore one way to get an early idea of {S}",
    "{S} <S:is|are> where the account ends, and {R} <R:is|are> where anyone who wants to change it would begin",
    "much of the uncertainty about {S} is thus uncertainty about {R} and about the steps between",
)
REMARKS: Deck = (
    "exceptions are part of the picture, and the wording leaves room for them on purpose",
    "the figures say how frequent each turn of events is among comparable cases, and no single case is bound by them",
    "where no figure is given, the wording indicates how firm the expectation is",
    "anything that is not mentioned here is assumed to make no difference of its own",
    "the percentages belong to the circumstances named next to them and should not be carried over to different ones",
    "it is worth keeping in mind that each statement holds for the circumstances it names and for those only",
    "a reader who knows the first conditions can work out from these statements what to expect further along",
    "none of the statements is a forecast; they describe what a well-informed observer would expect beforehand",
    "the account is deliberately brief and leaves aside details that do not change the overall picture",
    "each condition is treated as settled before the next one is looked at, which keeps the reasoning in order",
    "the order of telling is the order in which things come about, from the first conditions to the last",
)

# ---- Edges --------------------------------------------------------------------------------------------------------

EDGES_ONE: Deck = (
    "{P} <P:has|have> a direct effect on {C}",
    "{C} <C:depends|depend> on {P}",
    "{P} <P:shapes|shape> {C}",
    "how {C} <C:turns|turn> out is determined in good part by {P}",
    "changes in {P} lead to changes in {C}",
    "{C} <C:responds|respond> to {P}",
    "one thing that {P} <P:influences|influence> is {C}",
    "{P} <P:leaves a|leave a> mark on {C}",
    "it is {P} that <P:drives|drive> {C}",
    "{C} can be traced back to {P}",
    "because of {P}, {C} may look quite different from one case to the next",
    "{P} <P:feeds|feed> into {C}",
    "much of what happens to {C} is owing to {P}",
    "{P} <P:makes itself|make themselves> felt in {C}",
    "{C} <C:hinges|hinge> on {P}",
    "a shift in {P} is enough to alter {C}",
    "{C} <C:is|are> governed by {P}",
    "an effect of {P} can be seen in {C}",
)
EDGES_CHAIN: Deck = (
    "{P}, in turn, <P:affects|affect> {C}",
    "from there the chain goes on: {P} <P:shapes|shape> {C}",
    "{P} then <P:influences|influence> {C}",
    "next in line <C:is|are> {C}, which <C:depends|depend> on {P}",
    "the effect of {P} does not stop there but reaches {C}",
    "{C}, for <C:its|their> part, <C:responds|respond> to {P}",
    "one step further on, {P} <P:has|have> a say in {C}",
    "as a result of {P}, {C} may change as well",
)
EDGES_MANY: Deck = (
    "{C} <C:depends|depend> on {P}",
    "{N} influences meet in {C}: {P}",
    "{P} {A} act on {C}",
    "{C} <C:is|are> shaped by {P}",
    "what happens to {C} is caused jointly by {P}",
    "{C} <C:is|are> driven by {P}, and it matters how these combine",
    "{P} {A} have a say in {C}",
    "{C} <C:results|result> from the interplay of {P}",
    "{C} <C:responds|respond> to {P}, and no single one of them settles the matter",
    "{N} things together determine {C}, namely {P}",
    "because of {P}, {C} can turn out in quite different ways",
)
EDGES_FORMAL: Deck = (
    "{C} <C:depends|depend> on {P}",
    "{P} {A} influence {C}",
    "{P} {A} affect {C}",
    "{C} <C:is|are> shaped by {P}",
    "{C} <C:is|are> driven by {P}",
    "{C} <C:is|are> caused by {P}",
    "because of {P}, {C} can change",
    "{P} {A} lead to {C}",
    "{C} <C:is|are> determined by {P}",
    "{C} <C:stems|stem> from {P}",
    "{P} {A} contribute to {C}",
    "{P} {A} trigger {C}",
)

# ---- Without claims -----------------------------------------------------------------------------------------------

TALK: Deck = (
    "where {V} <V:is|are> concerned, the talk is of {l}",
    "with regard to {V}, mention is made of {l}",
    "as for {V}, one hears of {l}",
)

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
