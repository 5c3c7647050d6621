"""Hypothesis strategies for judges: verdicts over few names, so that ties and conflicts are common."""

from hypothesis import strategies as st

from bayes.judging.assignment import Verdict
from bayes.network import Variable

NAMES = ("rain", "Rain", "rains", "rainfall", "wind", "Wind", "flood", "heat")
WEIGHTS = st.sampled_from((0.0, 0.25, 0.5, 0.5004, 1.0))
name_lists = st.lists(st.sampled_from(NAMES), max_size=7)
verdict_lists = st.lists(st.builds(Verdict, st.sampled_from(NAMES), st.sampled_from(NAMES), WEIGHTS), max_size=20)
STATES = ("heavy", "Heavy", "strong", "light", "weak", "none", "None", "NONE", "no", "absent")
variable_lists = st.lists(
    st.builds(Variable, st.sampled_from(NAMES), st.lists(st.sampled_from(STATES), max_size=5).map(tuple)), max_size=5
)
