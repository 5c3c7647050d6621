"""The words the reader knows: function words, adjectives, and nouns that mean little or name people.

Lists, not knowledge: every other word is taken for a noun unless its ending says otherwise
(:mod:`providers.rules.wordclasses`).
"""


def to_words(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


DETERMINERS = to_words(
    """
    a an the this that these those each every some any no all both many much few several most more less fewer other
    another such its their his her our my your certain various numerous own enough half either neither what whatever
    multiple
    """
)
PRONOUNS = to_words(
    """
    nobody somewhere anywhere somebody anybody nowhere everybody it they he she we i you them him us me itself
    themselves himself herself oneself others someone anyone everyone something anything nothing everything there
    here one ones none who whom it's
    """
)
PREPOSITIONS = to_words(
    """
    of in on at by for with from to into onto over under between among amongst through throughout during after
    before against without within across along around about above below beyond despite toward towards upon via per
    like unlike as than since until till near off out up down amid amidst including excluding regarding concerning
    except besides alongside outside inside behind beneath versus notwithstanding
    """
)
CONJUNCTIONS = to_words("and or but nor yet & plus")
SUBORDINATORS = to_words(
    """
    because if when while whereas although though whilst unless whether once so where how why whenever wherever lest
    whereby wherein
    """
)
RELATIVES = to_words("which that who whom whose")
BE = to_words("be am is are was were been being isn't aren't wasn't weren't")
HAVE = to_words("have has had having haven't hasn't hadn't")
MODALS = to_words(
    """
    can could may might will would shall should must ought do does did cannot can't couldn't won't wouldn't don't
    doesn't didn't shouldn't
    """
)
NEGATIONS = to_words("not never hardly barely scarcely seldom rarely cannot neither nor")
HEDGES = to_words("""
    may might could possibly perhaps sometimes occasionally partly partially potentially slightly
    """)
BOOSTERS = to_words(
    """
    strongly greatly largely mainly primarily directly significantly sharply severely dramatically principally
    chiefly heavily substantially invariably always main primary principal leading major chief key greatest biggest
    largest
    """
)
ADVERBS = to_words(
    """
    also often sometimes then now thus hence therefore however moreover furthermore still even just only very too
    quite rather almost already always again later soon ever instead together well far away abroad further perhaps
    meanwhile nevertheless nonetheless otherwise indeed twice approximately especially particularly eventually
    elsewhere everywhere sooner maybe namely today yesterday tomorrow worldwide thereby thereafter afterwards
    outright apart overall least altogether alone ago forward backward onwards onward
    """
)
NUMBER_WORDS = to_words(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen twenty thirty forty fifty hundred
    thousand million billion trillion dozen first second third fourth fifth sixth seventh eighth ninth tenth last
    next hundreds thousands millions billions dozens once couple fifth
    """
)

ADJECTIVES = to_words(
    """
    immune lax bare ragged sheer spare steadfast lone inward outward indoor overt covert dearer brief same earlier
    uneven extinct diligent separate rewritten unwritten gifted able abundant acute adequate ancient arid aware bad
    basic better best big bigger black blue broad cheap civil clean clear cold common complex cool corrupt crucial
    current daily dark dead dear deep dense different difficult direct distant dominant dry due early easy efficient
    elderly empty entire equal extra extreme fair false famous fast few final fine firm foreign former free frequent
    fresh full fundamental future general global good great greater green happy hard harsh heavy high higher highest
    hot huge humid ill immediate important independent indoor inner intense intermediate international joint key
    large larger largest late later latter lesser light likely little local long longer low lower lowest mass mature
    mental mild minor minute mixed mobile moderate modern modest more most narrow nearby net new nice nuclear
    obvious old older open ordinary outdoor outer own past permanent plain poor popular positive possible potent
    premature present prime prior private profound prominent proper public pure quick rapid rare raw ready real
    recent red relevant remote rich rough round rural safe scarce senior serious severe sharp short shorter sick
    significant similar simple single slight slow small smaller smallest smooth social soft sole solid sophisticated
    special stable standard steady steep strict strong stronger sudden sufficient suitable superior sure sustained
    swift systemic tall tense thick thin tight tiny total tough true typical unable unequal unfair unique unlikely
    unstable upper urban urgent usual vague vast violent vital vulnerable warm warmer weak weaker wealthy healthy
    unhealthy wet white whole wide wider widespread wild worse worst wrong young younger chronic toxic military
    monetary primary secondary necessary voluntary temporary contemporary contrary solitary hereditary sedentary
    ordinary extraordinary imaginary preliminary revolutionary evolutionary budgetary dietary sanitary unitary human
    female male sacred sea-level prevalent ambient abundant dominant evident apparent coherent consistent persistent
    subsequent infant redundant reluctant resistant dependent sufficient insufficient inefficient ancient patient
    excellent excess overall average western eastern northern southern central nearly main many-sided unknown awake
    asleep motile guilty innocent grave bony horny woody sandy rocky muddy icy rainy sunny windy cloudy snowy salty
    hungry lengthy costly deadly lively friendly orderly scholarly elderly tidal long-term short-term large-scale
    small-scale so-called well-known self-made day-to-day mid co2-rich fossil maximum minimum
    """
) - to_words("patient excess fossil infant light minute nearly")

NOUNS_LIKE_ADJECTIVES = to_words(
    # -al, -ic, -ive, -able, -ary, -ous, -less, -ful that are nouns
    """
    arrival removal proposal capital animal hospital criminal festival journal mineral metal signal approval
    withdrawal survival renewal material denial trial rival refusal disposal reversal appraisal manual canal coral
    crystal goal meal deal terminal interval mammal carnival cathedral principal rental referral portal burial
    retrieval music traffic topic epidemic pandemic republic fabric clinic mechanic logic magic critic ethic panic
    plastic antibiotic arithmetic rhetoric mosaic polemic ceramic academic skeptic lyric heretic catholic statistic
    incentive motive initiative objective alternative representative executive archive narrative perspective
    collective detective adjective additive preservative derivative olive directive cooperative locomotive vegetable
    table cable variable boundary library salary territory history factory industry dictionary summary anniversary
    january february secretary missionary tributary estuary century salary diary sanctuary treasury beneficiary
    mercenary adversary commentary documentary glossary luminary vocabulary infirmary cycle article vehicle particle
    obstacle oracle muscle bible people principle temple couple example disciple octopus virus census bonus nexus
    genus handful spoonful metal signal total mental
    """
) - to_words("mental history factory industry")

NOMINAL_GERUNDS = to_words(
    """
    farming logging mining warming spending lending manufacturing banking housing shipping funding training
    engineering breeding fishing hunting trafficking planning marketing building flooding overfishing overgrazing
    poaching saving savings borrowing trading gambling drinking smoking bleaching bombing killing shooting uprising
    painting writing reading singing dancing learning teaching parenting nursing clothing heating cooling lighting
    processing computing programming networking broadcasting advertising publishing printing meaning feeling
    understanding hearing upbringing beginning ending earnings earning wellbeing well-being offspring landing
    meeting setting crossing clearing grazing burning outsourcing offshoring policing gerrymandering vaccination
    aging ageing weathering upwelling dumping damming irrigation rationing hoarding lobbying sanctioning wedding
    ceiling string spring king ring wing thing morning evening swing sibling darling ping sterling viking pudding
    ranching felling draining melting thinning freezing ploughing plowing tilling planting harvesting sowing
    spraying pumping drilling quarrying smelting refining composting dredging littering stockpiling commuting
    driving walking cycling eating cooking sleeping shopping gaming streaming bullying profiling crowding
    overcrowding rioting looting fighting infighting bargaining voting campaigning fundraising tracking monitoring
    testing mapping modelling modeling forecasting scheduling budgeting accounting auditing pricing storytelling
    sprawling browsing swimming hiking sailing rowing boxing wrestling fencing herding shepherding whaling sealing
    bullfighting healing nesting spawning mating foraging feeding grooming burrowing upskilling tightening
    sequencing imaging timing dumping zoning fracking hacking recycling urbanizing screening counselling counseling
    """
)

RISING = to_words(
    """
    rising increasing growing higher increased greater larger high strong expanding improved improving elevated
    enhanced more surging soaring excess excessive heavy heavier intense stronger warmer longer faster expanded
    intensified mounting strengthened widening heightened better abundant frequent escalating accelerating highest
    """
)
FALLING = to_words(
    """
    falling decreasing declining lower decreased lesser smaller low weak shrinking reduced diminishing worsening
    less fewer poor scarce insufficient inadequate weaker shorter slower limited weakened diminished dwindling
    lowest
    """
)

EMPTY_MODIFIERS = (
    RISING
    | FALLING
    | BOOSTERS
    | to_words(
        """
    other such same different various many several few certain some any further additional recent new old current
    former previous first second last next major main key significant important severe serious widespread large
    small big great general common typical particular specific special overall actual possible potential likely
    early late later whole entire full partial individual single own existing remaining subsequent resulting ongoing
    sudden rapid gradual steady slow sharp massive huge vast extensive considerable substantial dramatic long short
    relative so-called known given proposed modern contemporary today traditional total average numerous related
    associated similar direct indirect immediate initial final eventual ultimate very numerical adverse negative
    positive harmful beneficial fundamental vital crucial essential necessary strong weak notable prominent famous
    long-term short-term large-scale small-scale usual normal ordinary extreme unprecedented temporary permanent
    basic increasingly mere more less most least ever-increasing fast fast-growing powerful widely-used complex
    simple long-lasting well-known chief half good bad better best worse worst original different subsequent wide
    wider broad broader unique popular successful able entire next certain multiple grave deep profound clear minor
    little renewed double triple approximate exact real true pure
    """
    )
)

TRANSPARENT_HEADS = to_words(
    # of-phrases that only measure or sort their complement; the complement is the variable
    """
    level amount number degree extent frequency intensity presence risk likelihood probability chance possibility
    range variety series lot majority minority type form kind sort part set aspect most rest pair host plethora wave
    pattern share proportion percentage quantity volume bulk sign case instance body deal episode period state
    condition process act practice problem issue question threat danger incidence prevalence severity magnitude size
    idea concept notion principle phenomenon example element component matter sense total portion fraction mixture
    combination sum system field occurrence existence value scale scope history spate string burst onset renewal
    resumption continuation course impact effect influence consequence result benefit
    """
)
RISING_HEADS = to_words(
    """
    increase rise surge spike jump upsurge boost upturn intensification escalation strengthening raising
    """
)
FALLING_HEADS = to_words(
    """
    decrease decline reduction fall drop lack absence decrement slump weakening dip lowering shortfall prevention
    downturn avoidance elimination curtailment easing slowdown plunge diminution lessening
    """
)

NEVER_HEADS = to_words(
    # no variable, whatever stands before them: times, units, words about words
    """
    way year century decade day month week hour minute time number term word name kind type sort bit percent
    percentage kilometre kilometer mile metre meter foot tonne ton dollar euro pound january february march april
    may june july august september october november december monday tuesday wednesday thursday friday saturday
    sunday page chapter section title edition version self thousand million billion hundred dozen other something
    anything nothing everything one else today example instance date birth thing person people phrase sentence
    paragraph series episode lot majority minority column row line letter reference footnote article list album
    story poem essay newsletter play place city town village island continent province district region country
    nation location republic territory area site capital hemisphere north south east west northeast northwest
    southeast southwest most more less least few many some all half third quarter rest total period era age epoch
    stage phase moment definition description meaning purpose opinion question answer view sense fact truth part
    member side end beginning ceremony award prize season match game league career childhood lifetime student
    graduate professor while respect order contrast addition general particular turn instead sometime once such
    average standard three-quarter principle goal agent aim criteria criterion fate favor favour honor honour heel
    back plethora handful host pair couple set range variety category class genus family subfamily clade order
    phylum
    """
)
EMPTY_HEADS = to_words(
    """
    way thing part fact one example case time year century decade day month week hour minute number term word name
    kind type form group set range area region country world place side end beginning person instance point extent
    amount degree level century era age period stage moment while lot variety series majority minority percent
    percentage proportion share half third quarter rest total bit pair couple kilometre kilometer mile metre meter
    foot tonne ton dollar euro pound january february march april may june july august september october november
    december monday tuesday wednesday thursday friday saturday sunday north south east west northeast northwest
    southeast southwest center centre middle top bottom edge result cause effect impact influence consequence reason
    factor role contribution contributor driver response basis origin source outcome aspect feature characteristic
    element component member item list version edition page chapter section title article album author series
    episode role target today self thousand million billion hundred dozen addition order view respect contrast
    particular general turn others else something anything nothing purpose matter sense question issue problem
    subject topic concept idea notion definition description meaning word phrase name variety class category genus
    family use instead people many few more less most least variant advantage disadvantage benefit ability
    possibility process act action practice method approach means measure step manner mean increase decrease rise
    fall drop decline change shift difference similarity relation relationship situation circumstance state
    condition city town village island continent nation province district territory site location republic capital
    planet hemisphere start onset date birth death life lifetime childhood career work piece object body head hand
    eye surface layer university college school student professor game match season team player league award prize
    ceremony letter symbol sign code unit value quantity sum equation theorem proof figure table data information
    evidence example opinion statement claim argument answer reference literature text line row column expression
    function variable share lack absence presence thing sort bulk top success failure attempt effort need desire
    interest chance others counterpart equivalent alternative rest remainder plethora host handful lot deal majority
    system product property material substance structure model field scale scope combination mixture kinds event
    phenomenon history study research science knowledge course front wing place style mid-1990s status position home
    house building sometime once consideration account pattern trend development aspects scenario species risk
    threat danger likelihood
    """
) - to_words("""
    death research risk birth knowledge science development success failure interest information
    """)

PEOPLE = to_words(
    """
    people person man woman child boy girl human individual adult parent mother father son daughter brother sister
    wife husband friend family citizen resident inhabitant population-member majority minority king queen prince
    princess emperor president minister chancellor premier senator governor mayor judge general colonel captain
    admiral lieutenant sergeant soldier troop officer official politician leader ruler monarch pope bishop priest
    saint god goddess hero scholar scientist researcher author writer poet artist painter musician composer actor
    actress director architect engineer doctor physician patient nurse student teacher professor philosopher
    historian critic worker employee employer farmer peasant merchant trader banker investor consumer customer buyer
    seller owner producer user player athlete candidate voter activist advocate supporter opponent critic member
    founder pioneer slave immigrant migrant refugee settler colonist native indian tribe tribesman peoples youth
    elite aristocrat noble lord knight lawyer attorney defendant plaintiff victim prisoner criminal witness jury
    juror expert economist analyst observer visitor tourist passenger driver pilot astronaut crew guest neighbor
    neighbour ancestor descendant heir successor predecessor follower disciple male female figure rebel rival enemy
    ally hunter gatherer herder fisherman consumer household delegate representative correspondent editor publisher
    reader audience speaker practitioner clinician smith someone anybody pupil agent civilian experimenter appellant
    appellee viceroy grandson carmaker entrepreneur veteran thinker novelist playwright screenwriter populace
    soldier guerrilla partisan journalist millionaire manufacturer supplier operator contractor mp taxpayer lender
    borrower debtor creditor depositor
    """
) - to_words("population-member figure")

INSTITUTIONS = to_words(
    """
    government parliament congress senate court bank party army navy company firm corporation church state police
    administration authority agency council committee union ministry legislature judiciary monarchy military empire
    institution organization organisation regime movement coalition bureaucracy cartel federation commission corps
    militia force army business community industry
    """
)

NAMED_HEADS = INSTITUTIONS | to_words(
    # a capitalised head that names something that can vary, unlike a person or a place
    """
    war wars revolution treaty act agreement protocol crisis depression plan policy reform campaign rebellion revolt
    uprising genocide holocaust massacre invasion occupation blockade embargo amendment constitution law code
    declaration reformation renaissance enlightenment movement programme program project recession conference accord
    pact alliance strike pandemic plague famine earthquake eruption hurricane flood drought fire disaster current
    stream effect oscillation deal conquest siege battle crash bubble scandal purge coup election referendum
    convention independence partition migration trade boycott riot protest incident attack bombing massacre
    """
)
NAMED_SYMBOLS = to_words(
    """
    GDP AI DNA RNA CO2 HIV AIDS UV GPS PTSD ADHD LED NO2 CO CFC CFCs GNP FDI VAT CPI IT ICT HIV/AIDS SARS ENSO
    """
)
