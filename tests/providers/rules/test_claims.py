"""Each cue family is read with the right cause, effect and sign."""

import pytest

from providers.rules.elicitor import read

Triple = tuple[str, int, str]


def read_triples(text: str) -> set[Triple]:
    return {(edge.parent, edge.sign, edge.child) for edge in read(text).edges}


SINGLE_CLAIMS: list[tuple[str, str, int, str]] = [
    # active verbs, alone and with a preposition
    ("Drought causes famine.", "drought", 1, "famine"),
    ("Logging results in erosion.", "logging", 1, "erosion"),
    ("Poverty contributes to crime.", "poverty", 1, "crime"),
    ("Higher interest rates reduce investment.", "interest rates", -1, "investment"),
    ("Regulation prevents accidents.", "regulation", -1, "accidents"),
    ("Corruption weakens institutions.", "corruption", -1, "institutions"),
    ("Irrigation enables farmers to increase crop yields.", "irrigation", 1, "crop yields"),
    ("Competition drives innovation.", "competition", 1, "innovation"),
    ("The discovery triggered a migration.", "discovery", 1, "migration"),
    ("A shortage of housing drives up rents.", "housing shortage", 1, "rents"),
    ("Bad weather may have led to crop failures.", "weather", 1, "crop failures"),
    # reversed verbs
    ("Soil erosion results from deforestation.", "deforestation", 1, "soil erosion"),
    ("Crop yields depend on rainfall.", "rainfall", 1, "crop yields"),
    # passives, whole and reduced
    ("Famine is caused by drought.", "drought", 1, "famine"),
    ("Inflation can be triggered by an increase in the money supply.", "money supply", 1, "inflation"),
    ("Erosion caused by logging is widespread.", "logging", 1, "erosion"),
    ("Malnutrition is associated with poverty.", "malnutrition", 1, "poverty"),
    # connectives
    ("The deaths were due to malnutrition.", "malnutrition", 1, "deaths"),
    ("Unemployment rose because of the recession.", "recession", 1, "unemployment"),
    ("Wages fell as a result of automation.", "automation", -1, "wages"),
    ("In response to the crisis, parliament passed new sanctions.", "crisis", 1, "sanctions"),
    ("Because demand fell, unemployment rose.", "demand", -1, "unemployment"),
    ("Unemployment rose because demand fell.", "demand", -1, "unemployment"),
    ("When interest rates fall, borrowing rises.", "interest rates", -1, "borrowing"),
    ("If the harvest fails, hunger increases.", "harvest", -1, "hunger"),
    # nouns
    ("The effect of pollution on health is well documented.", "pollution", 1, "health"),
    ("The negative impact of noise on sleep is known.", "noise", -1, "sleep"),
    ("Smoking has a strong effect on mortality.", "smoking", 1, "mortality"),
    ("Corruption is a major cause of poverty.", "corruption", 1, "poverty"),
    ("Poverty is a consequence of corruption.", "corruption", 1, "poverty"),
    ("Education plays an important role in economic growth.", "education", 1, "economic growth"),
    ("Social media poses a threat to privacy.", "social media", -1, "privacy"),
    ("Acid rain, a result of sulfur emissions, is common.", "sulfur emissions", 1, "acid rain"),
    ("Drought-induced famine was common.", "drought", 1, "famine"),
    # adjectives and "makes"
    ("Air pollution is responsible for asthma.", "air pollution", 1, "asthma"),
    ("Growth is dependent on energy prices.", "energy prices", 1, "growth"),
    ("Subsidies make overproduction more likely.", "subsidies", 1, "overproduction"),
    ("Vaccination makes outbreaks less likely.", "vaccination", -1, "outbreaks"),
    # less of a cause, less of an effect
    ("Lack of rain reduces harvests.", "rain", 1, "harvests"),
    ("Rising temperatures have resulted in declining snowpack.", "temperatures", -1, "snowpack"),
    ("The decline in fish stocks is driven by overfishing.", "overfishing", -1, "fish stocks"),
    ("Vaccines protect children from measles.", "vaccines", -1, "measles"),
    ("Efforts to reduce emissions have slowed global warming.", "emissions", 1, "global warming"),
]


@pytest.mark.parametrize(("text", "cause", "sign", "effect"), SINGLE_CLAIMS)
def test_a_cue_gives_one_edge_in_the_direction_and_with_the_sign_it_states(
    text: str, cause: str, sign: int, effect: str
) -> None:
    assert read_triples(text) == {(cause, sign, effect)}


@pytest.mark.parametrize(
    "text",
    [
        "The tax does not reduce consumption.",
        "Vaccination never causes autism.",
        "It is unclear whether immigration lowers wages.",
        "Does immigration lower wages?",
        "Noise has no effect on growth.",
        "Smoking cannot cause drought.",
    ],
)
def test_what_is_denied_or_asked_is_no_edge(text: str) -> None:
    assert read_triples(text) == set()


def test_lists_of_causes_and_effects_are_split() -> None:
    assert read_triples("Automation, globalisation and weak unions have widened inequality and poverty.") == {
        ("automation", 1, "inequality"),
        ("globalisation", 1, "inequality"),
        ("unions", -1, "inequality"),
        ("automation", 1, "poverty"),
        ("globalisation", 1, "poverty"),
        ("unions", -1, "poverty"),
    }
    assert read_triples("The main causes of deforestation are logging and cattle ranching.") == {
        ("logging", 1, "deforestation"),
        ("cattle ranching", 1, "deforestation"),
    }


def test_a_chain_hangs_together_through_relative_clauses_and_participles() -> None:
    assert read_triples("Overgrazing leads to erosion, which reduces crop yields, causing famine.") == {
        ("overgrazing", 1, "erosion"),
        ("erosion", -1, "crop yields"),
        # the yields that cause famine are reduced ones
        ("crop yields", -1, "famine"),
    }


def test_this_and_as_a_result_refer_to_the_effect_before() -> None:
    assert read_triples("Poverty contributes to crime. This weakens trust in government.") == {
        ("poverty", 1, "crime"),
        ("crime", -1, "trust in government"),
    }
    assert read_triples("Poaching threatens elephant populations. As a result, tourism revenue has declined.") == {
        ("poaching", -1, "elephant populations"),
        ("elephant populations", 1, "tourism revenue"),
    }


def test_verbs_joined_by_and_share_their_subject() -> None:
    assert read_triples("Inflation erodes savings and discourages investment.") == {
        ("inflation", -1, "savings"),
        ("inflation", -1, "investment"),
    }


def test_a_relative_clause_between_commas_does_not_hide_the_subject() -> None:
    assert read_triples("The protests, which were sparked by rising bread prices, led to a strike.") == {
        ("bread prices", 1, "protests"),
        ("protests", 1, "strike"),
    }


def test_hedges_weaken_and_boosters_strengthen() -> None:
    def strength(text: str) -> float:
        return read(text).edges[0].strength

    plain = strength("Smoking increases mortality.")
    assert strength("Smoking may increase mortality.") < plain < strength("Smoking strongly increases mortality.")


def test_repeated_evidence_makes_one_firmer_edge() -> None:
    # 1 - (1 - 0.7)^2 = 0.91 for two different sentences of strength 0.7
    reading = read("Smoking increases mortality. In many countries, smoking also raises mortality.")
    assert [(edge.parent, edge.child) for edge in reading.edges] == [("smoking", "mortality")]
    assert reading.edges[0].strength == pytest.approx(0.91)


def test_of_two_opposite_edges_only_the_better_supported_stays() -> None:
    reading = read("Poverty causes illness. Illness may sometimes contribute to poverty.")
    assert [(edge.parent, edge.child) for edge in reading.edges] == [("poverty", "illness")]


def test_the_mechanism_quotes_cause_cue_and_effect_in_twenty_words_at_most() -> None:
    reading = read(
        "Deforestation, which most observers agree has become much more common in nearly all of the warm and wet "
        "countries of the world, leads to floods in the valleys."
    )
    assert reading.edges[0].mechanism == "Deforestation leads to floods in the valleys"
