"""How right the code judges are, and how fast: ``python -m benchmarks.judges [PAIRS.csv]``, half a minute.

Prints Markdown tables: accuracy, precision, recall and kappa on both parts of the labelled pairs, accuracy by category
on the part that no judge was adjusted on, the judges' agreement with each other, and the time that alignments take.

Of the sample pairs, ``tune`` were known when the word lists were made, so the lexical judge's figures on them flatter
it. ``test`` were written when the lists were finished, on other topics, and the lists were not changed after.
"""

import random
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from bayes.judging.agreement import Confusion, LabelledPair, check_judge, is_same
from bayes.judging.alignment import Judge, align
from bayes.judging.exact import ExactJudge
from bayes.judging.lexical import LexicalJudge
from bayes.network import Variable
from schemas.judge_pairs import read_judge_pairs

PAIRS = Path(__file__).parents[1] / "samples" / "judge_pairs.csv"
JUDGES: tuple[Judge, ...] = (ExactJudge(), LexicalJudge())
PARTS = ("tune", "test")
WORDS = ("soil", "water", "market", "price", "labour", "crop", "policy", "health", "income", "tax", "bank", "school")
LEVELS = ("high", "low", "rising", "falling", "stable")


def to_text(value: float | None) -> str:
    """Two decimals, or a dash for what has no value."""
    return "-" if value is None else f"{value:.2f}"


def print_table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Print a Markdown table."""
    cells = list(header)
    print("|", " | ".join(cells), "|")
    print("|", " | ".join("---" for _ in cells), "|")
    for row in rows:
        print("|", " | ".join(row), "|")
    print()


def measure_quality(pairs: tuple[LabelledPair, ...]) -> None:
    """Both judges on both parts, by kind."""
    rows: list[list[str]] = []
    for judge in JUDGES:
        for part in PARTS:
            for kinds in (("variable",), ("state",), ("variable", "state")):
                chosen = [pair for pair in pairs if pair.part == part and pair.kind in kinds]
                total = sum(check_judge(judge, chosen).values(), Confusion())
                values = (total.agreement, total.precision, total.recall, total.kappa)
                rows.append([judge.name, part, " and ".join(kinds), str(total.n), *map(to_text, values)])
    print_table(("judge", "part", "kind", "pairs", "accuracy", "precision", "recall", "kappa"), rows)


def measure_categories(pairs: tuple[LabelledPair, ...]) -> None:
    """Accuracy by category on the test part."""
    test = [pair for pair in pairs if pair.part == "test"]
    counts = [check_judge(judge, test) for judge in JUDGES]
    rows = [
        [category, str(found.n), *(to_text(by_category[category].agreement) for by_category in counts)]
        for category, found in counts[0].items()
    ]
    print_table(("category", "pairs", *(judge.name for judge in JUDGES)), rows)


def measure_agreement(pairs: tuple[LabelledPair, ...]) -> None:
    """The two judges against each other over all pairs."""
    verdicts = [[is_same(judge, pair) for judge in JUDGES] for pair in pairs]
    total = Confusion(
        *(verdicts.count(list(both)) for both in ((True, True), (True, False), (False, True), (False, False)))
    )
    print(f"exact and lexical agree on {to_text(total.agreement)} of {total.n} pairs, kappa {to_text(total.kappa)}\n")


def make_alignments(n: int) -> list[tuple[list[Variable], list[Variable]]]:
    """References of 3 to 9 variables, and predictions that lack one, write the others in capitals and add three."""
    rng = random.Random(0)
    pool = [
        Variable(
            f"{rng.choice(WORDS)} {rng.choice(WORDS)} {i}",
            (*(f"{rng.choice(LEVELS)} {rng.choice(WORDS)} {j}" for j in range(rng.randint(1, 4))), "none"),
        )
        for i in range(1000)
    ]
    made: list[tuple[list[Variable], list[Variable]]] = []
    for _ in range(n):
        reference = rng.sample(pool, rng.randint(3, 9))
        kept = [Variable(v.name.upper(), tuple(state.title() for state in v.states)) for v in reference[1:]]
        made.append((reference, kept + rng.sample(pool, 3)))
    return made


def measure_speed() -> None:
    """Seconds of computing for made-up alignments, names folded before."""
    rows: list[list[str]] = []
    for judge, n in zip(JUDGES, (30_000, 3_000), strict=True):
        made = make_alignments(n)
        for reference, predicted in made[:1000]:
            align(reference, predicted, judge)
        start = time.process_time()
        for reference, predicted in made:
            align(reference, predicted, judge)
        seconds = time.process_time() - start
        rows.append([judge.name, f"{n:,}", f"{seconds:.1f} s", f"{seconds / n * 1e6:.0f} us"])
    print_table(("judge", "alignments", "time", "each"), rows)


if __name__ == "__main__":
    labelled = read_judge_pairs(Path(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
    measure_quality(labelled)
    measure_categories(labelled)
    measure_agreement(labelled)
    measure_speed()
