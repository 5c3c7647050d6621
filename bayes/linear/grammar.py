r"""The grammar of the right side of a structural equation, read by recursive descent into an affine form.

    sum     = product (("+" | "-") product)*
    product = signed (("*" | "/") signed | implicit)*     implicit: a number or bracket before a name or bracket
    signed  = ("+" | "-")* power
    power   = atom ("^" signed)?
    atom    = number | name | noise | "(" sum ")" | \frac{sum}{sum}

Every value on the way is a constant plus a multiple of each name, so constants fold and anything that is not linear is
seen where it happens. No text is ever evaluated as code.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from bayes.linear.problems import ProblemKind, Refusal, shorten
from bayes.linear.tokens import Token, TokenKind

MAX_DEPTH = 50

_NOISE = ""
_STARTS_FACTOR = (TokenKind.NAME, TokenKind.NOISE, TokenKind.OPEN, TokenKind.FRACTION, TokenKind.WORD)
_REMARKS = ("where", "with", "such", "for", "and", "when", "if")


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant + sum of slopes[name] * name``; the noise goes under the empty name."""

    constant: float
    slopes: dict[str, float]

    def add(self, other: "Affine", sign: float) -> "Affine":
        slopes = dict(self.slopes)
        for name, slope in other.slopes.items():
            slopes[name] = slopes.get(name, 0.0) + sign * slope
        return Affine(self.constant + sign * other.constant, slopes)

    def scale(self, factor: float) -> "Affine":
        return Affine(self.constant * factor, {name: slope * factor for name, slope in self.slopes.items()})

    def divide(self, divisor: float) -> "Affine":
        return Affine(self.constant / divisor, {name: slope / divisor for name, slope in self.slopes.items()})


class Reader:
    """Reads one sum of tokens by recursive descent."""

    def __init__(self, tokens: tuple[Token, ...], variable: str, parents: tuple[str, ...]) -> None:
        self._tokens = tokens
        self._position = 0
        self._depth = 0
        self._variable = variable
        self._parents = parents
        self.mentions = Counter[str]()

    def read(self) -> Affine:
        affine = self._read_sum()
        token = self._next
        if token.kind is not TokenKind.END and not (token.kind is TokenKind.WORD and token.text in _REMARKS):
            raise self._refuse_token(token)
        return affine

    @property
    def _next(self) -> Token:
        return self._tokens[self._position]

    def _take(self) -> Token:
        token = self._tokens[self._position]
        self._position += 1
        return token

    def _take_operator(self, signs: str) -> str | None:
        token = self._next
        if token.kind is TokenKind.OPERATOR and token.text[0] in signs:
            return self._take().text
        return None

    def _read_sum(self) -> Affine:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Refusal(ProblemKind.TOO_LONG, f"brackets and powers are nested more than {MAX_DEPTH} deep")
        total = self._read_product()
        while operator := self._take_operator("+-"):
            total = total.add(self._read_product(), 1.0 if operator == "+" else -1.0)
        self._depth -= 1
        return total

    def _read_product(self) -> Affine:
        product = self._read_signed()
        while True:
            if operator := self._take_operator("*/"):
                factor = self._read_signed()
                product = _multiply(product, factor) if operator == "*" else _divide(product, factor)
            elif self._is_implicit(product):
                product = _multiply(product, self._read_power())
            else:
                return product

    def _is_implicit(self, product: Affine) -> bool:
        token = self._next
        if token.kind is TokenKind.WORD and token.text in _REMARKS:
            return False
        return not product.slopes and token.kind in _STARTS_FACTOR

    def _read_signed(self) -> Affine:
        sign = 1.0
        while operator := self._take_operator("+-"):
            sign = sign if operator == "+" else -sign
        power = self._read_power()
        return power if sign > 0 else power.scale(-1.0)

    def _read_power(self) -> Affine:
        base = self._read_atom()
        if not (operator := self._take_operator("^")):
            return base
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Refusal(ProblemKind.TOO_LONG, f"brackets and powers are nested more than {MAX_DEPTH} deep")
        exponent = self._read_signed() if operator == "^" else Affine(float(operator[1:]), {})
        self._depth -= 1
        return _raise_to(base, exponent)

    def _read_atom(self) -> Affine:
        token = self._take()
        match token.kind:
            case TokenKind.NUMBER:
                return Affine(float(token.text), {})
            case TokenKind.NAME if token.text in self._parents:
                self.mentions[token.text] += 1
                return Affine(0.0, {token.text: 1.0})
            case TokenKind.NOISE:
                return Affine(0.0, {_NOISE: 1.0})
            case TokenKind.OPEN:
                return self._read_group(token)
            case TokenKind.FRACTION:
                numerator = self._read_group(self._take())
                return _divide(numerator, self._read_group(self._take()))
            case _:
                raise self._refuse_token(token)

    def _read_group(self, opening: Token) -> Affine:
        if opening.kind is not TokenKind.OPEN:
            raise self._refuse_token(opening)
        inside = self._read_sum()
        closing = self._take()
        if closing.kind is not TokenKind.CLOSE or "([{".index(opening.text) != ")]}".index(closing.text):
            raise Refusal(ProblemKind.SYNTAX, f"a bracket {opening.text!r} is not closed")
        return inside

    def _refuse_token(self, token: Token) -> Refusal:
        if token.kind is TokenKind.WORD and self._next.kind is TokenKind.OPEN and self._next.text == "(":
            return Refusal(
                ProblemKind.NONLINEAR, f"the equation must be linear; {shorten(token.text)} looks like a function"
            )
        if token.kind in {TokenKind.WORD, TokenKind.NAME} and token.text not in self._parents:
            return refuse_name(token.text, self._variable, self._parents)
        if token.kind is TokenKind.END:
            return Refusal(ProblemKind.SYNTAX, "the equation ends too early")
        return Refusal(ProblemKind.SYNTAX, f"{shorten(token.text)} stands where a sign or the end was expected")


def _describe(affine: Affine) -> str:
    return list_names(name or "the noise" for name in affine.slopes)


def _multiply(left: Affine, right: Affine) -> Affine:
    if left.slopes and right.slopes:
        raise Refusal(
            ProblemKind.NONLINEAR, f"the equation must be linear; {_describe(left)} is multiplied by {_describe(right)}"
        )
    return left.scale(right.constant) if left.slopes else right.scale(left.constant)


def _divide(left: Affine, right: Affine) -> Affine:
    if right.slopes:
        raise Refusal(ProblemKind.NONLINEAR, f"the equation must be linear; something is divided by {_describe(right)}")
    if right.constant == 0:
        raise Refusal(ProblemKind.NOT_FINITE, "something is divided by zero")
    return left.divide(right.constant)


def _raise_to(base: Affine, exponent: Affine) -> Affine:
    if base.slopes or exponent.slopes:
        raise Refusal(
            ProblemKind.NONLINEAR,
            f"the equation must be linear; {_describe(base) or _describe(exponent)} is in a power",
        )
    try:
        return Affine(math.pow(base.constant, exponent.constant), {})
    except (OverflowError, ValueError):
        raise Refusal(ProblemKind.NOT_FINITE, "a power is not a finite number") from None


def refuse_name(name: str, variable: str, parents: tuple[str, ...]) -> Refusal:
    """The refusal of a name that is no parent."""
    if name == variable:
        return Refusal(ProblemKind.UNKNOWN_NAME, f"'{variable}' must not be on the right side of its own equation")
    if name.casefold() in {"inf", "infinity", "nan", "infty"}:
        return Refusal(ProblemKind.NOT_FINITE, f"{shorten(name)} is not a finite number")
    allowed = list_names(parents) if parents else "none"
    return Refusal(ProblemKind.UNKNOWN_NAME, f"{shorten(name)} is not a parent of '{variable}'; the parents: {allowed}")


def list_names(names: Iterable[str]) -> str:
    """Names in quotes, separated by commas."""
    return ", ".join(f"'{name}'" for name in names)
