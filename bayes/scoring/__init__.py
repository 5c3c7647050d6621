"""Scoring a network that was read out of a text against the network that the text was written from.

The words used here
-------------------
reference
    The network that a prediction is scored against.
prediction
    What a model read out of a description, as it came: names may be there twice, edges may close a cycle, tables may be
    missing or hold no numbers.
alignment
    Which predicted variable is which reference variable, one to one, and the same for the states of every matched pair.
judge
    Who says that two names mean the same: code (:mod:`bayes.judging`) or a language model.
released
    The publication's own procedure of comparing tables, kept beside ours so that its numbers can be compared with.

Metrics of a part of the prediction (states, edges, tables) are conditional in the publication: they look at what was
matched only. The unconditional ones of :mod:`bayes.scoring.unconditional` count what was not matched as errors.
"""
