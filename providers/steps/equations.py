"""A structural equation in small steps: one number a request, first for each cause, then the intercept."""

from providers.steps.interview import Interview
from schemas.questions import EquationQuestion
from schemas.replies import Reply, TermReply, TermsReply, TextReply

_EXAMPLES = (
    "1 more hour of proofing gives how many ml of bread? 85\n"
    "1 more gram of salt gives how many ml of bread? -2.5\n"
    "1 more percent of tax gives how many dollars of income? -120\n"
)
_SHOWN = 200


async def choose_equation(question: EquationQuestion, interview: Interview) -> Reply:
    """Ask for each coefficient and for the intercept; the equation is put together from the numbers."""
    variable = question.variable
    unit = question.units.get(variable, "")
    hint = f"The last try was wrong: {question.problem[:_SHOWN]}\n" if question.problem else ""
    coefficients: dict[str, str] = {}
    for parent in question.dag.parents[variable]:
        asked = f"1 more {question.units.get(parent, '')} of {parent} gives how many {unit} of {variable}?"
        coefficients[parent] = await interview.give_number(f"{hint}{_EXAMPLES}{asked}")
    bounds = question.dag.bounds[variable]
    limits = (
        f" between {bounds.low:g} and {bounds.high:g}" if bounds.low is not None and bounds.high is not None else ""
    )
    intercept = await interview.give_number(f"{hint}A value of {variable} in {unit}{limits} when all causes are 0?")
    if question.is_structured:
        terms = [TermReply(name=name, coefficient=float(value)) for name, value in coefficients.items()]
        return TermsReply(intercept=float(intercept), terms=terms)
    right = " + ".join([intercept, *(f"({value})*`{name}`" for name, value in coefficients.items())])
    return TextReply(text=f"`{variable}` = {right}")
