"""Keys of model services: from the environment, or from a Secret block of the Prefect server.

A key is never a parameter of a flow, which Prefect stores and shows. Where the variable that the catalogue names is not
set, the block of that name is looked for: ``anthropic-api-key`` for ``ANTHROPIC_API_KEY``. What it holds is put into
this process's environment, as if it had been exported there.
"""

import os
from collections.abc import Iterable

from prefect.client.orchestration import get_client
from prefect.exceptions import ObjectNotFound

from providers.catalogue import list_models
from schemas.errors import InputError


def to_block_name(variable: str) -> str:
    """The name of the Secret block for a key variable; block names know no capitals and no underscores.

    Example:
        >>> to_block_name("ANTHROPIC_API_KEY")
        'anthropic-api-key'
    """
    return variable.lower().replace("_", "-").strip("-")


def is_key_kept(variable: str) -> bool:
    """Whether the Prefect server has a Secret block for a key variable. There must be a server."""
    with get_client(sync_client=True) as client:
        try:
            client.read_block_document_by_name(to_block_name(variable), "secret", include_secrets=False)
        except ObjectNotFound:
            return False
    return True


async def load_keys(models: Iterable[str]) -> None:
    """Put the keys of models into the environment that are not there but in a Secret block. There must be a server.

    Args:
        models: names; those that are not in the catalogue, such as a judge made of code, need no key.

    Raises:
        InputError: a block holds something that is no text.
    """
    wanted = set(models)
    for entry in list_models():
        if entry.id in wanted and not entry.is_key_set:
            await load_key(entry.key_env)


async def load_key(variable: str) -> None:
    """Set a variable that is not set from its Secret block, if there is one.

    Raises:
        InputError: the block holds something that is no text.
    """
    if os.environ.get(variable, "").strip():
        return
    name = to_block_name(variable)
    async with get_client() as client:
        try:
            document = await client.read_block_document_by_name(name, "secret", include_secrets=True)
        except ObjectNotFound:  # the model says so itself when it is opened
            return
    # Secret.get would make a number of a key that is all digits.
    key: object = document.data.get("value")
    if not isinstance(key, str) or not key.strip():
        raise InputError(f"the Prefect Secret block {name!r} holds no text; put there what {variable} would hold")
    os.environ[variable] = key.strip()
