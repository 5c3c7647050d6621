"""The rule elicitor: answers the five elicitation questions about any English text by rules, without a model.

It is a way to see the pipeline work and a baseline to beat, not a model: it reads cue phrases such as "leads to" or
"because of", names the noun phrases at their ends, and derives tables from how firmly the text speaks. All of it is a
pure function of the question.
"""

from functools import singledispatch

import numpy as np

from bayes.network import FloatArray, Variable
from providers.rules.sentences import MAX_CHARACTERS
from providers.rules.tables import RuleNetwork, build_network, compute_joint, round_table
from providers.rules.variables import MAX_VARIABLES, RuleReading, cut_reading, read_text
from schemas.questions import (
    ArticleQuestion,
    EdgesQuestion,
    JointsQuestion,
    MarginalsQuestion,
    MultiJointsQuestion,
    Question,
    VariablesQuestion,
)
from schemas.replies import (
    EdgeReply,
    EdgesReply,
    FamilyCell,
    JointReply,
    JointsReply,
    MarginalReply,
    MarginalsReply,
    MultiJointReply,
    MultiJointsReply,
    PairCell,
    Reply,
    StateProbability,
    VariableReply,
    VariablesReply,
)


def read(text: str, max_variables: int = MAX_VARIABLES) -> RuleReading:
    """Read variables and causal edges in a text.

    Only the first 2,000 words (20,000 characters) are read. A text that is not English, or says nothing that the rules
    understand, gives a reading without variables or without edges. The edges may close a cycle; the best supported
    come first.

    Args:
        text: any text.
        max_variables: upper bound on the variables; never more than 20. Usually there are at most 12.

    Example:
        >>> reading = read("Deforestation leads to soil erosion, which reduces crop yields.")
        >>> [(edge.parent, edge.sign, edge.child) for edge in reading.edges]
        [('deforestation', 1, 'soil erosion'), ('soil erosion', -1, 'crop yields')]
    """
    return cut_reading(read_text(text[:MAX_CHARACTERS]), max_variables)


@singledispatch
def answer(question: Question) -> Reply:
    """Answer an elicitation question by rules.

    What a pass needs from an earlier one it derives again from the article's text, so that asking about some edges
    gives the same tables as asking about all. Variables that the rules did not read themselves get neutral tables:
    states equally likely, independent of the rest.

    Raises:
        TypeError: the question is none of the five elicitation questions.

    Example:
        >>> from schemas.articles import Article
        >>> article = Article(domain="society", backbone="smoking", title="Smoking", url="", revision="",
        ...     retrieved_at="", licence="", text="Smoking causes cancer.", sha256="", words=3)
        >>> reply = answer(EdgesQuestion(domain="society", backbone="smoking", article=article,
        ...     variables=read(article.text).variables))
        >>> reply.edges[0].mechanism
        'Smoking causes cancer'
    """
    raise TypeError(f"the rules cannot answer a {type(question).__name__}")


@answer.register
def _(question: VariablesQuestion) -> VariablesReply:
    variables = read(question.article.text, question.max_variables).variables
    return VariablesReply(variables=[VariableReply(name=v.name, states=list(v.states)) for v in variables])


@answer.register
def _(question: EdgesQuestion) -> EdgesReply:
    names = {variable.name for variable in question.variables}
    edges = read(question.article.text).edges
    return EdgesReply(
        edges=[
            EdgeReply(parent=edge.parent, child=edge.child, mechanism=edge.mechanism)
            for edge in edges
            if edge.parent in names and edge.child in names
        ]
    )


@answer.register
def _(question: MarginalsQuestion) -> MarginalsReply:
    network = _build(question)
    marginals = [
        MarginalReply(
            variable=variable.name,
            probabilities=[
                StateProbability(state=state, probability=float(p))
                for state, p in zip(variable.states, _tabulate(network, variable), strict=True)
            ],
        )
        for variable in question.variables
    ]
    return MarginalsReply(marginals=marginals)


@answer.register
def _(question: JointsQuestion) -> JointsReply:
    network = _build(question)
    by_name = {variable.name: variable for variable in question.variables}
    joints: list[JointReply] = []
    for edge in question.edges:
        parent, child = by_name[edge.parent], by_name[edge.child]
        table = _tabulate(network, parent, child)
        cells = [
            PairCell(parent_state=parent.states[i], child_state=child.states[j], probability=float(table[i, j]))
            for i, j in np.ndindex(*table.shape)
        ]
        joints.append(JointReply(parent=parent.name, child=child.name, cells=cells))
    return JointsReply(joints=joints)


@answer.register
def _(question: MultiJointsQuestion) -> MultiJointsReply:
    network = _build(question)
    by_name = {variable.name: variable for variable in question.variables}
    joints: list[MultiJointReply] = []
    for family in question.families:
        parents, child = [by_name[name] for name in family.parents], by_name[family.child]
        table = _tabulate(network, *parents, child)
        cells = [
            FamilyCell(
                parent_states=[parent.states[i] for parent, i in zip(parents, index[:-1], strict=True)],
                child_state=child.states[index[-1]],
                probability=float(table[index]),
            )
            for index in np.ndindex(*table.shape)
        ]
        joints.append(MultiJointReply(child=child.name, parents=list(family.parents), cells=cells))
    return MultiJointsReply(joints=joints)


def _build(question: ArticleQuestion) -> RuleNetwork:
    return build_network(read(question.article.text))


def _tabulate(network: RuleNetwork, *variables: Variable) -> FloatArray:
    return round_table(compute_joint(network, variables))
