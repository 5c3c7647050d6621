"""Replies are converted under the listed names, and what cannot be used is said in words for the model."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes.network import Edge, Variable
from schemas.replies import EdgeReply, EdgesReply, VariableReply, VariablesReply
from tasks import checking

RAIN = Variable("rain", ("heavy", "none"))
FLOOD = Variable("flood", ("wide", "none"))


def variables_reply(*items: tuple[str, list[str]]) -> VariablesReply:
    return VariablesReply(variables=[VariableReply(name=name, states=states) for name, states in items])


def test_the_baseline_is_put_last_and_added_where_it_is_missing() -> None:
    reply = variables_reply(("Rain", ["None", "heavy", "light"]), ("flood", ["wide", "local"]))
    assert checking.check_variables(reply, max_variables=20) == []
    assert checking.to_variables(reply) == (
        Variable("Rain", ("heavy", "light", "none")),
        Variable("flood", ("wide", "local", "none")),
    )


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (variables_reply(), "is empty"),
        (variables_reply(("a", ["x", "y"]), ("b", ["x", "y"]), ("c", ["x", "y"])), "keep the 2"),
        (variables_reply(("a", ["x", "y"]), ("A ", ["x", "y"])), "listed twice"),
        (variables_reply(("a", ["x", "X"])), "listed twice"),
        (variables_reply(("flood", ["x", "y"]), ("floods", ["x", "y"])), "listed twice (as 'flood')"),
        (variables_reply(("None", ["x", "y"])), "name of the baseline state"),
        (variables_reply(("a", ["x", "none"])), "1 state besides"),
        (variables_reply(("a", list("abcdefg"))), "7 states besides"),
        (variables_reply(("", ["x", "y"])), "is empty"),
        (variables_reply(("x" * 5000, ["x", "y"])), "longer than 100"),
        (variables_reply(("<script>", ["x", "y"])), "markup"),
        (variables_reply(("--", ["x", "y"])), "no letter"),
    ],
)
def test_each_kind_of_bad_variable_is_named(reply: VariablesReply, problem: str) -> None:
    assert any(problem in line for line in checking.check_variables(reply, max_variables=2))


def test_control_and_direction_characters_are_cleaned_from_names() -> None:
    reply = variables_reply(("ra\u202ein\n level", ["hea\x00vy", "light"]))
    assert checking.to_variables(reply)[0] == Variable("rain level", ("heavy", "light", "none"))


def test_edges_get_the_listed_names_and_bad_ones_are_dropped_with_reasons() -> None:
    pairs = [("RAIN", "flood"), ("rain", "flood"), ("flood", "rain"), ("rain", "snow"), ("rain", "rain")]
    reply = EdgesReply(edges=[EdgeReply(parent=a, child=b, mechanism="it wets") for a, b in pairs])
    edges = checking.to_edges(reply, (RAIN, FLOOD))
    assert edges.acyclic.kept == (Edge("rain", "flood"),)
    assert [drop.reason for drop in edges.acyclic.dropped] == ["duplicate", "closes_cycle", "unknown_name", "self_edge"]
    assert edges.mechanisms == {Edge("rain", "flood"): "it wets"}


def test_no_edges_are_an_answer_but_only_unusable_edges_are_a_problem() -> None:
    assert checking.check_edges(EdgesReply(edges=[]), (RAIN, FLOOD)) == []
    bad = EdgesReply(edges=[EdgeReply(parent="snow", child="hail", mechanism="")])
    assert "'rain'" in checking.check_edges(bad, (RAIN, FLOOD))[0]


def test_what_models_wrap_names_in_is_taken_off() -> None:
    reply = variables_reply(
        ("**fuel_moisture**", ['"dry"', "`damp`", "None."]), ("__proto__", ["workers' share", "'high'"])
    )
    assert checking.check_variables(reply, max_variables=20) == []
    assert checking.to_variables(reply) == (
        Variable("fuel moisture", ("dry", "damp", "none")),
        Variable("proto", ("workers' share", "high", "none")),
    )


def test_edges_are_found_by_names_that_differ_in_hyphen_or_plural() -> None:
    reply = EdgesReply(edges=[EdgeReply(parent="Rains", child="'flood'", mechanism="x")])
    assert checking.to_edges(reply, (RAIN, FLOOD)).acyclic.kept == (Edge("rain", "flood"),)


def test_unknown_names_of_edges_are_fed_back_and_in_the_end_dropped() -> None:
    pairs = [("rain", "flood"), ("downpour", "flood")]
    reply = EdgesReply(edges=[EdgeReply(parent=a, child=b, mechanism="") for a, b in pairs])
    look = checking.insist(partial(checking.check_edges, variables=(RAIN, FLOOD)))
    for _ in range(checking.PATIENCE):
        assert look(reply) == [
            "'downpour' is not a listed variable.",
            "Use these names exactly, or leave the edge out: 'rain', 'flood'.",
        ]
    assert look(reply) == []


def test_a_mechanism_of_one_endless_word_is_cut() -> None:
    reply = EdgesReply(edges=[EdgeReply(parent="rain", child="flood", mechanism="x" * 5000)])
    assert checking.to_edges(reply, (RAIN, FLOOD)).mechanisms == {Edge("rain", "flood"): "x" * 300}


@given(st.lists(st.tuples(st.text(max_size=40), st.lists(st.text(max_size=20), max_size=8)), max_size=25))
def test_whatever_a_model_answers_is_either_a_problem_or_usable(items: list[tuple[str, list[str]]]) -> None:
    reply = variables_reply(*items)
    if not checking.check_variables(reply, max_variables=20):
        for variable in checking.to_variables(reply):
            assert variable.states[-1] == "none"
            assert len(set(variable.states)) == len(variable.states) >= 3
            assert variable.name.isprintable()
