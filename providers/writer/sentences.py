"""One fact, one sentence."""

from dataclasses import dataclass

from bayes.causal_language import to_band
from bayes.network import BASELINE_STATE, Network
from providers.writer import framings, lexicon
from providers.writer.facts import Cell, Column, Config, Contrast, Fact, Leftovers, Peak, Prior
from providers.writer.templates import Chooser, Deck, fill, to_list, to_sentence
from providers.writer.wording import Wording

_NEARLY_CERTAIN = 0.93


@dataclass(frozen=True, slots=True)
class Style:
    """What one text does throughout.

    ``percent`` follows a number, ``figures`` is how often a strength word gets its number beside it. ``is_formal``
    states edges in the plainest way, ``is_terse`` leaves out figures and baselines of minor interest.
    """

    percent: str = "%"
    figures: float = 0.7
    is_formal: bool = False
    is_terse: bool = False


class Speaker:
    """Puts facts into sentences; see :class:`Style` and :class:`providers.writer.wording.Wording`."""

    def __init__(self, network: Network, wording: Wording, chooser: Chooser, style: Style) -> None:
        self._network = network
        self._words = wording
        self._chooser = chooser
        self._style = style
        self._recent: set[str] = set()

    def tell_edges(self, child: str) -> str:
        """That the parents act on the child."""
        parents = self._network.cpd_of[child].parents
        self._recent = set()
        draw = self._chooser.draw
        if self._style.is_formal:
            deck = framings.EDGES_FORMAL
        elif len(parents) > 1:
            deck = framings.EDGES_MANY
        else:
            is_chained = all(self._network.cpd_of[name].parents for name in parents) and self._chooser.is_lucky(0.5)
            deck = framings.EDGES_CHAIN if is_chained else framings.EDGES_ONE
        together = "both" if len(parents) == 2 else "all"
        sentence = fill(
            draw(deck),
            P=self._words.variables(parents),
            C=self._words.variable(child),
            N=to_number(len(parents)),
            A=together if len(parents) > 1 else "",
        )
        return to_sentence(" ".join(sentence.split()))

    def tell_states(self, name: str) -> str:
        """The states of a variable and nothing about how likely they are."""
        words = self._words
        items = to_list([words.state(name, state) for state in self._network.by_name[name].telling_states])
        return to_sentence(fill(self._chooser.draw(framings.TALK), V=words.variable(name), l=items))

    def tell(self, fact: Fact, previous: Fact | None = None) -> list[str]:
        """The sentences for a fact; ``previous`` is the one told just before about the same variable."""
        match fact:
            case Prior():
                return self._tell_prior(fact)
            case Column():
                return [self._tell_column(fact, previous)]
            case Contrast():
                return [self._tell_contrast(fact)]
            case Peak():
                return [self._tell_peak(fact)]
            case Leftovers():
                return [self._tell_leftovers(fact)]

    # ---- Roots ----

    def _tell_prior(self, prior: Prior) -> list[str]:
        draw, words = self._chooser.draw, self._words
        name, first, others = prior.variable, prior.cells[0], prior.cells[1:]
        subject = words.variable(name)
        if first.probability < 0.40:
            deck = lexicon.PRIORS_LEADING
        else:
            deck = lexicon.PRIORS_NONE if first.state == BASELINE_STATE else lexicon.PRIORS
        sentences = [fill(draw(deck), c=words.when(name, (first.state,)), **self._strength(first))]
        told = [cell for cell in others if cell.state != BASELINE_STATE]
        if told:
            is_adjective = all(words.is_describing(name, cell.state) for cell in told)
            rest = _choose_rest(is_baseline=first.state == BASELINE_STATE, is_adjective=is_adjective, n=len(told))
            shown = 1 if self._style.is_terse else len(told)
            items = [f"{words.state(name, cell.state)} ({self.percent(cell.probability)})" for cell in told[:shown]]
            items += [words.state(name, cell.state) for cell in told[shown:]]
            sentences.append(fill(draw(rest), V=subject, l=to_list(items, "or" if is_adjective else "and")))
        baseline = next((cell for cell in others if cell.state == BASELINE_STATE), None)
        if baseline and baseline.probability >= 0.05 and not self._style.is_terse:
            clause = words.when(name, (BASELINE_STATE,))
            sentences.append(fill(draw(lexicon.PRIOR_BASELINES), c=clause, pct=self.percent(baseline.probability)))
        # The baseline's strength word must not share a sentence with the other states.
        if len(sentences) > 1 and first.state != BASELINE_STATE and self._chooser.is_lucky(0.5):
            sentences[:2] = ["; ".join(sentences[:2])]
        return [to_sentence(sentence) for sentence in sentences]

    # ---- Effects ----

    def _tell_column(self, column: Column, previous: Fact | None) -> str:
        first, more = column.cells[0], column.cells[1:]
        main = self._tell_main(column.child, first, is_plain=bool(more))
        if more:
            main += self._tell_second(column.child, more[0], is_leading=first.probability < 0.40)
        turn = ""
        if isinstance(previous, Column) and self._chooser.is_lucky(0.4):
            is_same = previous.cells[0].state == first.state
            turn = self._chooser.draw(lexicon.LIKEWISES if is_same else lexicon.TURNS)
        if not turn and not more and len(column.config) == 1 and self._chooser.is_lucky(0.3):
            return to_sentence(main + self._tell_config(column.config, is_trailing=True))
        return to_sentence(turn + self._tell_config(column.config) + main)

    def _tell_main(self, child: str, cell: Cell, *, is_plain: bool) -> str:
        """``is_plain``: the sentence goes on to another state, so no strength word may speak of the baseline."""
        words, draw, strength = self._words, self._chooser.draw, self._strength(cell)
        subject = words.variable(child)
        is_leading = cell.probability < 0.40
        is_number = not is_plain and self._chooser.is_lucky(0.25)
        if cell.state == BASELINE_STATE:
            deck = lexicon.MAINS_NUMBER_NONE if is_plain or is_number else lexicon.MAINS_NONE
            return fill(draw(lexicon.MAINS_LEADING_NONE if is_leading else deck), C=subject, **strength)
        if words.is_describing(child, cell.state):
            deck = lexicon.MAINS_NUMBER_ADJECTIVE if is_number else lexicon.MAINS_ADJECTIVE
        else:
            deck = lexicon.MAINS_NUMBER_NOUN if is_number else lexicon.MAINS_NOUN
        state, outcome = words.state(child, cell.state), words.outcome(child, cell.state)
        return fill(draw(lexicon.MAINS_LEADING if is_leading else deck), C=subject, s=state, o=outcome, **strength)

    def _tell_second(self, child: str, cell: Cell, *, is_leading: bool) -> str:
        percent = self.percent(cell.probability)
        if cell.state == BASELINE_STATE:
            return fill(self._chooser.draw(lexicon.SECONDS_NONE), pct=percent)
        deck = lexicon.SECONDS_LEADING if is_leading else lexicon.SECONDS
        return fill(self._chooser.draw(deck), o=self._words.state(child, cell.state), pct=percent)

    def _tell_contrast(self, contrast: Contrast) -> str:
        parent, states = contrast.changed
        is_rise = contrast.after > contrast.before
        if self.percent(contrast.after) == self.percent(contrast.before):
            deck = lexicon.CONTRASTS_LEVEL
        else:
            deck = lexicon.CONTRASTS_NONE if states == (BASELINE_STATE,) else lexicon.CONTRASTS
        text = fill(
            self._chooser.draw(deck),
            V=self._words.variable(parent),
            B=self._words.bare(parent),
            c=self._words.setting(parent, states),
            o=self._words.outcome(contrast.child, contrast.state),
            verb=self._chooser.pick(("rises", "climbs", "grows") if is_rise else ("falls", "drops", "sinks")),
            **self._strength(Cell(contrast.state, contrast.after)),
        )
        return to_sentence(text)

    def _tell_peak(self, peak: Peak) -> str:
        p = peak.cell.probability
        is_baseline = all(states == (BASELINE_STATE,) for _, states in peak.config)
        if peak.low_config and p - peak.low >= 0.10:
            deck = lexicon.CLIMBS
        elif is_baseline:
            deck = lexicon.PEAKS_NONE
        else:
            deck = lexicon.PEAKS_LOW if p < 0.40 and self._chooser.is_lucky(0.4) else lexicon.PEAKS
        text = fill(
            self._chooser.draw(deck),
            o=self._words.outcome(peak.child, peak.cell.state),
            c="" if deck is lexicon.PEAKS_NONE else self._settings(peak.config),
            w=self._words.when(*peak.config[0]) if deck is lexicon.PEAKS_NONE else "",
            d=self._settings(peak.low_config),
            low=self.percent(peak.low),
            **self._strength(peak.cell),
        )
        return to_sentence(text)

    def _tell_leftovers(self, left: Leftovers) -> str:
        words, highest = self._words, left.cells[0].probability
        states = [words.state(left.child, cell.state) for cell in left.cells]
        if highest < 0.10:
            come = "comes" if len(states) == 1 else "come"
            deck = lexicon.LEFTOVERS_RARE
            return to_sentence(fill(self._chooser.draw(deck), l=to_list(states), come=come, pct=self.percent(highest)))
        best = self._chooser.pick(("at best", "up to", "at most"))
        shares = [f" ({best} {self.percent(cell.probability)})" for cell in left.cells]
        items = states if self._style.is_terse else [state + share for state, share in zip(states, shares, strict=True)]
        deck = lexicon.LEFTOVERS if len(items) > 1 else lexicon.LEFTOVERS_ONE
        return to_sentence(fill(self._chooser.draw(deck), l=to_list(items)))

    # ---- Configurations ----

    def _settings(self, config: Config) -> str:
        """The parents' states as noun phrases; a parent that was just named may be left out."""
        telling = [pair for pair in config if pair[1] != (BASELINE_STATE,)]
        settings: list[str] = []
        for parent, states in telling or config:
            is_short = parent in self._recent and self._chooser.is_lucky(0.75)
            settings.append(self._words.setting(parent, states, is_short=is_short))
            self._recent.add(parent)
        # A parent at its baseline is part of the cell, too: leaving it out would state another probability.
        return to_list(settings) + (self._chooser.draw(lexicon.REST_NONE) if 0 < len(telling) < len(config) else "")

    def _tell_config(self, config: Config, *, is_trailing: bool = False) -> str:
        """The configuration as the lead of a sentence, or as its tail."""
        draw = self._chooser.draw
        telling = [pair for pair in config if pair[1] != (BASELINE_STATE,)]
        if not telling and len(config) > 1:
            return draw(lexicon.LEADS_ALL_NONE)
        if len(telling) < 3 and len(telling) in (0, len(config)) and self._chooser.is_lucky(0.5):
            deck = lexicon.TRAILS_CLAUSE if is_trailing else lexicon.LEADS_CLAUSE
            told = " and ".join(self._words.when(*pair) for pair in telling or config)
            self._recent.update(parent for parent, _ in telling)
        else:
            deck = lexicon.TRAILS_NOUN if is_trailing else lexicon.LEADS_NOUN
            told = self._settings(config)
        return fill(draw(deck), c=told)

    # ---- Probabilities ----

    def percent(self, probability: float) -> str:
        """The probability as a whole percentage.

        Close to 0 and 100 per cent it is given as a bound, since the round figures would claim too much.
        """
        if probability < 0.0095:
            return f"under 1{self._style.percent}"
        if 0.9905 <= probability < 1.0:
            return f"over 99{self._style.percent}"
        return f"{100 * probability:.0f}{self._style.percent}"

    def _strength(self, cell: Cell) -> dict[str, str]:
        """Words and figures for a probability, by slot."""
        p, draw, band = cell.probability, self._chooser.draw, to_band(cell.probability)
        shown = f" ({self.percent(p)})" if self._chooser.is_lucky(self._style.figures) else ""
        if 0.45 <= p < 0.55:
            decks = (lexicon.ADVERBS_EVEN, lexicon.ALWAYS_EVEN, lexicon.ADJECTIVES_EVEN, lexicon.CHANCES_EVEN)
        elif p >= _NEARLY_CERTAIN:
            decks = (
                lexicon.ADVERBS_CERTAIN,
                lexicon.ALWAYS_CERTAIN,
                lexicon.ADJECTIVES_CERTAIN,
                lexicon.CHANCES[band],
            )
        else:
            decks = (lexicon.ADVERBS[band], lexicon.ALWAYS[band], lexicon.ADJECTIVES[band], lexicon.CHANCES[band])
        adverb, always, adjective, chance = (draw(deck) for deck in decks)
        return {
            "adv": adverb,
            "always": always,
            "adj": adjective,
            "chance": chance,
            "pct": self.percent(p),
            "n": shown,
        }


def _choose_rest(*, is_baseline: bool, is_adjective: bool, n: int) -> Deck:
    if is_baseline:
        return lexicon.PRIOR_EXCEPTIONS_ADJECTIVE if is_adjective else lexicon.PRIOR_EXCEPTIONS
    if is_adjective:
        return lexicon.PRIOR_RESTS_ADJECTIVE if n > 1 else lexicon.PRIOR_RESTS_ADJECTIVE_ONE
    return lexicon.PRIOR_RESTS if n > 1 else lexicon.PRIOR_RESTS_ONE


def to_number(n: int) -> str:
    """A count in words, up to twelve."""
    return framings.NUMBERS[n] if n < len(framings.NUMBERS) else str(n)
