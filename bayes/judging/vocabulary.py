"""What the lexical judge knows about words besides synonyms: antonyms, negations, comparisons, words that say little.

The synonyms are in :mod:`bayes.judging.synonyms`. Groups are separated by line breaks or semicolons, their entries by
commas. An entry may have several words. It is folded (:mod:`bayes.folding`), so singular, plural and any case are one;
words are stemmed where they are used. Only general vocabulary belongs here: what states are called, and what variables
of encyclopedia articles on society, nature and health are about.
"""

# Names with the one are never those with the other, whatever else they share.
ANTONYMS = """
    high, low
    increase, decrease
    increasing, decreasing
    growth, decline
    strong, weak
    severe, mild
    major, minor
    good, bad
    positive, negative
    rich, poor
    frequent, rare
    common, rare
    rapid, slow
    stable, volatile
    strict, lenient
    mandatory, optional
    permanent, temporary
    early, late
    new, old
    young, old
    hot, cold
    above average, below average
    accepted, rejected
    successful, failed
    upheld, overturned
    begun, ended
    open, closed
    active, passive
    expansionary, contractionary
    conservative, liberal
    employment, unemployment
    import, export
    supply, demand
    birth, death
    immigration, emigration
    inflow, outflow
    inflation, deflation
    surplus, deficit
    profit, loss
    revenue, expenditure
    revenue, spending
    income, spending
    asset, liability
    buyer, seller
    purchase, sale
    lender, borrower
    debtor, creditor
    employer, employee
    teacher, student
    doctor, patient
    parent, child
    mother, father
    man, woman
    public, private
    formal, informal
    domestic, foreign
    urban, rural
    upper, lower
    upstream, downstream
    maximum, minimum
    short term, long term
    winter, summer
    day, night
    local, global
    hiring, dismissal
    victory, defeat
    win, loss
    war, peace
    left, right
    north, south
    east, west
    indoor, outdoor
    internal, external
    deforestation, reforestation
    centralisation, decentralisation
    above, below
    before, after
    monetary, fiscal
    skilled, unskilled
"""

# The first is the same as not the second.
OPPOSITES = """
    absent, present
    absence, presence
    false, present
    illegal, legal
    unlawful, legal
    none, present
    failed, successful
    out of work, employment
    jobless, employment
    joblessness, employment
    inability, ability
"""

PRESENT = "present, presence, yes, true, existing, existence"
NEGATIONS = "no, not, without, lack, lacking, non, anti, never, nor, neither, failure to"
PREFIXES = "un, in, im, il, ir, non, anti, dis, de, mis"

# Words that a name may have or lack without meaning anything else.
SLIGHT = """
    level, rate, amount, degree, extent, frequency, how much, how many,
    number, volume, share, proportion, percentage, magnitude, quantity, value, status, condition,
    size, overall, total, general, category, type, kind, measure, index, count
"""
# What comes before and what comes after one of these is not the same: exports to Japan are not exports from it.
DIRECTIONS = "to, on, from, by, against, toward, into"
STOP_WORDS = """
    a, an, the, of, in, at, for, with, and, or, as, is, are, be, being, been, was, were, has, have, had,
    having, that, which, who, how, whether, its, their, it, they, this, these, can, could, will, would, do, does, did,
    per, via, between, among, due, because
"""

# A name with one of these is never the same as a name without it.
DEGREES = """
    very, extremely, highly, exceptionally, extreme
    partially, partly, partial, incomplete
    fully, completely, totally, full, complete, entire
    mostly, largely, mainly, predominantly
    slightly, somewhat
"""

# Beside a number only.
COMPARISONS = """
    <, under, below, less than, fewer than, lower than, younger than, smaller than
    >, over, above, more than, greater than, higher than, older than, larger than, exceeding
    >=, +, at least, and over, or more, and above, and older, or over, no less than
    <=, at most, up to, or less, and under, no more than
"""

NUMBERS = """
    0, zero
    1, one, first, single, 1st, i
    2, two, second, 2nd, ii, double
    3, three, third, 3rd, iii, triple
    4, four, fourth, 4th, iv
    5, five, fifth, 5th
    6, six, sixth, 6th
    7, seven, seventh
    8, eight, eighth
    9, nine, ninth
    10, ten, tenth
    11, eleven
    12, twelve
    13, thirteen
    14, fourteen
    15, fifteen
    16, sixteen
    17, seventeen
    18, eighteen
    19, nineteen
    20, twenty
    30, thirty
    40, forty
    50, fifty
    60, sixty
    70, seventy
    80, eighty
    90, ninety
    100, hundred
    50 %, half
    25 %, quarter
"""
UNITS = """
    %
    $, dollar
    €, euro
    £, pound
    thousand
    million
    billion
    trillion
"""
