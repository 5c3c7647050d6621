"""Word lists for guessing what kind of word a name is; see :mod:`providers.writer.grammar`."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ADJECTIVES = _words("""
    abnormal absent abundant acute adequate adverse aggressive ample apparent ardent bad big binding blatant booming
    brief brisk broad buoyant calm cautious chaotic cheap clear close cold collapsed complete compliant
    comprehensive concentrated conservative contained contested contracting cool cooling creeping crippling critical
    crushing declining decreasing deep dense desperate deteriorating devastating difficult dire diverse dominant
    dormant dry early easing easy effective efficient elevated emerging enough erratic even evident excellent
    excessive expanding expansionary expensive explosive extreme faint fair falling faltering fast favorable
    favourable fervent few fierce firm fixed flat flexible floating fluctuating fragile fragmented frantic free
    frequent full galloping gaping generous good gradual great growing hard harsh healthy heavy hesitant high
    hostile hot huge hurried improving inadequate incipient increasing informal insufficient intact intense
    intermittent irregular isolated large lasting late latent lax lenient light limited local long loose loud low
    lukewarm major managed mandatory many marginal marked massive mature medium mild militant minimal minor mixed
    moderate moderately modest muted narrow nascent near near-total negative neutral new normal official old open
    optimal outspoken paralysing partial patchy permissive pervasive piecemeal poor porous positive predictable
    present private prolonged prompt public quick quiet rampant rapid rare recent regular reliable reluctant
    resilient responsive restrictive rich rigid rising robust rough ruinous rural safe scarce secure selective
    severe shallow sharp short shrinking slack slight slow sluggish small smooth soft sound sparse sporadic stable
    stagnant stagnating steady steep strengthening strict strong subdued substantial subtle sudden sufficient
    superior surging systemic temporary tense tepid thick thin thorough thriving tight tightening tolerable total
    tough trickling turbulent uncertain unclear underfunded unequal uneven unrestrained unstable urban urgent vague
    variable vast vigilant vigorous violent volatile voluntary vulnerable warm warming weak weakening wet wholesale
    wide widespread worsening young
""")
"""Adjectives and participles that often name a state and have no telling ending, or a common one."""

FOLLOWING_ONLY = _words("""
    absent afraid alive alone asleep awake aware enough intact near present unchanged upheld
""")
"""Adjectives that follow the verb: the coalition is intact."""

NOT_ADJECTIVES = _words("""
    academic alternative animal appeal approval archive arctic arrival arsenal betrayal breed cable capital clinic
    collective cooperative criminal critic crucible deal deed denial directive disposal drive epidemic executive
    fabric feed festival goal greed hospital hundred incentive individual initiative journal logic manual material
    meal mechanic media metal mineral motive music narrative native need objective official pandemic panic
    perspective portal potential principal professional proposal public referral refusal relative removal renewal
    representative republic reversal rhetoric ritual rival scandal seed signal speed statistic survival syllable
    table terminal topic traffic trial upheaval variable vegetable weed withdrawal
""")
"""Nouns that end like adjectives."""

DEGREES = _words("""
    almost and but completely extremely fairly fully heavily highly largely least less lightly moderately more most
    mostly nearly newly non not only or partially partly poorly quite rather severely slightly so too very well
    widely
""")
"""Words that may stand before an adjective."""

PREPOSITIONS = _words("""
    about above across after against among as at before behind below between beyond by during for from in into near
    of off on out over through to toward towards under with within without
""")

AUXILIARIES = _words("""
    are can cannot did do does had has have is may might must was were will would
""")
"""A name with one of these is a clause."""

VERBS = _words("""
    becomes begins breaks closes collapses comes continues declines decreases ends fails falls gains gets goes grows
    improves increases loses makes opens remains rises shrinks spreads starts stays stops succeeds takes varies vary
    wins worsens
""")
"""After its first word, one of these makes a name a clause, unless that first word is an adjective."""

IRREGULAR_PARTICIPLES = _words("""
    begun broken built cut drawn driven dropped frozen given held hit kept known left lost made met overthrown paid
    quit sent set shown shut sold spent spread struck taken upheld withdrawn won
""")

COUNTABLE_HEADS = _words("""
    accident accord account act action actor agency agenda agent agreement aim aircraft alarm alliance amount
    approach area army arrangement asset attack attitude authority backlog bailout balance ban bank barrier basis
    behavior behaviour benefit bill blackout body boom boost border bottleneck boycott branch breakdown bubble
    budget buffer bureaucracy campaign case cause ceasefire ceiling chain chance change channel choice circumstance
    city class cluster coalition code colony committee community company condition conflict congress constitution
    context contract corporation corridor cost country coup course court crackdown crisis cycle dam danger date deal
    debate decision declaration decline default deficit degree delay density design dispute district downturn driver
    drop drought economy effect effort election embargo emergency empire employer enterprise environment epidemic
    era error event exemption expectation extension extent factor fall family famine farm fault fee field fine firm
    flood flow force forecast form framework frequency function fund gap glut goal government grant grid group
    guarantee habitat harvest heatwave hike house hub impact incentive incident index indicator industry initiative
    injunction institution instrument interruption interval intervention invasion issue job judgment jurisdiction
    kind landscape law lawsuit leader league legislature level licence license limit loan location lockout loophole
    loss majority mandate march margin market material measure mechanism memory merger method military mine minority
    mission mix mobilisation mode model monopoly moratorium motive movement nation network number obligation office
    operation order organisation organization origin outage outbreak outcome outlook owner pace package pact panel
    parliament partnership party path pattern payment peak penalty percentage period permit phase place plan
    platform policy population port position post posture practice premium president price priority problem
    procedure process producer product profile program programme project proportion proposal protest provider
    province purpose quantity quota range rate rating ratio reaction rebate rebellion recession recovery reform
    regime region regulation regulator relationship release repair reserve reservoir resource response restriction
    result revolt revolution riot rise risk rival rivalry role rollout route rule ruling rumor rumour sanction
    scandal scare scheme school season sector sentiment series service setting settlement severity shape share shift
    shock shortage shortfall shutdown side situation size slump society source speed spell spike squeeze stage
    stalemate stance standard standstill state status step stock storm strategy strength strike structure style
    subsidy suit summit supplier surge surplus system takeover target tariff tax team tendency term territory threat
    threshold tier timing tone tool trajectory transition treatment treaty trend trial tribunal truce type union
    unit uprising user vacuum value variation verdict version view visa volume vote voter vulnerability wage war
    warning wave weapon worker workforce year yield zone
""")
"""Nouns that want an article in the singular."""

IRREGULAR_PLURALS = _words("""
    cattle children criteria data media men people phenomena police women
""")

PROPER_ADJECTIVES = _words("""
    arctic asiatic atlantic baltic catholic celtic germanic islamic nordic olympic pacific slavic
""")
