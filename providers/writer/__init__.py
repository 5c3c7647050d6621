"""The deterministic writer: a network told as prose, without a model.

From the outside in: :mod:`~providers.writer.writer` plans paragraphs and checks the result,
:mod:`~providers.writer.sentences` words one fact, :mod:`~providers.writer.facts` chooses the facts that are worth
telling, :mod:`~providers.writer.wording` turns names into phrases, :mod:`~providers.writer.grammar` guesses from
:mod:`~providers.writer.vocabulary` what kind of word a name is, :mod:`~providers.writer.templates` fills the phrasings
of :mod:`~providers.writer.framings` and :mod:`~providers.writer.lexicon`, and :mod:`~providers.writer.clashes` finds
the names that these would mention by accident.
"""
