"""Equations are read exactly as written, in the notations replies use, and anything else is refused with its reason."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bayes.linear.model import MAX_NAME, Equation, is_name
from bayes.linear.parsing import format_equation, parse_equation, read_coefficients
from bayes.linear.problems import ParseProblem, ProblemKind

FINITE = st.floats(allow_nan=False, allow_infinity=False)
WORDS = st.text("abcXYZ_019 é", min_size=1, max_size=8)
ANY_TEXT = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=8)
TRICKY = st.sampled_from(
    [
        "E",
        "e",
        "E_Y",
        "noise",
        "log",
        "inf",
        "2.0",
        "1e5",
        "where",
        "A",
        "Active",
        "A B",
        "A_B",
        "x)",
        "a = 1",
        "=",
        "+",
    ]
)
NAMES = (WORDS | ANY_TEXT | TRICKY).filter(is_name)


@st.composite
def equations(draw: st.DrawFn) -> Equation:
    variable, *parents = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    slopes = draw(st.lists(FINITE, min_size=len(parents), max_size=len(parents)))
    return Equation(variable, draw(FINITE), tuple(parents), tuple(slopes))


@settings(max_examples=100, deadline=None)
@given(equations())
@example(Equation("A", 5e-324, ("Active", "A B", "A_B"), (1.7976931348623157e308, -0.0, 1e-5)))
@example(Equation("y", 1.0, ("y = 2", "=", "2.0"), (1.0, 2.0, 3.0)))
def test_reading_what_was_written_gives_the_equation_back(equation: Equation) -> None:
    assert parse_equation(format_equation(equation), equation.variable, equation.parents) == equation


def read(text: str, variable: str = "Y", parents: tuple[str, ...] = ("X", "Z")) -> tuple[float, ...]:
    equation = parse_equation(text, variable, parents)
    assert isinstance(equation, Equation), equation
    return equation.intercept, *equation.coefficients


@pytest.mark.parametrize(
    "text",
    [
        "Y = 1 + 2*X - 0.5*Z",
        "Y=1+2*X-0.5*Z",
        "Y = -0.5*Z + X*2 + 1",
        "Y = 1.0 + 2.0 * X + (-0.5) * Z + E_Y",
        "Y = 1 + +2*X - -(-0.5)*Z + ε",
        "Y = 1 + 2X − 0.5Z",
        "Y = 1 + 2·X – 0.5×Z + ε_Y",
        "Y = 1e0 + 2.0E+00*X - 5e-1*Z + epsilon",
        "Y = 0.1e1 + .2e1*X - 5.e−1*Z + noise",
        "Y = 1 + 2*1*X - Z/2 + N(0, 1)",
        "Y = (3 - 2) + (1+1)*X - 2*Z/4",
        "Y = 1 + 2*(X - 0.25*Z)",
        "Y = (2 + 4*X - Z)/2",
        "Y = 10^0 + 2 × 10⁰ · X - 5 × 10^{-1} × Z",
        "Y = 2**0 + 20*10^-1*X - 5·10⁻¹·Z",
        r"$Y = 1 + 2 \cdot X - 0.5 \times Z + \epsilon$",
        r"$$Y = 1 + 2\,X - \frac{1}{2} Z + \varepsilon_{Y}$$",
        r"\[ \text{Y} = 1 + 2 \, \text{X} - 0.5 \left( \mathrm{Z} \right) + E_{\text{Y}} \]",
        "**Y = 1 + 2*X - 0.5*Z**",
        "**Y** = 1 + 2*X - 0.5*Z.",
        "*Y = 1 + 2\\*X - 0.5\\*Z*",
        "`Y = 1 + 2*X - 0.5*Z + E_Y`",
        "`Y` = 1 + 2*`X` - 0.5*`Z`",
        "```text\nY = 1 + 2*X - 0.5*Z\n```",
        '{"reasoning": "X matters.", "equation": "Y = 1 + 2*X - 0.5*Z + E_Y"}',
        "Final equation: Y = 1 + 2*X - 0.5*Z + e, where e ~ N(0, 1)",
        "Y = 1 + 2*X - 0.5*Z + noise_Y where noise_Y is Gaussian",
        "- Y = 1 + 2*X - 0.5*Z",
        "1. Y := 1 + 2*X - 0.5*Z; done",
        "Y = 1\n  + 2*X\n  - 0.5*Z\n  + E_Y\n\nThis is it.",
        "Y =\n1 +\n2*X -\n0.5*Z",
        "Y &= 1 + 2 X \\\\\n  &- 0.5*Z",
        "First Y = 9*X + 9*Z.\nBetter:\nY = 1 + 2*X - 0.5*Z",
        "Y = 1 + 2*X - 0.5*Z\nAt X = 0 and Z = 0, Y = 1, so Y is within its range.",
        "| Y = 1 + 2*X - 0.5*Z |",
        "Y = 1 + 2*X - 0.5*Z + 0.3*E_Y",
        "Y = 1 + 2*X - 0.5*Z - error term",
    ],
)
def test_every_notation_of_the_same_equation_reads_alike(text: str) -> None:
    # all of them: intercept 1, coefficient of X 2, of Z -0.5
    assert read(text) == pytest.approx((1.0, 2.0, -0.5), rel=1e-15)


@pytest.mark.parametrize(
    ("text", "variable", "parents", "expected"),
    [
        ("R = 1 + 2*A + 3*Active", "R", ("A", "Active"), (1, 2, 3)),
        ("Active = 1 + 2*A", "Active", ("A",), (1, 2)),
        ("GCA = 5*X\nA = 1 + 2*GC", "A", ("GC",), (1, 2)),
        ("Social_Cohesion = 5 + 1*Educational Attainment", "Social_Cohesion", ("Educational_Attainment",), (5, 1)),
        (r"Social Cohesion = 5 + 1*Educational\_Attainment", "Social_Cohesion", ("Educational_Attainment",), (5, 1)),
        ("S = 1 + 2*N160 + 3*5HT", "S", ("N160", "5HT"), (1, 2, 3)),
        ("S = 1 + 2*yearly income + 3*income", "S", ("income", "yearly income"), (1, 3, 2)),
        ("Net Income = 7 + 9*Income\n", "Net Income", ("Income",), (7, 9)),
        ("S = 1 + 2*IL-6 + 3*income (USD)", "S", ("IL-6", "income (USD)"), (1, 2, 3)),
        ("S = 1 + 2*E + 3*e + ε", "S", ("E", "e"), (1, 2, 3)),
        ("Größe = 1 + 2*Länge", "Größe", ("Länge",), (1, 2)),
        ("F = 10.5", "F", (), (10.5,)),
        ("F = 10.5 + E_F", "F", (), (10.5,)),
        ("Y = 3 + 0*X", "Y", ("X",), (3, 0)),
        ("Y = 3 + X", "Y", ("X",), (3, 1)),
        ("Y = 3 - X", "Y", ("X",), (3, -1)),
    ],
)
def test_names_with_underscores_digits_spaces_and_common_prefixes_are_told_apart(
    text: str, variable: str, parents: tuple[str, ...], expected: tuple[float, ...]
) -> None:
    assert read(text, variable, parents) == expected


@pytest.mark.parametrize(
    ("text", "kind", "told"),
    [
        ("", ProblemKind.NO_EQUATION, "Y = ..."),
        ("I cannot say.", ProblemKind.NO_EQUATION, "no equation"),
        ("Y is at least 3, Y <= 5, Y == X", ProblemKind.NO_EQUATION, "no equation"),
        ("Q = 1 + 2*X + 3*Z", ProblemKind.WRONG_LEFT_SIDE, "'Y', not 'Q'"),
        ("Y_max = 1 + 2*X + 3*Z", ProblemKind.WRONG_LEFT_SIDE, "Y_max"),
        ("log(Y) = 1 + 2*X + 3*Z", ProblemKind.WRONG_LEFT_SIDE, "log(Y)"),
        ("ln Y = 1 + 2*X + 3*Z", ProblemKind.WRONG_LEFT_SIDE, "ln Y"),
        ("2*Y = 1 + 2*X + 3*Z", ProblemKind.WRONG_LEFT_SIDE, "2*Y"),
        ("X - Y = 1 + 3*Z", ProblemKind.WRONG_LEFT_SIDE, "X - Y"),
        ("Y =", ProblemKind.SYNTAX, "nothing"),
        ("Y = 1 + 2*X", ProblemKind.MISSING_PARENT, "'Z' is missing"),
        ("Y = 21", ProblemKind.MISSING_PARENT, "'X', 'Z' are missing"),
        ("Y = 1 + 2*X + 3*Z + 4*W", ProblemKind.UNKNOWN_NAME, "'W' is not a parent"),
        ("Y = 1 + 2*x + 3*Z", ProblemKind.UNKNOWN_NAME, "'x' is not a parent"),
        ("Y = b0 + b1*X + b2*Z", ProblemKind.UNKNOWN_NAME, "'b0'"),
        ("Y = 1 + 2*X + 3*Z + 4*E_coli", ProblemKind.UNKNOWN_NAME, "'E_coli'"),
        ("Y = 1 + 2*X + 3*Z + 0.5*Y", ProblemKind.UNKNOWN_NAME, "own equation"),
        ("Y = 1 + 2*X + 3*Z USD", ProblemKind.UNKNOWN_NAME, "'USD'"),
        ("Y = 1 + 2*X + 3*Z + 4*X", ProblemKind.REPEATED_NAME, "'X' is repeated"),
        ("Y = 1 + 2*X + 3*Z + X - X", ProblemKind.REPEATED_NAME, "'X' is repeated"),
        ("Y = 1 + 2*X*Z", ProblemKind.NONLINEAR, "'X' is multiplied by 'Z'"),
        ("Y = 1 + 2*X**2 + Z", ProblemKind.NONLINEAR, "power"),
        ("Y = 1 + 2*X² + Z", ProblemKind.NONLINEAR, "power"),
        ("Y = 1 + 2^X + Z", ProblemKind.NONLINEAR, "power"),
        ("Y = 1 + 2*log(X) + Z", ProblemKind.NONLINEAR, "'log' looks like a function"),
        (r"Y = 1 + 2*\ln(X) + Z", ProblemKind.NONLINEAR, "'ln'"),
        ("Y = 1 + 2/X + Z", ProblemKind.NONLINEAR, "divided by 'X'"),
        ("Y = 1 + X*E_Y + Z", ProblemKind.NONLINEAR, "the noise"),
        ("Y = 1,000 + 2*X + 3*Z", ProblemKind.THOUSANDS_SEPARATOR, "1,000"),
        ("Y = 2*X + 3*Z + 1, 000", ProblemKind.THOUSANDS_SEPARATOR, "plain number"),
        ("Y = 1 000 + 2*X + 3*Z", ProblemKind.THOUSANDS_SEPARATOR, "1 000"),
        ("Y = 1_000 + 2*X + 3*Z", ProblemKind.THOUSANDS_SEPARATOR, "1_000"),
        ("Y = 1'000 + 2*X + 3*Z", ProblemKind.THOUSANDS_SEPARATOR, "1'000"),
        ("Y = 1.000.000 + 2*X + 3*Z", ProblemKind.THOUSANDS_SEPARATOR, "plain number"),
        ("Y = 0,5 + 2*X + 3*Z", ProblemKind.THOUSANDS_SEPARATOR, "decimal point"),
        ("Y = 1e999 + 2*X + 3*Z", ProblemKind.NOT_FINITE, "not finite"),
        ("Y = 1e308*10 + 2*X + 3*Z", ProblemKind.NOT_FINITE, "not finite"),
        ("Y = 10^999 + 2*X + 3*Z", ProblemKind.NOT_FINITE, "power"),
        ("Y = inf + 2*X + 3*Z", ProblemKind.NOT_FINITE, "'inf'"),
        ("Y = nan*X + 3*Z", ProblemKind.NOT_FINITE, "'nan'"),
        ("Y = 1/0 + 2*X + 3*Z", ProblemKind.NOT_FINITE, "zero"),
        ("Y = 1 + 2*X + 3*Z = 5", ProblemKind.SYNTAX, "single '='"),
        ("Y = 1 + 2*X + (3*Z", ProblemKind.SYNTAX, "not closed"),
        ("Y = 1 + 2*X + 3*Z + ", ProblemKind.SYNTAX, "too early"),
        ("Y = 1 + * 2*X + 3*Z", ProblemKind.SYNTAX, "'*'"),
        ("Y = 1 + 2*X + 3*Z %", ProblemKind.SYNTAX, "'%'"),
        ("Y = __import__('os').system('id') + X + Z", ProblemKind.SYNTAX, "cannot be read"),
        ("Y = " + "(" * 100 + "X" + ")" * 100 + " + Z", ProblemKind.TOO_LONG, "nested"),
        ("Y = " + "2^" * 100 + "2 + X + Z", ProblemKind.TOO_LONG, "nested"),
        ("Y = X + Z" + " + 1" * 5000, ProblemKind.TOO_LONG, "equation is longer"),
        ("x" * 200_001, ProblemKind.TOO_LONG, "reply is longer"),
    ],
)
def test_what_is_no_linear_equation_in_the_parents_is_refused_with_one_line(
    text: str, kind: ProblemKind, told: str
) -> None:
    problem = parse_equation(text, "Y", ("X", "Z"))
    assert isinstance(problem, ParseProblem), problem
    assert problem.kind is kind, problem
    assert told in problem.reason
    assert len(problem.reason.splitlines()) == 1
    assert len(problem.reason) < 200


def test_a_malformed_last_equation_is_refused_although_an_earlier_draft_was_fine() -> None:
    problem = parse_equation("Draft: Y = 1 + X + Z\nFinal: Y = 1 + X*Z", "Y", ("X", "Z"))
    assert isinstance(problem, ParseProblem)
    assert problem.kind is ProblemKind.NONLINEAR


def test_a_long_chain_of_signs_is_read_without_deep_recursion() -> None:
    assert read("Y = " + "-" * 9000 + "X + Z") == (0, 1, 1)


def test_a_parent_that_ends_like_the_variable_is_another_left_side() -> None:
    problem = parse_equation("Net Income = 2 + 3*Age", "Income", ("Net Income", "Age"))
    assert isinstance(problem, ParseProblem)
    assert problem.kind is ProblemKind.WRONG_LEFT_SIDE


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200) | st.text("Y=XZ012.e+-*/^()[]{}`$\\, \n,", max_size=60).map(lambda tail: "Y = " + tail))
def test_any_text_at_all_gives_an_equation_or_a_reason(text: str) -> None:
    result = parse_equation(text, "Y", ("X", "Z"))
    assert isinstance(result, Equation) or (result.reason and len(result.reason.splitlines()) == 1)


def test_asking_for_a_parent_twice_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="different names"):
        parse_equation("Y = X", "Y", ("X", "X"))
    with pytest.raises(ValueError, match="different names"):
        parse_equation("Y = X", "Y", ("Y",))


@pytest.mark.parametrize(
    ("pairs", "kind"),
    [
        ((("a", 1.0),), ProblemKind.MISSING_PARENT),
        ((("a", 1.0), ("b", 1.0), ("a", 2.0)), ProblemKind.REPEATED_NAME),
        ((("a", 1.0), ("b", 1.0), ("c", 2.0)), ProblemKind.UNKNOWN_NAME),
        ((("a", 1.0), ("b", float("inf"))), ProblemKind.NOT_FINITE),
    ],
)
def test_named_coefficients_obey_the_rules_of_the_text(pairs: tuple[tuple[str, float], ...], kind: ProblemKind) -> None:
    problem = read_coefficients("y", ("a", "b"), 0.0, pairs)
    assert isinstance(problem, ParseProblem)
    assert problem.kind is kind


def test_names_are_printable_short_and_free_of_backticks() -> None:
    assert is_name("a" * MAX_NAME)
    assert not any(is_name(text) for text in ("", " a", "a`b", "a\nb", "a" * (MAX_NAME + 1)))
