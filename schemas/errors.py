"""The exceptions of the project. Expected failures are rows with a reason, not exceptions.

::

    PrismError
    ├── InputError        a file, setting or name given by the user is wrong: exit code 2
    ├── ServiceError      a service stayed broken after the retries
    │   └── AccessError   a service refuses us whatever we do: bad key, no quota, unknown model
    └── BudgetReached     the next call could cost more than --max-usd leaves
"""


class PrismError(Exception):
    """Base of all; its text is one line for a person to read."""


class InputError(PrismError):
    """What the user gave is wrong; the text names the file and field and what to do."""


class ServiceError(PrismError):
    """An outside service failed after all retries. ``kind`` is a short class such as ``timeout`` or ``rate_limit``."""

    def __init__(self, message: str, kind: str = "service") -> None:
        super().__init__(message)
        self.kind = kind


class AccessError(ServiceError):
    """Trying again is of no use: a bad key, an exhausted quota, a model that the provider does not have."""


class BudgetReached(PrismError):
    """The ceiling set by ``--max-usd`` is reached; what is done is kept."""
