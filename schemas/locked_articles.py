"""An article that a corpus is pinned to: what identifies it and its text, without the text."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator

from schemas.rows import BackboneKey
from schemas.slugs import is_slug


class LockedArticle(BaseModel):
    """One entry of an article lock.

    ``source`` is the kind of source that the article came from, such as ``folder``: where it is kept differs from
    machine to machine and is not part of the lock.

    Example:
        >>> locked = LockedArticle(
        ...     domain="economics", backbone="bank-run", title="Bank run", url="banks/run.md", revision="",
        ...     sha256="0" * 64, words=120, source="folder",
        ... )
        >>> locked.key
        BackboneKey(domain='economics', backbone='bank-run')
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    domain: str
    backbone: str
    title: str
    url: str
    revision: str
    """Revision id, or an empty string where the source has none."""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Of the text, UTF-8."""
    words: Annotated[int, Field(ge=0)]
    source: Annotated[str, Field(pattern=r"^[a-z]+$")]

    @field_validator("domain", "backbone")
    @classmethod
    def _check_slug(cls, value: str) -> str:
        if not is_slug(value):
            raise ValueError(f"{value!r} is not a slug")
        return value

    @property
    def key(self) -> BackboneKey:
        """The two slugs under which the corpus keeps the article."""
        return BackboneKey(self.domain, self.backbone)

    def with_source(self, source: str) -> Self:
        """The same article, from another kind of source."""
        return self.model_copy(update={"source": source})
