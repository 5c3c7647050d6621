"""Saying which names of a prediction mean the same as which names of the reference.

The words used here
-------------------
judge
    Who says that two names mean the same. *Code* judges are :mod:`bayes.judging.exact` and
    :mod:`bayes.judging.lexical`; a language model is a judge whose verdicts come from outside.
verdict
    That a reference name and a predicted name mean the same, and how surely: a weight above 0, at most 1. What has no
    verdict is not the same. A language model's verdicts all weigh 1.
assignment
    The choice among the verdicts that gives every name to at most one other and has the largest sum of weights.
match
    A verdict that was chosen. The matches of variables and of their states make the *alignment*.
duplicate
    A predicted name that means a reference name which was given to another predicted name.
candidate pair
    A reference name and a predicted name that a judge is asked about. Judges are compared over candidate pairs.

States can be asked about only after variables are matched, so there are two steps:
:func:`~bayes.judging.alignment.match_names`, then :func:`~bayes.judging.alignment.match_states` for every pair of
matched variables.
"""
