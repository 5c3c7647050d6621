"""The verbs the reader knows, with their forms."""

from collections.abc import Mapping

from providers.rules.lexicon import ADJECTIVES, to_words
from providers.rules.tokens import Tag

VERBS = to_words(
    """
    advise afford aspire attain beat bend blend bloom boast boil bolt borrow bother bounce brush bump carve chase
    cheer clash climb clutch coax coincide comfort comply confuse congest cope crave crawl creep crush curtail
    decorate deflect deploy deposit descend despise digest dip disable disarm discard discharge disclose dispatch
    disperse displease disregard dissuade distract doom dump dye encode enlist enrage entice entitle envisage erase
    evade evoke exaggerate exclaim exempt exhale exhort expel explode export extinguish extract falter fasten fend
    ferment fetch fill flatten flatter float fold forge frame freeze frighten frustrate fry fuse glow grasp grind
    hail harden harness haunt heal hide hoard hop hug hurl immerse infer inflate infuse inject inquire insert
    insulate insure irritate jump kick knit knock lag leak leap lengthen lick linger load loan lock loosen lure
    merge mimic mine mislead mock nod obsess ooze oppress outgrow outlast outnumber outpace outperform overestimate
    overrun oversee pardon peel perceive perish pinch plead plunder plunge poison polish populate pour presume prey
    privilege probe proofread propel prune pump puncture purge quarrel quench quote rally rear reap recede reckon
    reconcile reconstruct recycle redeem refine refill refresh regain regret rehabilitate rejoice relabel relax
    relent reopen repel replenish reside restart retreat retrieve reverse revise revolve roam roll roar rotate rub
    rush salvage scold scrap scrape scratch screen seal secrete sense shake shatter shave shed shield shine ship
    shout shrug shun sink skip slide slip smash smell smile smooth snap soak soothe sow spare spill spin splash
    spray sprout squeeze stack stain stiffen sting stir strand streamline stretch strip stun subdue subside suck sum
    summon surpass sweep switch tackle tarnish tear tempt thicken throw tie toil topple toss toughen tow track trail
    transcend transfer trample trim tuck unlock uproot urinate usurp vaccinate vilify wander warn wash weave weigh
    whisper wither withhold wrap distrust discount disagree achieve acquire adapt adopt advance affect agree
    aggravate allege alleviate allow alter analyze analyse announce appear apply appoint argue arise assert assume
    attempt attract avoid become begin believe belong bring broaden build carry characterize choose clarify come
    compel complicate compose comprise compute conclude conduct confirm connect consider consist constitute
    constrain construct consume contain continue contribute convert convince create criticize deal decide deepen
    define degrade delay deliver demonstrate deny depend deplete deprive derive describe destabilize destroy deter
    determine develop devote die differ dilute diminish disappear discourage discover discuss disrupt distinguish
    distort disturb dominate elevate eliminate emerge emit employ enable encourage endanger enforce enhance enjoy
    enlarge ensure enter entail eradicate erode erupt escape establish evolve exacerbate exceed exclude exercise
    exhaust exhibit exist expand expect explain exploit expose express extend facilitate fail feed find follow
    forbid foster found gain generate get give go govern grow happen hasten hamper hear heighten hinder hold
    identify ignore illustrate impair impede imply impose improve include incorporate induce inform inhabit inherit
    inhibit injure innovate inspire intensify introduce invade invent invest involve jeopardize justify keep kill
    know lack last lay lead learn leave lend let live lose lower maintain make manifest mean measure meet mention
    minimize mitigate modify motivate multiply necessitate neglect nurture obtain occupy occur offset operate oppose
    originate overcome overwhelm owe participate pay perform permit perpetuate persist pollute pose possess precede
    precipitate predict prefer prescribe preserve prevent proclaim produce prohibit prolong promote prompt propose
    protect prove provide provoke publish pursue put quicken raise reach react receive recognize reduce refer
    reflect regulate reinforce reject rely remain remove replace represent require reside resist resolve respond
    restrain restrict retain reveal rise run say secure see seek seem sell send serve settle sharpen shorten show
    shrink slow solve speed spur stabilize stem stimulate stop strengthen suffer suggest suppress sustain take teach
    tell tend threaten tighten transform travel treat underlie undergo understand undermine unify unite vary weaken
    widen win worsen write yield accelerate accumulate afflict accompany account absorb add admit aid alleviate
    amplify assist bear benefit blame bolster breed cause cement coincide collapse compete confer contaminate
    correlate counter counteract crash cripple curb curtail damage dampen decline decrease defeat devastate displace
    divert drain drive drop ease embolden empower end engage entrench equip escalate evaporate fall flood flow
    fluctuate force form free fuel fund galvanize govern harm halt help ignite impact impoverish incite increase
    influence instigate interfere isolate launch legalize liberalize limit link lift melt migrate mobilize modernize
    necessitate obstruct orchestrate oust outweigh plague popularize power pressure privatize produce push
    radicalize ravage relate relieve render restore result retaliate retard revive rouse safeguard save shape shift
    shock spark spread start strain subsidize supply support surge swell trap trigger underpin unleash uphold upset
    urge use warm waste want wish work wreck call name know see make think regard view associate attribute locate
    situate base design intend estimate report record note claim elect sign issue join move return visit play study
    divide classify group own control aim act ask attend award bind border break bury buy capture catch celebrate
    change charge close collect combine commit compare complete contrast cover cross cut date declare defend demand
    deploy direct draw earn eat educate encompass experience export face favor favour feature fight fly focus gather
    grant guarantee handle host hunt import inhabit install intervene investigate judge lie list look marry match
    merge need observe offer open order organize originate outlaw pass plan plant print promise pull quit rank
    ratify rebuild reform release rely rename repeal rest rule seize separate share sit sleep speak spend split
    stand star stay steal store strike struggle succeed sue surround survive suspend swear talk tax trade train
    translate transport transmit trust fear fit recommend challenge dig concern stress highlight emphasize hunt
    commemorate symbolize flourish thrive inhabit encounter evacuate besiege surrender negotiate abandon accept
    accuse adjust administer anticipate approve assess assure authorize await calculate circulate cite cling
    colonize compensate compile conceal condemn confront conquer consult convey cook cultivate dedicate defy depict
    depart deprive detect detain deteriorate dictate dig dismiss dispute dissolve distribute donate dwell elaborate
    embrace emigrate enact encounter enrich envision equal erect evaluate examine exchange execute exert expire flee
    forget forgive fulfil fulfill furnish gain glorify graduate harvest hire hurt illuminate imagine immigrate
    imprison infect inflict insist inspect instruct integrate interact interpret interrupt invite irrigate lean
    manage manipulate memorize misuse mount mourn narrate nominate notice nourish obey oblige offend omit originate
    overlook overthrow overturn parallel penetrate persuade portray practise prepare preside proceed profit
    prosecute prosper punish purchase pursue qualify question reassure rebel recall recover recruit refuse reign
    reinterpret rejoin relocate remember remind repay repeat reproduce rescue resemble reserve resign resume retire
    reward ride rob rotate ruin sacrifice satisfy scatter search shoot shut simplify situate specialize specify
    steer submit substitute summarize supervise suspect synthesize terminate testify threaten tolerate touch trace
    translate trick trouble undertake undo unfold unveil urge utilize vanish venture violate visualize volunteer
    weep whip wipe wonder yearn catalyze stifle thwart depress combat restrain neutralize abolish cease dwindle
    plummet climb soar avert outlaw discredit soften impinge embed align adhere allocate cool dry clear free clean
    narrow empty open complete correct present secure direct separate close calm ripen bleach burn rot decay spoil
    starve try turn vote wage walk watch wear weigh withdraw worship
    """
)

NOUN_VERBS = to_words(
    """
    advance award capture contract exploit find flow gain hire launch mention mount notice permit raise reach rebel
    recruit refuse reign rescue reserve ride shoot show sign stay substitute suspect train travel wish win wonder
    worship wreck speed spur cross catch bear blame switch hoard dump bend bloom boast bolt bounce bump chase climb
    clash comfort crawl crush deposit dip discharge dispatch doom dye float fold forge frame freeze grasp harness
    hop hug jump kick knit knock lag leak leap load loan lock lure mine pardon peel pinch plunder plunge poison
    polish pour prey privilege probe pump puncture purge quarrel quote rally rear regret retreat reverse roll roar
    rub rush scrap scratch screen seal sense shake shed shield ship shout shrug sink skip slide slip smash smell
    smile snap spill spin splash spray sprout squeeze stack stain sting stir strand stretch strip sum sweep tackle
    tear throw tie toil toss tow track trail transfer trim wash weave whisper wrap fill spare export extract digest
    blend beat scale distrust discount increase decrease cause result drive rise fall change impact support limit
    damage harm force trade use need influence control demand supply help fuel trigger slow shape cut spread boost
    benefit transport decline drop study work plan play end start form name state place hold run set report estimate
    view claim aid attack fight march ban tax charge focus reform process surge shock strain shift lift flood drain
    power pressure push start stop link lack mean shape group record note issue call move return visit border break
    close cover cross date deal design direct draw experience export face favor favour feature fund grant guarantee
    host hunt import judge lie list look match offer open order own pass plant print promise pull rank release rest
    rule share sleep split stand star store strike struggle talk trust turn vote wage walk watch waste halt collapse
    crash spark stem yield last delay measure land act lead feed produce prompt exercise escape attempt contrast
    curb counter warm free conduct progress account answer practice practise vary people matter signal slump peak
    shrink research mine farm fish burn heat fire challenge concern stress dispute exchange search purchase reward
    trouble trace question parallel sacrifice volunteer venture profit harvest decay burn rot ruin touch trick fear
    fit shelter house market finance manufacture remedy cure treat worry
    """
) - to_words("vary people shrink treat free warm direct open own close")

IRREGULAR_VERBS = """
freeze froze frozen | hide hid hidden | tear tore torn | throw threw thrown | sink sank sunk | spin spun spun |
sting stung stung | creep crept crept | grind ground ground | beat beat beaten | bend bent bent | shed shed shed |
sow sowed sown | sweep swept swept | shake shook shaken | overrun overran overrun | oversee oversaw overseen |
mislead misled misled | weave wove woven | withhold withheld withheld | shine shone shone | arise arose arisen |
become became become | begin began begun | bind bound bound | break broke broken | breed bred bred |
bring brought brought | build built built | bear bore borne | buy bought bought | catch caught caught |
choose chose chosen | come came come | cut cut cut | deal dealt dealt | draw drew drawn | drive drove driven |
eat ate eaten | fall fell fallen | feed fed fed | fight fought fought | find found found | fly flew flown |
forbid forbade forbidden | get got gotten | give gave given | go went gone | grow grew grown | hear heard heard |
hold held held | keep kept kept | know knew known | lay laid laid | lead led led | leave left left | lend lent lent
| let let let | lie lay lain | lose lost lost | make made made | mean meant meant | meet met met |
overcome overcame overcome | pay paid paid | put put put | quit quit quit | rebuild rebuilt rebuilt |
rise rose risen | run ran run | say said said | see saw seen | seek sought sought | sell sold sold | send sent sent
| show showed shown | shrink shrank shrunk | sit sat sat | sleep slept slept | speak spoke spoken |
spend spent spent | dig dug dug | cling clung clung | flee fled fled | forget forgot forgotten |
forgive forgave forgiven | hurt hurt hurt | overthrow overthrew overthrown | shoot shot shot | shut shut shut |
undertake undertook undertaken | undo undid undone | weep wept wept | ride rode ridden | split split split |
spread spread spread | stand stood stood | steal stole stolen | stick stuck stuck | strike struck struck |
swear swore sworn | swell swelled swollen | take took taken | teach taught taught | tell told told |
think thought thought | undergo underwent undergone | underlie underlay underlain | understand understood understood
| uphold upheld upheld | upset upset upset | wear wore worn | win won won | withdraw withdrew withdrawn |
write wrote written | speed sped sped
"""
DOUBLING_VERBS = to_words(
    """
    dip drop expel hop hug knit lag nod overrun propel repel rub scrap shed shrug shun skip slip snap spin strip sum
    trim whip wrap equip stop cut ban occur prefer control curb drop plan commit admit deter permit emit transmit
    compel expel run set get put let begin spur sit win quit split refer transfer confer incur trap swim dam upset
    """
) - to_words("curb")

_UPWARD = to_words(
    """
    result follow ensue develop rise increase grow expand climb surge soar improve strengthen intensify accelerate
    widen worsen escalate spread swell peak occur happen emerge arise appear deepen broaden
    """
)
_DOWNWARD = to_words(
    """
    fall decrease decline drop shrink collapse weaken fail diminish slow contract dwindle disappear slump crash
    plummet stop cease end vanish tighten
    """
)
MOVES: Mapping[str, int] = {**dict.fromkeys(sorted(_UPWARD), 1), **dict.fromkeys(sorted(_DOWNWARD), -1)}
"""Verbs by which a subject moves on its own, and in which direction."""


def _inflect(verb: str) -> tuple[str, str, str, str]:
    """The forms in -s, past, past participle, -ing of a regular verb."""
    stem = verb + verb[-1] if verb in DOUBLING_VERBS else verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies", verb[:-1] + "ied", verb[:-1] + "ied", verb + "ing"
    third = verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
    if verb.endswith("ie"):
        return third, verb + "d", verb + "d", verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return third, verb + "d", verb + "d", verb[:-1] + "ing"
    past = stem + ("d" if verb.endswith("e") else "ed")
    return third, past, past, stem + "ing"


def _build_forms() -> dict[str, tuple[str, Tag]]:
    """Every known verb form with its base form and the class it may have."""
    irregular = {row.split()[0]: row.split() for row in IRREGULAR_VERBS.split("|")}
    forms: dict[str, tuple[str, Tag]] = {"done": ("do", Tag.PARTICIPLE)}
    for verb in sorted(VERBS | NOUN_VERBS):
        is_open = verb in NOUN_VERBS
        for spelling in dict.fromkeys(
            (verb, verb.replace("ize", "ise").replace("yze", "yse") if verb.endswith("ze") else verb)
        ):
            third, past, participle, gerund = _inflect(spelling)
            if verb in irregular:
                _, past, participle = irregular[verb]
            if spelling.endswith("el"):  # fuelled and fueled, travelling and traveling
                forms[spelling + "led"], forms[spelling + "ling"] = (verb, Tag.ED), (verb, Tag.ING)
            forms[gerund] = (verb, Tag.ING)
            forms[participle] = (verb, Tag.PARTICIPLE)
            forms[past] = (verb, Tag.ED if past == participle else Tag.VERB)
            forms[third] = (verb, Tag.EITHER if is_open else Tag.VERB)
            forms[spelling] = (verb, Tag.EITHER if is_open or spelling in ADJECTIVES else Tag.VERB)
    return forms


LEMMAS = VERBS | NOUN_VERBS
FORMS: Mapping[str, tuple[str, Tag]] = _build_forms()
