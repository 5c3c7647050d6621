"""What sort of thing a variable is, told by its head noun."""

from collections.abc import Mapping
from enum import StrEnum

from providers.rules.lexicon import INSTITUTIONS, to_words
from providers.rules.nouns import to_singular


class Kind(StrEnum):
    """The sort of thing a variable is."""

    TREND = "quantity that moves"
    INTENSITY = "attitude, pressure or risk"
    EVENT = "event"
    PROCESS = "process"
    POLICY = "rule or programme"
    TECHNOLOGY = "technique or device"
    INSTITUTION = "institution"
    RESOURCE = "resource or natural stock"
    CONDITION = "quality or condition"
    ILLNESS = "illness"
    IDEA = "idea or belief"
    THING = "anything else"


_HEADS: Mapping[Kind, frozenset[str]] = {
    Kind.TREND: to_words(
        """
    price rate cost wage income population yield output production consumption demand supply export import revenue
    profit temperature emission concentration investment spending saving savings earnings debt deficit surplus
    mortality fertility GDP gdp harvest stock sale rent tax-revenue turnover productivity employment unemployment
    inflation rainfall precipitation growth number ratio speed volume size density level fee salary interest-rate
    budget expenditure trade traffic acidity salinity reflectivity albedo weight mass energy pressure literacy
    turnout enrolment enrollment lending borrowing credit capital-flow remittance value valuation premium efficiency
    snowpack evaporation tourism
    """
    ),
    Kind.INTENSITY: to_words(
        """
    risk support confidence tension concern competition inequality corruption trust interest influence activity
    stress demand anxiety fear anger discontent unrest resentment hostility opposition resistance popularity power
    authority legitimacy pressure dependence dependency reliance awareness participation cooperation nationalism
    discrimination poverty hunger violence crime debate controversy exposure vulnerability uncertainty instability
    rivalry motivation loyalty morale dominance criticism attention solidarity prejudice stigma loneliness
    independence autonomy creativity reactivity
    """
    ),
    Kind.EVENT: to_words(
        """
    war crisis conflict drought flood flooding famine earthquake eruption epidemic pandemic outbreak revolution
    protest strike attack migration recession depression disaster fire wildfire storm hurricane coup rebellion
    revolt uprising riot invasion siege battle collapse crash default bankruptcy accident massacre genocide embargo
    boycott explosion spill blackout shortage failure death defeat victory independence extinction tsunami heatwave
    landslide avalanche resignation assassination bombing killing scandal bubble panic run starvation
    unemployment-crisis displacement election trial escape conquest birth-defect loss
    """
    ),
    Kind.PROCESS: to_words(
        """
    farming logging mining warming breeding overfishing overgrazing poaching fishing grazing burning manufacturing
    trafficking ranching weathering bleaching melting photosynthesis erosion expansion hunting smoking aging ageing
    learning spread agriculture industry development reform modernisation processing
    """
    ),
    Kind.POLICY: to_words(
        """
    law policy tax tariff regulation subsidy treaty programme program ban sanction agreement act constitution quota
    reform legislation rule standard code protocol plan austerity amendment deal pact accord welfare insurance
    pension rationing vaccination curriculum censorship intervention stimulus protectionism aid campaign strategy
    restriction patent jurisdiction mandate charter schooling education training budget-rule alliance blockade
    """
    ),
    Kind.TECHNOLOGY: to_words(
        """
    machine engine algorithm network software computer device technology vaccine drug medicine pesticide fertiliser
    fertilizer antibiotic plant-breeding internet telephone railway steam press printing-press automobile car
    vehicle ship aircraft satellite robot tool weapon plough irrigation dam reactor battery turbine automation
    encryption technique instrument platform media telescope sensor chip semiconductor microscope treatment therapy
    surgery infrastructure transport system
    """
    ),
    Kind.INSTITUTION: to_words("union school hospital court market police cartel"),
    Kind.RESOURCE: to_words(
        """
    water soil forest land oil gas coal food habitat species biodiversity ice air wood timber fish wildlife
    vegetation nutrient nitrogen oxygen carbon grass pasture wetland reef mineral ore gold silver diamond cotton
    sugar grain crop cereal money capital labour labor resource reserve energy-source fuel fossil-fuel sunlight bee
    pollinator predator prey bacteria alga rain groundwater river lake glacier plant animal livestock cattle housing
    medicine manpower snow diversity surplus
    """
    ),
    Kind.CONDITION: to_words(
        """
    health quality security stability welfare wellbeing well-being safety nutrition sanitation climate weather
    environment economy relation relations governance prosperity freedom democracy peace living-standard standard
    condition life ecosystem performance privacy justice education-quality morale fertility access skill ability
    diet sleep hygiene mood behavior behaviour habit reputation
    """
    ),
    Kind.ILLNESS: to_words(
        """
    disease disorder cancer infection virus symptom pain fever syndrome malaria influenza cholera plague asthma
    diabetes obesity malnutrition stroke injury defect addiction dementia tuberculosis measles smallpox illness
    sickness anemia anaemia autism
    """
    ),
    Kind.IDEA: to_words(
        """
    theory belief ideology religion philosophy idea doctrine view science tradition culture faith principle value
    ethic hypothesis knowledge argument narrative identity language myth art literature thought
    """
    ),
}
_KIND_OF_HEAD: dict[str, Kind] = {}
for _kind, _heads in _HEADS.items():
    for _head in sorted(_heads):
        _KIND_OF_HEAD.setdefault(_head, _kind)
_KIND_OF_ENDING: tuple[tuple[tuple[str, ...], Kind], ...] = (
    (("itis", "osis", "emia", "pathy", "oma"), Kind.ILLNESS),
    (("ism", "ology", "osophy"), Kind.IDEA),
    (
        ("ation", "ition", "ution", "ction", "sion", "tion", "ment", "isation", "ization", "ing", "lysis", "genesis"),
        Kind.PROCESS,
    ),
    (("ity", "ness", "ance", "ence", "ency", "ancy", "ship", "dom"), Kind.INTENSITY),
    (("cide", "quake"), Kind.EVENT),
)


def to_kind(name: str) -> Kind:
    """The kind of the variable with this name.

    Example:
        >>> to_kind("oil prices").name, to_kind("civil war").name, to_kind("quality of life").name
        ('TREND', 'EVENT', 'CONDITION')
    """
    words = name.lower().split()
    for link in ("of", "to", "in", "for", "on", "over", "against", "behind"):
        if link in words[1:]:
            words = words[: words.index(link, 1)]
    head = to_singular(words[-1]) if words else ""
    if head in _KIND_OF_HEAD:
        return _KIND_OF_HEAD[head]
    if head in INSTITUTIONS:
        return Kind.INSTITUTION
    for endings, kind in _KIND_OF_ENDING:
        if head.endswith(endings):
            return kind
    return Kind.THING
