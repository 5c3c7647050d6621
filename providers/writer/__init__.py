"""The deterministic writer: a network told as prose, without a model.

From the outside in: :mod:`writer` plans paragraphs and checks the result, :mod:`sentences` words one fact,
:mod:`facts` chooses the facts that are worth telling, :mod:`wording` turns names into phrases, :mod:`grammar` guesses
what kind of word a name is, :mod:`templates` fills phrasings, :mod:`lexicon` holds them.
"""
