"""YAML as plain text: mappings, lists and strings, nothing guessed and nothing lost.

``no``, ``1984`` and ``2026-01-31`` stay the strings they look like, and a key given twice is an error instead of a
silent loss.
"""

from functools import lru_cache
from typing import Any

import yaml
from yaml.nodes import MappingNode, ScalarNode


class _StrictLoader(yaml.BaseLoader):
    """Builds strings, lists and dictionaries only; refuses a key given twice."""

    def construct_mapping(self, node: MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, ScalarNode):
                raise ValueError(f"line {key.start_mark.line + 1}: a key must be a plain text")  # noqa: TRY004
            if key.value in seen:
                raise ValueError(f"line {key.start_mark.line + 1}: the key {key.value!r} is given twice")
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


# The catalogue and the DAG files are asked for again and again in one run, and YAML is slow to read.
@lru_cache(maxsize=64)
def read_yaml(text: str) -> object:
    """What a YAML text says, as strings, lists and dictionaries, which are shared and not to be changed.

    Raises:
        ValueError: it is not YAML, is nested too deeply, or gives a key twice; the text is one line and names the line.

    Example:
        >>> read_yaml("year: 1984")
        {'year': '1984'}
    """
    try:
        return yaml.load(text, Loader=_StrictLoader)  # noqa: S506 - derived from BaseLoader, which builds no objects
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise ValueError(f"{line}{error.problem or 'is not YAML'}") from error
    except yaml.YAMLError as error:
        raise ValueError(str(error).splitlines()[0]) from error
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
