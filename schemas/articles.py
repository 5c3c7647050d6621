"""An article as the pipeline sees it, whatever source it came from."""

from pydantic import BaseModel, ConfigDict


class Article(BaseModel):
    """One article: where it comes from, its text, and its place in the corpus (``domain``, ``backbone`` slugs)."""

    model_config = ConfigDict(frozen=True)

    domain: str
    backbone: str
    title: str
    url: str
    revision: str
    """Revision id, or an empty string where the source has none."""
    retrieved_at: str
    """ISO 8601, UTC, to the second."""
    licence: str
    text: str
    sha256: str
    """Of the text, UTF-8."""
    words: int
    read_words: int | None = None
    """Words of the text that the elicitation model was given; None where it is not known."""
    redirected_from: str = ""
    """The title under which the source listed the article, where that redirects to it."""
