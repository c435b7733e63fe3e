"""Ask a Purser server for differentially private statistics.

    import purser
    adult = purser.connect("http://127.0.0.1:8080", key).dataset("adult")
    adult.mean("age", epsilon=0.5)

A question is debited before it is answered. If its reply is lost, this module sends the same request with the same
Idempotency-Key again, and the service answers without a second debit.

Epsilon, delta and rho are exact and come back as ``Decimal``. A ``float`` stands for its shortest decimal: 0.1 is
"0.1". Statistics are ``int`` or ``float``. Refusals of the service raise ``Problem``.

This file needs nothing but Python's standard library. Pandas and matplotlib are imported where they are used.
"""

from __future__ import annotations

import base64
import csv
import datetime
import decimal
import hashlib
import html
import http.client
import json
import math
import numbers
import os
import random
import re
import secrets
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypedDict, TypeVar, Union, overload
from urllib.parse import quote, urlencode, urlsplit

if TYPE_CHECKING:
    from typing_extensions import Unpack

__version__ = "0.1.0"

Exact = Union[str, int, float, Decimal]
"""An amount of privacy loss: "0.5" or 0.5."""

Value = Union[int, float, Decimal, str, datetime.date]
"""A value of a column. Dates are ``date`` or "2020-01-31"; times are ``datetime`` with a zone, or text."""

Probabilities = Union[float, Decimal, Sequence[Union[float, Decimal]]]
"""Shares of the rows, from 0 to 1: one number, or a list."""

Json = dict[str, Any]
R = TypeVar("R")

_MEDIA_TYPES = {".csv": "text/csv", ".parquet": "application/vnd.apache.parquet"}
_LONGEST_WAIT_SECONDS = 60
_LOST_BY_A_PROXY = (502, 504)


# --- Registrations proposed by a file ---


_MISSING_SPELLINGS = frozenset(["", "NA", "N/A", "NaN", "null", "NULL", "None", "\\N", ".", "?", "-"])
_MOST_CATEGORIES = 200
_MOST_DIGITS = 6
_MOST_STEPS = 2**40
_TYPES = [
    ("boolean", re.compile(r"(?i:true|false|t|f|yes|no|y|n)")),
    ("integer", re.compile(r"[+-]?(0|[1-9][0-9]{0,14})(\.0+)?")),
    ("decimal", re.compile(r"[+-]?(0|[1-9][0-9]{0,14})(\.[0-9]+)?")),
    ("date", re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")),
    (
        "timestamp",
        re.compile(
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})?"
        ),
    ),
]
"""The types, from the narrowest. A column that fits none is a category. Codes with leading zeros are no numbers."""

_USUAL = {"age": (0, 125), "hours": (0, 168), "percent": (0, 100), "percentage": (0, 100), "year": (1900, 2100)}
"""Bounds that follow from the name of a number, and from no row."""


@dataclass(frozen=True)
class Proposal:
    """The columns of a registration, as ``propose`` makes them of a file.

    ``unconfirmed`` names for each column what was read off its rows. Bounds reveal the extremes, and a category reveals
    that somebody is in it. They may be registered only after a person said that they are public. ``left_out`` are the
    columns whose texts are no categories: more than 200 texts, no text, or texts of several lines.
    """

    columns: tuple[Json, ...]
    unconfirmed: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()

    def confirm(self, *names: str) -> Proposal:
        """The same columns, after a person has decided that the proposals for these columns are public."""
        self._known(*names)
        return replace(self, unconfirmed={each: read for each, read in self.unconfirmed.items() if each not in names})

    def replace(self, name: str, **members: Any) -> Proposal:
        """The same columns with new members of one: ``replace("age", lower=0, upper=125)``. They count as confirmed."""
        self._known(name)
        columns = tuple({**each, **members} if each["name"] == name else each for each in self.columns)
        left = tuple(member for member in self.unconfirmed.get(name, ()) if member not in members)
        others = {each: read for each, read in self.unconfirmed.items() if each != name}
        return replace(self, columns=columns, unconfirmed={**others, **({name: left} if left else {})})

    def without(self, *names: str) -> Proposal:
        """The same without these columns, which are then not stored."""
        kept = self.confirm(*names)
        return replace(kept, columns=tuple(each for each in self.columns if each["name"] not in names))

    def confirmed(self) -> list[Json]:
        """The columns. Raises ValueError while anything that was read off rows is not confirmed."""
        if self.unconfirmed:
            raise ValueError(
                "these were read off the rows, and are not public by that: "
                + "; ".join(f"{', '.join(read)} of {name}" for name, read in self.unconfirmed.items())
                + '. Look at each, then .confirm("name"), .replace("name", lower=0, upper=125) or .without("name")'
            )
        return list(self.columns)

    def _known(self, *names: str) -> None:
        if unknown := set(names) - {each["name"] for each in self.columns}:
            raise ValueError(f"there is no column {', '.join(sorted(unknown))}")


def propose(path: str | os.PathLike[str]) -> Proposal:
    """Reads a CSV file and proposes how to register its columns. Nothing is sent.

    Members that are taken from the rows are marked in ``unconfirmed``. ``register`` refuses them until they are
    confirmed. Bounds of numbers that are called age, hours, percent or year follow from the name alone. The console
    proposes the same. Raises OSError, and UnicodeDecodeError if the file is not UTF-8.
    """
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = (row for row in csv.reader(file) if any(row))
        columns = [_SeenColumn(name) for name in next(lines, [])]
        for row in lines:
            if len(row) == len(columns):
                for column_, text in zip(columns, row):
                    column_.look(text)
    proposed = [each.proposed() for each in columns]
    return Proposal(
        tuple(each for each, _ in proposed if each is not None),
        {each["name"]: read for each, read in proposed if each is not None and read},
        tuple(seen.name for seen, (each, _) in zip(columns, proposed) if each is None),
    )


class _SeenColumn:
    """What is remembered of a column while its rows pass."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._types = list(_TYPES)
        self._has_missing = False
        self._texts: set[str] = set()
        self._numbers: tuple[float, float] = (math.inf, -math.inf)
        self._digits = 0
        self._ends = ("", "")

    def look(self, text: str) -> None:
        if text in _MISSING_SPELLINGS:
            self._has_missing = True
            return
        self._types = [(name, form) for name, form in self._types if form.fullmatch(text)]
        if self._types and self._types[0][0] in ("integer", "decimal"):
            number = float(text)
            self._numbers = (min(self._numbers[0], number), max(self._numbers[1], number))
            self._digits = max(self._digits, len(text.partition(".")[2].rstrip("0")))
        if len(self._texts) <= _MOST_CATEGORIES:
            self._texts.add(text)
        self._ends = (min(self._ends[0] or text, text), max(self._ends[1], text))

    def proposed(self) -> tuple[Json | None, tuple[str, ...]]:
        """The registered column, and its members that were read off the rows; no column if it has too many texts."""
        type_ = self._types[0][0] if self._types and self._ends[0] else "category"
        column_: Json = {"name": self.name, "type": type_}
        read: tuple[str, ...] = ("lower", "upper")
        if type_ == "category":
            if not self._texts or len(self._texts) > _MOST_CATEGORIES or "\n" in "".join(self._texts):
                return None, ()
            column_["categories"] = sorted({*self._texts, *(["unknown"] if self._has_missing else [])})
            read = ("categories",)
        elif type_ in ("integer", "decimal"):
            read = self._put_bounds(column_)
        elif type_ == "boolean":
            read = ()
        else:
            first, last = ("", "") if type_ == "date" else ("T00:00:00Z", "T23:59:59Z")
            column_["lower"], column_["upper"] = f"{self._ends[0][:4]}-01-01{first}", f"{self._ends[1][:4]}-12-31{last}"
        if self._has_missing:
            column_["missing"] = {"category": "unknown", "boolean": False}.get(type_, column_.get("lower"))
            read = (*read, "missing")
        return column_, read

    def _put_bounds(self, column_: Json) -> tuple[str, ...]:
        digits = min(self._digits, _MOST_DIGITS)
        usual = next((_USUAL[word] for word in re.split("[^a-z]+", self.name.lower()) if word in _USUAL), None)
        lower, upper = usual or self._around(digits)
        while digits > 0 and max(abs(lower), abs(upper)) * 10**digits > _MOST_STEPS:
            digits -= 1
        column_["lower"], column_["upper"] = lower, upper
        read = () if usual else ("lower", "upper")
        if column_["type"] == "integer":
            return read
        column_["resolution"] = _whole(round(10.0**-digits, digits))
        return (*read, "resolution")

    def _around(self, digits: int) -> tuple[float, float]:
        """Bounds on round numbers. They reveal less than the extremes do, but still something."""
        least, most = self._numbers
        power = 10.0 ** max(-digits, math.floor(math.log10(most - least or abs(most) or 1)))
        low, high = math.floor(least / power), math.ceil(most / power)
        return _whole(round(low * power, digits)), _whole(round(max(high, low + 1) * power, digits))


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number


# --- What the service says ---


class Amount(NamedTuple):
    """An amount of privacy loss. Rho is stated under the accountant zcdp."""

    epsilon: Decimal
    delta: Decimal
    rho: Decimal | None = None

    @property
    def unit(self) -> str:
        """The name of the member that adds up and is compared with a limit: rho where there is one, else epsilon."""
        return "epsilon" if self.rho is None else "rho"

    def beside(self, other: Amount) -> str:
        """The amount in the unit in which it is counted. A delta is stated if this amount or the other has one."""
        delta = f", delta {self.delta:f}" if self.rho is None and (self.delta or other.delta) else ""
        return f"{self.unit} {getattr(self, self.unit):f}{delta}"

    def __str__(self) -> str:
        return self.beside(self)


class Interval(NamedTuple):
    """Contains the exact value with the probability that the accuracy states. The ends are in the value's unit."""

    low: Any
    high: Any

    def __str__(self) -> str:
        return "{1} to {2}".format(*_outwards(None, self))


class Bin(NamedTuple):
    """Values from ``lower`` up to, and without, ``upper``."""

    lower: Any
    upper: Any

    def __str__(self) -> str:
        return f"[{_text(self.lower)}, {_text(self.upper)})"


class Estimate(NamedTuple):
    """A value in a table. All intervals of a table of groups hold together."""

    value: Any
    interval: Interval

    def __str__(self) -> str:
        return "{} ({} to {})".format(*_outwards(self.value, self.interval))


class Accuracy(NamedTuple):
    """With probability at least 1 - beta the error is at most alpha, in rows or in the unit of the column.

    For a table of groups, alpha is the alpha of the first aggregate, and ``each`` has the name and alpha of all.
    """

    alpha: float
    beta: float
    unit: str
    statement: str
    each: list[Json] | None = None


class Problem(Exception):
    """A refusal of the service (RFC 9457).

    ``type`` is the last part of the problem's address, such as "validation-failed". ``violations`` has one object for
    each broken rule, with its ``pointer`` into the request and its ``detail``. ``members`` is the whole document.
    Asked again with ``idempotency_key``, a question that was debited gets its answer.
    """

    def __init__(self, members: Json, idempotency_key: str | None = None) -> None:
        super().__init__(members, idempotency_key)
        self.members = members
        self.idempotency_key = idempotency_key
        self.type = str(members.get("type", "")).rpartition("/")[2]
        self.title = str(members.get("title", ""))
        self.status = int(members.get("status", 0))
        self.detail = str(members.get("detail", ""))
        self.violations: list[Json] = members.get("errors", [])

    def __str__(self) -> str:
        several = self.violations if len(self.violations) > 1 else []
        return "\n  ".join([f"{self.type}: {self.detail}", *(str(each["detail"]) for each in several)])


class BudgetExhausted(Problem):
    """The question was not asked and nothing was debited, because what remains does not cover it.

    For a plan, ``first_that_does_not_fit`` is the place of the first question that does not fit, from 0. ``free_from``
    has the ``synopsisId`` of a synopsis that answers the question for nothing, and the ``alpha`` of its answer, or None
    where alpha depends on the noisy numbers. For a dataset with blocks, ``blocks`` are the runs of blocks that cannot
    pay, with ``from``, ``to`` and ``remaining``.
    """

    def __init__(self, members: Json, idempotency_key: str | None = None) -> None:
        super().__init__(members, idempotency_key)
        self.requested: Amount = members["requested"]
        self.remaining: Amount = members["remaining"]
        self.shortfall: Amount = members["shortfall"]
        self.scope: str = members["scope"]
        self.first_that_does_not_fit: int | None = members.get("firstThatDoesNotFit")
        self.free_from: Json | None = members.get("freeFrom")
        self.blocks: list[Json] | None = members.get("blocks")


class NothingStored(Problem):
    """With ``spend=False``, or with the key of a viewer: the question was not answered before. Nothing was debited.

    ``charge`` is what the question would cost. For a plan, ``not_stored`` are the places of the questions without an
    answer, from 0, and ``charge`` is their charge together.
    """

    def __init__(self, members: Json, idempotency_key: str | None = None) -> None:
        super().__init__(members, idempotency_key)
        self.charge: Amount = members["charge"]
        self.not_stored: list[int] = members.get("notStored", [])


class ReplyLost(ConnectionError):
    """No reply came, so it is not known whether the request was carried out.

    A question that is asked again with this ``idempotency_key`` is debited once in all.
    """

    def __init__(self, request: str, idempotency_key: str | None = None) -> None:
        super().__init__(f"no reply to {request}")
        self.idempotency_key = idempotency_key


def _typed(members: Json) -> Any:
    """Amounts, intervals and accuracies of a reply as objects of their classes; any other object unchanged."""
    names = set(members)
    if names in ({"epsilon", "delta"}, {"epsilon", "delta", "rho"}):
        return Amount(**{name: Decimal(amount) for name, amount in members.items()})
    if names == {"low", "high"}:
        return Interval(**members)
    if names | {"each"} == set(Accuracy._fields):
        return Accuracy(**members)
    return members


# --- Questions ---


_OPPOSITES = {"in": "notIn", "above": "atMost", "below": "atLeast"}
_OPPOSITES |= {opposite: name for name, opposite in _OPPOSITES.items()}
_ENDS = {
    "both": ("atLeast", "atMost"),
    "left": ("atLeast", "below"),
    "right": ("above", "atMost"),
    "neither": ("above", "below"),
}


class _Written:
    """Refuses to be read as true or false, because Python would then drop a part of the filter."""

    __array_ufunc__ = None  # A number of numpy then leaves a comparison to this class.

    def __bool__(self) -> bool:
        raise TypeError(
            "a filter is neither true nor false. Write a & b for `a and b`, ~a for `not a`, and"
            ' column("age").between(30, 50, inclusive="left") for `30 <= column("age") < 50`'
        )


@dataclass(frozen=True)
class Condition(_Written):
    """Conditions on columns that all have to hold. ``a & b`` joins two, ``~a`` is the opposite of one."""

    members: tuple[Json, ...]
    #: The declaration of the column of a single condition, if it is known.
    declared: Json = field(default_factory=dict, compare=False, repr=False)

    def __and__(self, other: Condition) -> Condition:
        return Condition(self.members + other.members) if isinstance(other, Condition) else NotImplemented

    def __invert__(self) -> Condition:
        if len(self.members) > 1:
            raise self._without_a_form()
        name, *parts = self.members[0].items()
        if len(parts) > 1:
            parts = [(part, value) for part, value in parts if not self._holds_for_all(part, value)]
        if len(parts) != 1:
            raise self._without_a_form()
        ((part, value),) = parts
        return Condition((dict([name, (_OPPOSITES[part], value)]),), self.declared)

    def _holds_for_all(self, part: str, value: Any) -> bool:
        """Whether all values within the declared bounds are on this side of an end."""
        lower, upper, end = (_place(each) for each in (self.declared.get("lower"), self.declared.get("upper"), value))
        if self.declared.get("type") not in ("integer", "decimal", "date") or type(lower) is not type(end):
            return False
        holds = {"atLeast": end <= lower, "above": end < lower, "atMost": end >= upper, "below": end > upper}
        return bool(holds[part])

    def __or__(self, other: object) -> Condition:
        raise self._without_a_form()

    __ror__ = __or__

    @staticmethod
    def _without_a_form() -> TypeError:
        return TypeError(
            "the service has no filter for `or`, nor for what means the same, such as != of a number and ~ of several"
            " conditions. Use isin([...]) for categories, or ask a question for each part; each of them is charged"
        )


class column(_Written):
    """A column in a condition, as in pandas: ``column("age") >= 30``, ``column("sex") == "Female"``.

    In a table of groups ``bins`` and ``step`` make a key of numbers, dates or times, and ``clamp`` clamps values.
    Text and truth values in ``==`` and ``!=`` are categories. A date there is a ``date``, a time a ``datetime``. Join
    conditions by ``&``, each in parentheses: ``(column("age") >= 65) & (column("sex") != "Male")``.
    """

    def __init__(self, name: str, declared: Json | None = None) -> None:
        self._name = name
        self._declared = declared or {}

    def __repr__(self) -> str:
        return f"<column {self._name}>"

    def between(self, low: Value, high: Value, inclusive: str = "both") -> Condition:
        """Values from ``low`` to ``high``. ``inclusive`` says which ends belong: both, left, right or neither."""
        if inclusive not in _ENDS:
            raise ValueError(f"inclusive must be one of {', '.join(_ENDS)}, was {inclusive!r}")
        first, last = _ENDS[inclusive]
        return self._condition(**{first: _ordered(low), last: _ordered(high)})

    def isin(self, *values: Any) -> Condition:
        """One of these categories or truth values: ``isin(["north", "south"])`` or ``isin("north", "south")``.

        It also takes one number, and for ``dataset["age"]``, whose grid is known, numbers that follow each other on the
        grid.
        """
        one = len(values) == 1 and isinstance(values[0], Iterable) and not isinstance(values[0], str)
        named = list(values[0] if one else values)
        if named and all(_is_number(each) for each in named):
            return self._isin_numbers(sorted(set(named)))
        if not named or not all(isinstance(each, (str, bool)) for each in named):
            raise TypeError(f"isin takes categories, at least one, as text or truth values, was {named!r}")
        return self._condition(**{"in": [str(each).lower() if isinstance(each, bool) else each for each in named]})

    def _isin_numbers(self, numbers: list[Any]) -> Condition:
        places = [_place(each) for each in numbers]
        step = _place(self._declared.get("resolution"))
        if any(high - low != step for low, high in zip(places, places[1:])):
            raise TypeError(
                "the service has no filter for `or`: isin takes several numbers only if they follow each other on the"
                ' declared grid of a column, such as dataset["age"].isin([30, 31]). Use between, or ask a question for'
                " each part; each of them is charged"
            )
        return self.between(numbers[0], numbers[-1])

    def bins(self, *edges: Value | Iterable[Value]) -> Json:
        """A key with a group between each edge and the next, which is excluded: ``bins(0, 30, 50)`` or ``bins([...])``.

        Values outside all edges are in no group.
        """
        one = len(edges) == 1 and not isinstance(edges[0], str)
        return {"column": self._name, "edges": list(edges[0] if one else edges)}  # type: ignore[arg-type]

    def step(self, distance: Value) -> Json:
        """A key with edges at this distance over the whole column. For dates it is in days, for times in seconds."""
        return {"column": self._name, "step": distance}

    def clamp(self, lower: Value | None = None, upper: Value | None = None) -> Json:
        """Values clamped to [lower, upper], for an aggregate of a table of groups."""
        return _fields(column=self._name, lower=lower, upper=upper)

    def __eq__(self, value: Value | bool) -> Condition:  # type: ignore[override]
        return self.isin(value) if isinstance(value, (str, bool)) else self.between(value, value)

    def __ne__(self, value: Value | bool) -> Condition:  # type: ignore[override]
        return ~(self == value)

    def __gt__(self, end: Value) -> Condition:
        return self._condition(above=_ordered(end))

    def __ge__(self, end: Value) -> Condition:
        return self._condition(atLeast=_ordered(end))

    def __lt__(self, end: Value) -> Condition:
        return self._condition(below=_ordered(end))

    def __le__(self, end: Value) -> Condition:
        return self._condition(atMost=_ordered(end))

    def _condition(self, **parts: Any) -> Condition:
        return Condition(({"column": self._name, **parts},), self._declared)


Where = Union[Condition, Mapping[str, Any], Sequence[Union[Condition, Mapping[str, Any]]], None]
"""A condition, or a list of conditions that all have to hold. A mapping is a condition as the API writes it."""


def ranges_between(edges: Sequence[Value]) -> list[Json]:
    """The ranges from each edge up to, and without, the next."""
    return [{"atLeast": low, "below": high} for low, high in zip(edges, edges[1:])]


def count_of(where: Where = None, *, of: str | None = None) -> Json:
    """The number of rows, or with of="units" of privacy units, for a threshold question or a session."""
    return {"count": _fields(where=where, of=of)}


def sum_of(column: str, *, lower: Value | None = None, upper: Value | None = None, where: Where = None) -> Json:
    """The sum of a column, each value clamped to [lower, upper], for a threshold question or a session."""
    return {"sum": _fields(column=column, lower=lower, upper=upper, where=where)}


def clip_loss_of(column: str, *, bound: Value, step: Value, where: Where = None) -> Json:
    """What a sum gains if its values are clipped at bound + step instead of bound; for a threshold or a session."""
    return {"clipLoss": _fields(column=column, bound=bound, step=step, where=where)}


class Options(TypedDict, total=False):
    """The options of questions, besides their own parameters. The service refuses an option that does not fit a kind.

    - ``epsilon``: the privacy loss, exact: "0.5" or 0.5. ``delta``: only under the accountant ``approximate``.
    - ``beta``: the probability with which accuracy and intervals may fail; 0.05 if it is not sent.
    - ``where``: a condition, such as ``(column("age") >= 30) & (column("sex") == "Female")``, or a list of conditions
      that all have to hold. None and [] mean every row.
    - ``lower``, ``upper``: values are clamped to them; the column's bounds if they are not sent.
    - ``method`` of a mean: "two-sided", "sum-and-count", "centered", "auto-clip" or "known-count"; ``protocol`` of a
      local mean;
      ``release`` ("indices", "gaps" or "values"), ``allocation`` and ``variant`` of a sparse range; ``when_none`` of a
      threshold question. The first one named is the default of the service.
    - ``reuse``, ``reuse_max_age_seconds``: a stored answer to the same question will do, and costs nothing.
    - ``spend``: False permits no charge. A stored answer is given, or ``NothingStored`` is raised.
    - ``idempotency_key``: 1 to 255 visible characters. The same question with the same key is debited once, also from
      another process. Without it, every call makes a key of its own.
    - ``target_alpha``, in quotes only: in place of ``epsilon``. Finds the least epsilon with this accuracy.
    - ``assumed_rows``, in quotes of means only: how many rows to assume; the dataset's ``maxRows`` if it is not sent.
    """

    epsilon: Exact
    delta: Exact
    beta: float
    where: Where
    lower: Value
    upper: Value
    method: str
    protocol: str
    release: str
    allocation: str
    variant: str
    when_none: str
    reuse: bool
    reuse_max_age_seconds: int
    spend: bool
    idempotency_key: str
    target_alpha: Value
    assumed_rows: int


Named = Union[str, column, Mapping[str, Any]]
"""A column by its name, or as ``column`` makes it. A mapping is what the API writes."""


class TableOptions(Options, total=False):
    """The options of a table of groups: the ``Options``, and its aggregates.

    - ``count``: True counts the rows of each group, and ``{"of": "units"}`` the privacy units with a row in it.
    - ``sum``, ``mean``, ``variance``, ``standard_deviation``: a column or a list of columns, each as a name or clamped:
      ``mean=["age", column("hours-per-week").clamp(0, 80)]``. Variances and deviations are of all rows of the group.
    - ``share``: a condition on one column, or a list of such conditions: ``share=column("hours-per-week") > 50``.

    ``column("age").clamp(0, 90) | {"name": "years", "weight": 3}`` also names an aggregate in the answer, and says how
    much of epsilon it gets, relative to the others. A count takes both members as in ``count={"weight": 3}``.
    """

    count: bool | Mapping[str, Any]
    sum: Named | Sequence[Named]
    mean: Named | Sequence[Named]
    variance: Named | Sequence[Named]
    standard_deviation: Named | Sequence[Named]
    share: Condition | Sequence[Condition]


_AGGREGATES = ("count", "sum", "mean", "variance", "standard_deviation", "share")


class SynopsisOptions(Options, total=False):
    """The options of buying a synopsis: the ``Options``, and its tables.

    - ``marginals``: 1, 2 or 3. Buys all tables of at most this many of the columns, instead of one table of them all.
    - ``measure``: a column whose values are added up in each cell, instead of counting its rows.
    """

    marginals: int
    measure: str


class FreeOptions(TypedDict, total=False):
    """The options of questions about a synopsis.

    - ``beta``: the probability with which a number may be outside its interval; 0.05 if it is not sent.
    - ``simultaneous``: True makes the intervals so wide that all intervals of a request hold together. Otherwise each
      holds by itself.
    - ``non_negative``: True states counts and sums below zero as zero. This overstates empty cells, and sums of many
      cells.
    """

    beta: float
    simultaneous: bool
    non_negative: bool


@dataclass(frozen=True)
class Question:
    """A question that is not asked yet, for plans. ``purser.question`` makes them."""

    kind: str
    request: Json
    idempotency_key: str | None = None
    one_value: bool = False

    def at(self, epsilon: Exact) -> Question:
        """The same question at this epsilon, without the options that only a quote takes."""
        asked = {name: value for name, value in self.request.items() if name not in ("targetAlpha", "assumedRows")}
        return replace(self, request={**asked, **_fields(epsilon=epsilon)})


class Questions(Generic[R]):
    """The kinds of questions. A ``Dataset`` asks them, its ``quote`` quotes them, ``purser.question`` keeps them.

    All take the ``Options``, and raise ``Problem``, with ``BudgetExhausted`` among them, and ``ReplyLost``.
    """

    def __init__(self, take: Callable[[Question], R]) -> None:
        self._take = take

    def _make(self, kind: str, idempotency_key: str | None = None, one_value: bool = False, **fields: Any) -> R:
        return self._take(Question(kind, _fields(**fields), idempotency_key, one_value))

    def count(self, *, of: str | None = None, **options: Unpack[Options]) -> R:
        """How many rows are there? With of="units": how many privacy units have a row that passes ``where``?"""
        return self._make("count", of=of, **options)

    def sum(self, column: str, **options: Unpack[Options]) -> R:
        """What is the sum of a column, each value clamped to [lower, upper]?"""
        return self._make("sum", column=column, **options)

    def mean(self, column: str, **options: Unpack[Options]) -> R:
        """What is the mean of a column, each value clamped to [lower, upper]?"""
        return self._make("mean", column=column, **options)

    def local_mean(self, column: str, **options: Unpack[Options]) -> R:
        """What is the mean of a column, each row randomized by itself as a device would?"""
        return self._make("local-mean", column=column, **options)

    def histogram(self, column: str, edges: Sequence[Value] | None = None, **options: Unpack[Options]) -> R:
        """How many rows are in each bin? All bins are one charge.

        Bins are between consecutive edges, the upper one excluded. A column of categories has a bin for each instead.
        """
        return self._make("histogram", column=column, edges=None if edges is None else list(edges), **options)

    def aggregate(self, by: Named | Sequence[Named] = (), **options: Unpack[TableOptions]) -> R:
        """What are the counts, sums, means, variances and shares of all groups? The whole table is one charge.

        ``by``: up to four keys. A column of categories has a group for each category. ``column("age").bins(0, 30, 50)``
        or ``column("age").step(10)`` make groups of numbers, dates and times. Without keys, all rows are one group.
        Groups without rows are listed, too. Aggregates have the order in which they are written. ``target_alpha`` is
        for the first aggregate, and ``assumed_rows`` for each group.
        """
        others: Json = {**options}
        aggregates = [
            _aggregate(name, each) for name in options if name in _AGGREGATES for each in _listed(others.pop(name))
        ]
        keys = [_named(key) for key in _listed(by)]
        return self._make("aggregate", group_by=keys or None, aggregates=aggregates, **others)

    def quantile(
        self, column: str, probabilities: Probabilities, by: Named | Sequence[Named] = (), **options: Unpack[Options]
    ) -> R:
        """Below which values are these shares of the rows? Epsilon is split equally between the probabilities.

        If one probability is given that is no list, the value is one number: ``quantile("age", 0.9)``. ``by``: keys as
        in ``aggregate``. Every group is answered, for one charge, and ``rows`` has the quantiles of all groups.
        """
        asked, one_value = _listed_probabilities(probabilities)
        keys = [_named(key) for key in _listed(by)]
        return self._make(
            "quantile", column=column, probabilities=asked, one_value=one_value, group_by=keys or None, **options
        )

    def median(self, column: str, **options: Unpack[Options]) -> R:
        """Which value is in the middle? It is the quantile 0.5, with one number as its value."""
        return self.quantile(column, 0.5, **options)

    def threshold(self, queries: Sequence[Json], threshold: Value, **options: Unpack[Options]) -> R:
        """Which is the first of these statistics above the threshold? ``count_of`` and ``sum_of`` make statistics."""
        return self._make("threshold", queries=queries, threshold=threshold, **options)

    def sparse_range(
        self, column: str, ranges: Sequence[Json], threshold: int, max_positives: int, **options: Unpack[Options]
    ) -> R:
        """Which ranges hold more rows than the threshold, at most ``max_positives``? ``ranges_between`` makes some."""
        asked = {"column": column, "ranges": ranges, "threshold": threshold, "max_positives": max_positives}
        return self._make("sparse-range", **asked, **options)

    def _synopsis(self, columns: Named | Sequence[Named], **options: Unpack[SynopsisOptions]) -> R:
        others: Json = {**options}
        measure = others.pop("measure", None)
        if isinstance(measure, str):
            measure = {"sum": measure}
        return self._make("synopsis", columns=[_named(each) for each in _listed(columns)], measure=measure, **others)


question: Questions[Question] = Questions(lambda made: made)
"""Makes questions for a plan: ``purser.question.mean("age", epsilon="0.5")``."""


class Quotes(Questions["Quote"]):
    """Quotes the charge and the accuracy of questions and synopses. Spends nothing."""

    def synopsis(self, columns: Named | Sequence[Named], **options: Unpack[SynopsisOptions]) -> Quote:
        """What would a synopsis be charged? Its accuracy is for the worst range, or cell, that it is bought for."""
        return self._synopsis(columns, **options)


@dataclass(frozen=True)
class FreeQuestion:
    """A question about a synopsis that is not asked yet. ``purser.free`` makes them for ``Synopsis.answers``."""

    kind: str
    request: Json
    options: Json
    one_value: bool = False


class FreeQuestions(Generic[R]):
    """The free questions about a synopsis. A ``Synopsis`` answers at once, ``purser.free`` keeps questions.

    All take the ``FreeOptions``, and raise ``Problem``. Conditions and edges have to lie between cells: a refusal names
    the nearest. Where a cell has several values, each of them is taken as its middle.
    """

    def __init__(self, take: Callable[[FreeQuestion], R]) -> None:
        self._take = take

    def _make(self, kind: str, options: FreeOptions, one_value: bool = False, **fields: Any) -> R:
        return self._take(FreeQuestion(kind, _fields(**fields), _fields(**options), one_value))

    def count(self, where: Where = None, **options: Unpack[FreeOptions]) -> R:
        """How many rows are there?"""
        return self._make("count", options, where=where)

    def sum(self, column: str | None = None, where: Where = None, **options: Unpack[FreeOptions]) -> R:
        """What is the sum of a column? A synopsis with a measure has its sums, and no column is named."""
        return self._make("sum", options, column=column, where=where)

    def mean(self, column: str, where: Where = None, **options: Unpack[FreeOptions]) -> R:
        """What is the mean of a column?"""
        return self._make("mean", options, column=column, where=where)

    def variance(self, column: str, **options: Unpack[FreeOptions]) -> R:
        """What is the variance of a column, over all rows?"""
        return self._make("variance", options, column=column)

    def histogram(self, column: str, edges: Sequence[Value] | None = None, **options: Unpack[FreeOptions]) -> R:
        """How many rows are between each edge and the next, which is excluded? Without edges, every cell is a bin."""
        return self._make("histogram", options, column=column, edges=None if edges is None else list(edges))

    def cumulative(self, column: str, **options: Unpack[FreeOptions]) -> R:
        """How many rows are below the upper end of each cell?"""
        return self._make("cumulative", options, column=column)

    def quantile(self, column: str, probabilities: Probabilities, **options: Unpack[FreeOptions]) -> R:
        """Below which values are these shares of the rows? For one share that is no list, the value is one number."""
        asked, one_value = _listed_probabilities(probabilities)
        return self._make("quantile", options, one_value=one_value, column=column, probabilities=asked)

    def median(self, column: str, **options: Unpack[FreeOptions]) -> R:
        """Which value is in the middle? It is the quantile 0.5, with one number as its value."""
        return self.quantile(column, 0.5, **options)

    def correlation(self, one: str, other: str, **options: Unpack[FreeOptions]) -> R:
        """How do two columns of numbers depend on each other, from -1 to 1?"""
        return self._make("correlation", options, columns=[one, other])

    def table(self, *columns: str, **options: Unpack[FreeOptions]) -> R:
        """What is in all cells of these columns?"""
        return self._make("table", options, columns=list(columns))


free: FreeQuestions[FreeQuestion] = FreeQuestions(lambda made: made)
"""Makes questions for ``Synopsis.answers``: ``purser.free.median("age")``."""


# --- Answers ---

_SCALARS = {"count": "count", "sum": "sum", "mean": "mean", "local-mean": "mean", "threshold": "index"}
_SCALARS |= {"synopsis": "synopsisId", "refinement": "synopsisId"}
_TABLES = {"histogram": ("bins", "count"), "quantile": ("quantiles", "value"), "sparse-range": ("positives", "index")}


class _Shown:
    """An object that a notebook shows as a table with a note, and pandas as a frame."""

    def _rows(self) -> list[Json]:
        raise NotImplementedError

    def _note(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{self._note()}>"

    def __str__(self) -> str:
        """A table as its rows; any other answer in one line."""
        rows = self._rows()
        return _table(rows, self._note()) if len(rows) > 1 else repr(self)

    def _repr_html_(self) -> str:
        return _html(self._rows(), self._note())

    def to_pandas(self) -> Any:
        """The rows as a ``pandas.DataFrame``. Raises ImportError without pandas."""
        return to_pandas(self._rows())


class Answer(_Shown):
    """An answer, as the service stores it. A notebook shows it with its interval and the remaining budget.

    - ``value``: the number; an index or None for a threshold question. For tables, a list: counts of a histogram,
      values of quantiles, indices of ranges, or the aggregates of each group by name. A median is a number; read again
      by its id, it is a list of one quantile. For the purchase of a synopsis, the id of the synopsis.
    - ``interval``: contains the exact value with probability 1 - beta. A list for tables; None where none is stated.
    - ``rows``: the lines of a table, otherwise the answer as one line. Lines of groups have a category or a ``Bin`` for
      each key, and an ``Estimate`` for each aggregate.
    - ``charge`` and ``remaining``: what was debited for it, and what remained for the caller at that moment.
    - ``epsilon``: what the answer and the answers that it refines cost together; None under rho, and for a synopsis.
    - ``refines``: the id of the answer that this answer refines, or None.
    - ``json``: the whole answer as it was sent, and ``body``, its bytes, over which a receipt is signed.
    """

    rows: list[Json]
    value: Any
    interval: Any

    def __init__(self, body: bytes, one_value: bool = False, purser: Purser | None = None) -> None:
        self.body = body
        self._purser = purser
        self._one_value = one_value
        read = _read(body)
        self.kind: str = read["kind"]
        self.query_id: str = read["queryId"]
        self.dataset_id: str = read["datasetId"]
        self.charge: Amount = read["charge"]
        self.remaining: Amount = read["remaining"]
        self.accuracy: Accuracy = read["accuracy"]
        self.reused_from: str | None = read.get("reusedFrom")
        self._asked: str | None = read.get("question", {}).get("epsilon")
        self.refines: str | None = read.get("refines")
        self.epsilon = Decimal(self._asked) if self._asked and not self.charge.rho else None
        answer = read["answer"]
        if self.kind == "aggregate":
            self.rows = _groups(answer)
            self.value = [{name: row[name].value for name in answer["aggregates"]} for row in self.rows]
            self.interval = [{name: row[name].interval for name in answer["aggregates"]} for row in self.rows]
        elif self.kind in _TABLES:
            table, column = _TABLES[self.kind]
            self.rows = _quantiles(answer) if "groups" in answer else answer[table]
            self.value = [row[column] for row in self.rows]
            self.interval = [row.get("interval") for row in self.rows]
            if one_value and "groups" not in answer:
                (self.value,), (self.interval,) = self.value, self.interval
        else:
            self.rows = [{name: member for name, member in answer.items() if name not in ("strategy", "digest")}]
            self.value = answer.get(_SCALARS.get(self.kind))
            self.interval = answer.get("interval")

    @property
    def json(self) -> Json:
        read: Json = json.loads(self.body)
        return read

    def __repr__(self) -> str:
        value = f"of {len(self.rows)} groups" if self.kind == "aggregate" else _in(self.value, self.interval)
        return f"<{self.kind} {value}. {self._charged()}>"

    def _charged(self) -> str:
        """What was charged and what remained, in one unit. If the unit is rho, also the epsilon of the request."""
        asked = f" for the epsilon {self._asked} that was asked" if self.charge.rho and self._asked else ""
        charged, remaining = self.charge.beside(self.remaining), self.remaining.beside(self.charge)
        return f"Charged {charged}{asked}; remaining {remaining}"

    def _rows(self) -> list[Json]:
        return self.rows

    def _note(self) -> str:
        together = f" It and what it refines cost {self.epsilon} together." if self.refines else ""
        return f"{self.kind} of {self.dataset_id}. {self._charged()}.{together} {self.accuracy.statement}"

    def refine(
        self,
        epsilon: Exact | None = None,
        *,
        within: Exact | None = None,
        beta: Exact | None = None,
        idempotency_key: str | None = None,
    ) -> Answer:
        """The same question, answered as if asked once at the sum of the epsilons. Only the difference is charged.

        ``epsilon`` is charged in addition; or ``within`` finds the least epsilon whose ``accuracy.alpha`` is at most
        this. Only the newest answer of a chain can be refined. Raises ``Problem``: "already-refined" with the newest
        answer, "not-refinable" with the reason, ``BudgetExhausted``.
        """
        if (epsilon is None) == (within is None):
            raise ValueError("exactly one of epsilon and within is needed")
        if self._purser is None:
            raise ValueError("this answer was not read from a service: read it with purser.answer(query_id)")
        if epsilon is None:
            wanted = _fields(queryId=self.query_id, targetAlpha=within)
            path = f"/v1/datasets/{_part(self.dataset_id)}/quotes/refinement"
            epsilon = self._purser.call("POST", path, wanted)["epsilon"]
        key = idempotency_key or secrets.token_urlsafe()
        path = f"/v1/queries/{_part(self.query_id)}/refinements"
        reply = self._purser._send("POST", path, _json(_fields(epsilon=epsilon, beta=beta)), idempotency_key=key)
        return Answer(reply.body, self._one_value, self._purser)

    def plot(self, ax: Any = None, aggregate: str | None = None) -> Any:
        """Draws a histogram, quantiles, a sparse range or groups with their intervals, and returns the axes.

        For a table of groups it draws one ``aggregate``, the first if none is named. If there are several keys, colours
        show the key with the fewest groups, if there is room for a legend.

        Raises ImportError without matplotlib, and TypeError for an answer of another kind.
        """
        if self.kind not in _TABLES and self.kind != "aggregate":
            raise TypeError(f"there is no plot of the kind {self.kind}")
        ax = ax or _axes(len(self.rows))
        if self.kind == "aggregate":
            _draw_groups(ax, self.json["answer"]["keys"], aggregate or next(iter(self.value[0])), self.rows)
        elif self.kind == "histogram":
            _draw_bins(ax, self.json["question"]["column"], self.rows)
        elif self.kind == "quantile":
            _draw_quantiles(ax, self.json["question"]["column"], self.rows)
        else:
            _draw_ranges(ax, self.json["question"], self.rows, self.json["answer"]["examined"])
        ax.set_title(f"charged {self.charge}", fontsize="small", loc="left", pad=20 if ax.get_legend() else None)
        return ax


class FreeAnswer(_Shown):
    """The answer of a synopsis, free of charge.

    - ``value``: the number. For tables, a list: counts of bins, counts or sums of cells, values of quantiles. A median
      is a number.
    - ``interval``: contains the exact value in the way that ``statement`` says. A list for tables.
    - ``rows``: the lines of a table, otherwise the answer as one line. Lines of a ``table`` have a category or a
      ``Bin`` for each column, and an ``Estimate``. Lines of ``cumulative`` have the number of rows below ``below``.
    """

    rows: list[Json]
    value: Any
    interval: Any

    def __init__(self, asked: FreeQuestion, read: Json, number: str, statement: str) -> None:
        self.question = asked
        self.kind = asked.kind
        self.statement = statement
        if self.kind == "table":
            self.rows = _cells(asked.request["columns"], number, read["cells"])
            self.value = [row[number].value for row in self.rows]
            self.interval = [row[number].interval for row in self.rows]
        elif (several := read["bins"] or read["quantiles"]) is not None:
            self.rows = [_bin(self.kind, row) for row in several]
            self.value = [row["value" if self.kind == "quantile" else "count"] for row in self.rows]
            self.interval = [row["interval"] for row in self.rows]
            if asked.one_value:
                (self.value,), (self.interval,) = self.value, self.interval
        else:
            self.value, self.interval = read["value"], read["interval"]
            self.rows = [{self.kind: self.value, "interval": self.interval}]

    def __repr__(self) -> str:
        value = f"of {len(self.rows)} cells" if self.kind == "table" else _in(self.value, self.interval)
        return f"<{self.kind} {value}. Free of charge>"

    def _rows(self) -> list[Json]:
        return self.rows

    def _note(self) -> str:
        return f"{self.kind} of a synopsis, free of charge. {self.statement}"

    def plot(self, ax: Any = None) -> Any:
        """Draws a histogram, a cumulative distribution, quantiles or a table, and returns the axes.

        A table of two columns makes two heat maps: its numbers, and beside them the error of each number: half of its
        interval, as a share of the number. The axes of both are given and returned as a pair. Other tables are bars.

        Raises ImportError without matplotlib, and TypeError for an answer of another kind.
        """
        if self.kind not in ("histogram", "cumulative", "quantile", "table"):
            raise TypeError(f"there is no plot of the kind {self.kind}")
        if self.kind == "table":
            return _draw_table(ax, self.rows)
        ax = ax or _axes(len(self.rows) if "category" in self.rows[0] else 1)
        draw = {"histogram": _draw_bins, "cumulative": _draw_cumulative, "quantile": _draw_quantiles}[self.kind]
        draw(ax, self.question.request["column"], self.rows)
        return ax


class Planned(Answer):
    """A question of a plan that becomes its answer when the plan is bought. Until then it has only ``question``."""

    def __init__(self, asked: Question) -> None:
        self.question = asked

    def __getattr__(self, name: str) -> Any:
        when = "" if "body" in vars(self) else " before the plan is bought, which is when its block ends"
        raise AttributeError(f"there is no {name}{when}")

    def __repr__(self) -> str:
        return super().__repr__() if "body" in vars(self) else f"<{self.question.kind} that is not bought yet>"

    def __str__(self) -> str:
        return super().__str__() if "body" in vars(self) else repr(self)

    def _repr_html_(self) -> str:
        return super()._repr_html_() if "body" in vars(self) else html.escape(repr(self))


class Quote(_Shown):
    """What a question would be charged, and its accuracy. ``dataset.ask(quote.question)`` asks it.

    ``free_from`` has the ``synopsisId`` of a synopsis that answers it for nothing, and the ``alpha`` of its answer, or
    None where alpha depends on the noisy numbers. ``refines`` has the ``queryId`` of an answer that can be made as
    precise for the difference, with its ``epsilon``, the missing ``charge`` and the ``alpha``.
    """

    def __init__(self, asked: Question, read: Json) -> None:
        self.epsilon = Decimal(read["epsilon"])
        self.question = asked.at(self.epsilon)
        self.kind: str = read["kind"]
        self.charge: Amount = read["charge"]
        self.affordable: bool = read["affordable"]
        self.accuracy: Accuracy = read["accuracy"]
        self.free_from: Json | None = read.get("freeFrom")
        self.refines: Json | None = read.get("refines")

    def _rows(self) -> list[Json]:
        column = self.question.request.get("column", "")
        fit = {"charge": self.charge, "affordable": self.affordable}
        return [{"kind": self.kind, "column": column, **fit, "alpha": self.accuracy.alpha, "unit": self.accuracy.unit}]

    def _note(self) -> str:
        asked = f" for epsilon {self.epsilon:f}" if self.charge.rho else ""
        return f"The quote for {self.kind}: {self.charge}{asked}. {self.accuracy.statement}"


class Plan(_Shown):
    """What a list of questions would be charged together. ``dataset.buy(plan.questions)`` asks all at once.

    ``cheaper`` is a synopsis that would answer them as precisely for less, with its ``request`` and ``charge``:
    ``dataset.synopsis(**plan.cheaper["request"])`` buys it.
    """

    def __init__(self, asked: Sequence[Question], read: Json) -> None:
        self.charge: Amount = read["charge"]
        self.affordable: bool = read["affordable"]
        self.times_affordable: int = read["timesAffordable"]
        self.cheaper: Json | None = read.get("cheaper")
        self.items = [Quote(each, item) for each, item in zip(asked, read["items"])]
        self.questions = [item.question for item in self.items]

    def _rows(self) -> list[Json]:
        return [row for item in self.items for row in item._rows()]

    def _note(self) -> str:
        fit = f"fits {self.times_affordable} times into what remains"
        return f"A plan of {len(self.items)} questions: {self.charge}; {fit}"


@dataclass(frozen=True, repr=False)
class Budget(_Shown):
    """What is spent of a dataset's limit, what remains, and the allotments of analysts within the limit."""

    accountant: str
    limit: Amount
    spent: Amount
    remaining: Amount
    #: Which limit leaves no more than ``remaining``: ``"dataset"``, or ``"analyst"`` for the own allotment.
    remaining_in: str
    allotments: list[Json]

    def _rows(self) -> list[Json]:
        whole = {"account": "dataset", "limit": self.limit, "spent": self.spent, "remaining": self.remaining}
        return [whole, *({"account": each.pop("analyst"), **each} for each in map(dict, self.allotments))]

    def _note(self) -> str:
        whole = "" if self.limit.rho is None else f" ({self.limit._replace(rho=None)})"
        spent, remaining = self.spent.beside(self.limit), self.remaining.beside(self.limit)
        own = " of the own allotment" if self.remaining_in == "analyst" else ""
        return f"Spent {spent} of {self.limit}{whole}; remaining {remaining}{own}"

    def plot(self, ax: Any = None) -> Any:
        """Draws what is spent and remains, and returns the axes. Raises ImportError without matplotlib."""
        rows = self._rows()
        return _draw_budgets(ax, "account", [row["account"] for row in rows], rows)


class Description(_Shown):
    """The declared columns of a dataset, a row for each. Nothing in it was read from the rows of the dataset."""

    def __init__(self, dataset_id: str, columns: list[Json]) -> None:
        self.dataset_id = dataset_id
        self.columns = columns

    def _rows(self) -> list[Json]:
        names = dict.fromkeys(name for each in self.columns for name, value in each.items() if value is not None)
        return [{name: each.get(name) for name in names} for each in self.columns]

    def _note(self) -> str:
        return f"The {len(self.columns)} columns of {self.dataset_id}, as they are declared. Nothing was charged"


class BlockBudgets(_Shown):
    """What is spent and remains of each block of a dataset, in ``runs`` of equal blocks."""

    def __init__(self, runs: list[Json]) -> None:
        self.runs = runs

    def _rows(self) -> list[Json]:
        return self.runs

    def _note(self) -> str:
        return f"The budgets of blocks in {len(self.runs)} runs"

    def plot(self, ax: Any = None) -> Any:
        """Draws what is spent and remains of each run, and returns the axes.

        Raises ImportError without matplotlib.
        """
        return _draw_budgets(ax, "blocks", [f"{run['from']} to {run['to']}" for run in self.runs], self.runs)


# --- The service ---


Body = Union[bytes, Callable[[], Iterator[bytes]], None]


class _Reply(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


def connect(url: str, key: str, *, timeout_seconds: float = 60, attempts: int = 10) -> Purser:
    """A client of the service at this address, with a bearer key. Nothing is sent yet.

    A request is sent at most ``attempts`` times. Each attempt ends after ``timeout_seconds`` of silence.
    """
    return Purser(url, key, timeout_seconds, attempts)


class Purser:
    """A service. Threads may share it: every request has a connection of its own."""

    def __init__(self, url: str, key: str, timeout_seconds: float, attempts: int) -> None:
        address = urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"url must be http://... or https://..., was {url!r}")
        self._host, self._port, self._base = address.hostname, address.port, address.path.rstrip("/")
        secure = address.scheme == "https"
        self._connection = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._key, self._timeout_seconds, self._attempts = key.strip(), timeout_seconds, attempts

    def __repr__(self) -> str:
        return f"<purser at {self._host}:{self._port}>"

    def dataset(self, dataset_id: str) -> Dataset:
        """The dataset of this id. Nothing is sent yet."""
        return Dataset(self, dataset_id)

    def datasets(self) -> Iterator[Json]:
        """The datasets that this key sees, by id."""
        return self.pages("/v1/datasets")

    def register(
        self,
        dataset_id: str,
        columns: Sequence[Json] | Proposal | None = None,
        *,
        budget: Exact | Json,
        file: str | os.PathLike[str] | None = None,
        **more: Any,
    ) -> Dataset:
        """Registers a dataset with its public columns and the limit of its budget, and uploads ``file`` if it is given.

        ``columns`` are written out, or the result of ``propose``. Without them, ``file`` proposes them. Raises
        ValueError, and sends nothing, while anything that was read off rows is not confirmed.

        ``budget``: an epsilon, or both {"epsilon": ..., "delta": ...}. ``max_rows`` is required. ``privacy_unit`` is a
        row and ``neighboring_relation`` is "add-or-remove-one" if they are not given. ``title``, ``accountant``,
        ``source``, ``declared_public``, ``declared_other_people`` and ``shares_account_with`` are optional. Raises
        ``Problem``.
        """
        limit = budget if isinstance(budget, dict) else {"epsilon": budget}
        usual = {"privacy_unit": {"type": "row"}, "neighboring_relation": "add-or-remove-one"}
        if columns is None:
            if file is None:
                raise TypeError("register takes columns, a proposal, or a file that proposes them")
            columns = propose(file)
        public = columns.confirmed() if isinstance(columns, Proposal) else columns
        body = _fields(id=dataset_id, columns=public, budget=_fields(**limit), **{**usual, **more})
        self.call("POST", "/v1/datasets", body, repeat=False)
        registered = self.dataset(dataset_id)
        if file is not None:
            registered.upload(file)
        return registered

    def answer(self, query_id: str) -> Answer:
        """A stored answer again, free of charge.

        Raises ValueError for a charge of a session: ``session`` shows what a session has found.
        """
        body = self._send("GET", f"/v1/queries/{_part(query_id)}").body
        if "sessionId" in (read := _read(body)):
            raise ValueError(f"{query_id} is a charge of a session: see session({read['sessionId']!r})")
        return Answer(body, purser=self)

    def session(self, session_id: str) -> Session:
        """A threshold session that was opened before."""
        return Session(self, self.call("GET", f"/v1/threshold-sessions/{_part(session_id)}"))

    def synopsis(self, synopsis_id: str) -> Synopsis:
        """A synopsis that was bought before, by anybody."""
        return Synopsis(self, self.call("GET", f"/v1/synopses/{_part(synopsis_id)}"))

    def create_key(self, name: str, role: str, **grants: Any) -> Json:
        """Makes a key, for administrators. Its secret, the member ``key``, is shown only now.

        ``grants``: ``datasets`` and ``collections``, lists of ids or ["*"]; ``expires_at``; ``replaces``.
        """
        created: Json = self.call("POST", "/v1/keys", _fields(name=name, role=role, **grants), repeat=False)
        return created

    def revoke_key(self, key_id: str) -> None:
        """Revokes a key at once and for good; for administrators."""
        self.call("DELETE", f"/v1/keys/{_part(key_id)}")

    def call(self, method: str, path: str, body: Any = None, *, repeat: bool = True) -> Any:
        """Any other request, such as ``call("GET", "/v1/collections/steps/estimate")``; gives the reply's JSON.

        ``repeat``: whether to send it again if the reply is lost. Requests that may be carried out only once say False.
        """
        reply = self._send(method, path, _json(body), repeat=repeat)
        return _read(reply.body) if reply.body else None

    def pages(self, path: str, **parameters: Any) -> Iterator[Json]:
        """The items of any list, such as "/v1/keys". The next page is read when it is needed."""
        while True:
            page = self.call("GET", f"{path}?{urlencode(parameters)}")
            yield from page["items"]
            if page["next"] is None:
                return
            parameters["after"] = page["next"]

    def _send(
        self,
        method: str,
        path: str,
        body: Body = None,
        *,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        repeat: bool = True,
    ) -> _Reply:
        """Sends a request until there is a reply that waiting would not change."""
        sent = {"Authorization": f"Bearer {self._key}", **(headers or {"Content-Type": "application/json"})}
        if idempotency_key is not None:
            sent["Idempotency-Key"] = idempotency_key
        for attempt in range(1, self._attempts + 1):
            last = attempt == self._attempts
            wait = 0.0
            try:
                reply = self._exchange(method, self._base + path, body, sent)
            except (OSError, http.client.HTTPException) as lost:
                if last or not repeat:
                    raise ReplyLost(f"{method} {path}", idempotency_key) from lost
            else:
                if reply.status < 300:
                    return reply
                problem = _problem(reply, idempotency_key)
                if not repeat and problem.status in _LOST_BY_A_PROXY:
                    raise ReplyLost(f"{method} {path}", idempotency_key) from problem
                retry_after = reply.headers.get("Retry-After", "")
                wait = float(retry_after) if retry_after.isdigit() else 0.0
                if last or wait > _LONGEST_WAIT_SECONDS or not _passes(problem):
                    raise problem
            time.sleep(wait + random.uniform(0.5, 1) * min(8.0, 0.1 * 2**attempt))
        raise ValueError("attempts must be at least 1")

    def _exchange(self, method: str, path: str, body: Body, headers: Mapping[str, str]) -> _Reply:
        connection = self._connection(self._host, self._port, timeout=self._timeout_seconds)
        try:
            try:
                connection.request(method, path, body() if callable(body) else body, headers)
            except (BrokenPipeError, ConnectionResetError):
                pass  # A server that refuses a body may close early. Its reply can be here.
            reply = connection.getresponse()
            return _Reply(reply.status, reply.headers, reply.read())
        finally:
            connection.close()


class Dataset(Questions[Answer]):
    """A dataset. The methods of ``Questions`` ask, and spend.

    The methods of ``quote`` quote the charge and the accuracy of a question, and spend nothing:
    ``dataset.quote.mean("age", target_alpha=1)``.
    """

    def __init__(self, purser: Purser, dataset_id: str, window: Json | None = None) -> None:
        super().__init__(self.ask)
        self.quote = Quotes(self._quote)
        self.id = dataset_id
        self._purser = purser
        self._path = f"/v1/datasets/{_part(dataset_id)}"
        self._window: Json = window or {}

    def __repr__(self) -> str:
        return f"<dataset {self.id}>"

    def blocks(
        self, first: str | int | None = None, last: str | int | None = None, *, latest: int | None = None
    ) -> Dataset:
        """The dataset's blocks from ``first`` to ``last``, or the ``latest`` ready ones, to ask about.

        ``visits.blocks("2026-03-01", "2026-03-31").mean("age", epsilon="0.1")``: each of these blocks pays the whole
        charge. ``last`` is ``first`` if it is not sent.
        """
        named = {"from": _label(first), "to": _label(last), "latest": latest}
        window = {name: each for name, each in named.items() if each is not None}
        return Dataset(self._purser, self.id, {"blocks": window})

    def budget_by_block(self, first: str | int | None = None, last: str | int | None = None) -> BlockBudgets:
        """What is spent and remains of each block, in runs of equal blocks; of all blocks if none is named."""
        return BlockBudgets(self._purser.call("GET", f"{self._path}/blocks{_query(first, last)}")["items"])

    def ask(self, question: Question) -> Answer:
        """Asks a question that was made before, such as one of a plan. Each call is a question of its own."""
        path = f"{self._path}/" + ("synopses" if question.kind == "synopsis" else f"queries/{question.kind}")
        key = question.idempotency_key or secrets.token_urlsafe()
        reply = self._purser._send("POST", path, _json(self._within(question).request), idempotency_key=key)
        return Answer(reply.body, question.one_value, self._purser)

    def _within(self, question: Question) -> Question:
        """The question about these blocks, unless the question itself names blocks."""
        return replace(question, request={**self._window, **question.request})

    def _quote(self, question: Question) -> Quote:
        asked = self._within(question)
        return Quote(asked, self._purser.call("POST", f"{self._path}/quotes/{asked.kind}", asked.request))

    def synopsis(self, columns: Named | Sequence[Named], **options: Unpack[SynopsisOptions]) -> Synopsis:
        """Buys noisy tables of some columns, which answer every further question about these columns for nothing.

        Every value or category is a cell; ``column("age").step(5)`` and ``column("age").bins(...)`` make wider cells.
        One column is bought for all ranges of its cells, two columns for all boxes. Raises as questions do.
        """
        bought = self._synopsis(columns, **options)
        read = _read(bought.body)
        return Synopsis(self._purser, {**read, **read["answer"]}, bought)

    def synopses(self, *, limit: int = 1000, order: str = "asc") -> Iterator[Synopsis]:
        """The synopses of the dataset, whoever bought them."""
        listed = self._purser.pages(f"{self._path}/synopses", limit=limit, order=order)
        return (Synopsis(self._purser, each) for each in listed)

    @overload
    def plan(self, questions: None = None, *, idempotency_key: str | None = None) -> Purchase: ...

    @overload
    def plan(self, questions: Sequence[Question]) -> Plan: ...

    def plan(
        self, questions: Sequence[Question] | None = None, *, idempotency_key: str | None = None
    ) -> Plan | Purchase:
        """Quotes these questions together, and spends nothing. Without questions, a plan that a block fills and buys.

        ``with dataset.plan() as plan:`` begins such a block. ``plan.count(...)`` adds a question, and what it returns
        is the answer after the block.
        """
        if questions is None:
            return Purchase(self, idempotency_key or secrets.token_urlsafe())
        asked = [self._within(each) for each in questions]
        return Plan(asked, self._purser.call("POST", f"{self._path}/quotes", _lines(asked)))

    def buy(self, questions: Sequence[Question], *, idempotency_key: str | None = None) -> list[Answer]:
        """Asks all these questions at once. All are debited, or none is. ``idempotency_key`` is for all together."""
        if any(each.idempotency_key for each in questions):
            raise ValueError("questions that are bought together have one idempotency_key, which buy and plan take")
        key = idempotency_key or secrets.token_urlsafe()
        asked = [self._within(each) for each in questions]
        reply = self._purser._send("POST", f"{self._path}/queries", _json(_lines(asked)), idempotency_key=key)
        return [Answer(body, each.one_value, self._purser) for body, each in zip(_items(reply.body), questions)]

    def session(
        self, *, epsilon: Exact, threshold: Value, max_positives: int, queries: str = "counts", **more: Any
    ) -> Session:
        """Opens a threshold session, in which a question may depend on earlier outcomes.

        ``more``: ``release``, ``payment``, ``sum_bound``, ``max_queries``, ``variant``, ``beta`` and
        ``idempotency_key``. Raises ``Problem`` and ``BudgetExhausted``.
        """
        key = more.pop("idempotency_key", None) or secrets.token_urlsafe()
        opened = _fields(epsilon=epsilon, threshold=threshold, max_positives=max_positives, queries=queries, **more)
        path, body = f"{self._path}/threshold-sessions", _json({**opened, **self._window})
        return Session(self._purser, _read(self._purser._send("POST", path, body, idempotency_key=key).body))

    def budget(self) -> Budget:
        """What is spent and what remains. With blocks, the most that is spent and the least that remains of any block.

        Raises ValueError for the latest blocks: an answer names them, in ``json["question"]["blocks"]``.
        """
        named = self._window.get("blocks", {})
        if "latest" in named:
            raise ValueError("name the blocks to see their budget: blocks(first, last)")
        reply = self._purser.call("GET", f"{self._path}/budget{_query(named.get('from'), named.get('to'))}")
        return Budget(**{each.name: reply[_member(each.name)] for each in fields(Budget)})

    def ledger(self, *, limit: int = 1000, order: str = "asc") -> Iterator[Json]:
        """The entries of the ledger. Pages of ``limit`` entries are read when they are needed; order is asc or desc."""
        return self._purser.pages(f"{self._path}/ledger", limit=limit, order=order)

    def questions(self, *, limit: int = 1000, order: str = "asc") -> Iterator[Json]:
        """The caller's own questions, answered or not, with their idempotency keys."""
        return self._purser.pages(f"{self._path}/queries", limit=limit, order=order)

    def answers(self, *, kind: str = "", column: str = "", limit: int = 1000, order: str = "desc") -> Iterator[Json]:
        """The stored answers, which cost nothing, newest first, whoever asked. The service's ``answer`` reads each."""
        filters = {name: value for name, value in (("kind", kind), ("column", column)) if value}
        return self._purser.pages(f"{self._path}/answers", limit=limit, order=order, **filters)

    def info(self) -> Json:
        """The public facts and the state."""
        info: Json = self._purser.call("GET", self._path)
        return info

    @property
    def columns(self) -> list[str]:
        """The names of the columns. Free of charge."""
        return [each["name"] for each in self.info()["columns"]]

    def __getitem__(self, name: str) -> column:
        """A column for a condition or a key, like ``column(name)``, that also knows its bounds. Free of charge."""
        declared = {each["name"]: each for each in self.info()["columns"]}
        if name not in declared:
            raise KeyError(f"{self.id} has no column {name!r}; its columns are {', '.join(declared)}")
        return column(name, declared[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def describe(self) -> Description:
        """The declaration of each column: its type, bounds, grid and categories. Free of charge."""
        return Description(self.id, self.info()["columns"])

    def upload(
        self,
        path: str | os.PathLike[str],
        progress: Callable[[int, int], object] | None = None,
        *,
        block: str | int | None = None,
    ) -> Json:
        """Sends the rows, a file named .csv or .parquet, and gives the service's report of what it read.

        For a dataset with blocks, the file has the rows of one ``block``.

        ``progress`` is called with the bytes sent so far and all bytes; ``progress_line`` prints them. The service
        verifies the file's SHA-256. An upload whose reply is lost raises ``ReplyLost`` and is not repeated;
        ``info()["state"]`` says whether it arrived. Raises ``Problem`` and OSError.

        Warns of a column if more than a twentieth of its values were moved into its bounds, or replaced: its
        registration may be wrong, and rows cannot be loaded again.
        """
        name = os.fspath(path)
        media_type = _MEDIA_TYPES.get(os.path.splitext(name)[1].lower())
        if media_type is None:
            raise ValueError(f"the name of the file must end in .csv or .parquet, was {name!r}")
        size = os.path.getsize(name)
        digest = hashlib.sha256()
        for chunk in _blocks(name):
            digest.update(chunk)

        def body() -> Iterator[bytes]:
            sent = 0
            for chunk in _blocks(name):
                yield chunk
                sent += len(chunk)
                if progress is not None:
                    progress(sent, size)

        sha256 = base64.b64encode(digest.digest()).decode()
        headers = {"Content-Type": media_type, "Content-Length": str(size), "Content-Digest": f"sha-256=:{sha256}:"}
        data = "data" if block is None else f"blocks/{_part(str(block))}/data"
        reply = self._purser._send("PUT", f"{self._path}/{data}", body, headers=headers, repeat=False)
        report: Json = _read(reply.body)
        for doubt in _doubts(report):
            warnings.warn(doubt, stacklevel=2)
        return report


class Purchase(Questions[Planned]):
    """Questions that are bought at once when the block of ``with dataset.plan() as plan:`` ends.

    All are debited, or none is. Nothing is bought if an exception leaves the block. ``answers`` has them in order.
    """

    def __init__(self, dataset: Dataset, idempotency_key: str) -> None:
        super().__init__(self._add)
        self.answers: list[Planned] = []
        self._dataset = dataset
        self._idempotency_key = idempotency_key
        self._price: Plan | None = None
        self._bought = False

    def __repr__(self) -> str:
        return f"<plan of {len(self.answers)} questions, {'bought' if self._bought else 'not bought yet'}>"

    def _add(self, asked: Question) -> Planned:
        if self._bought:
            raise ValueError("the plan is bought already: begin another one")
        self._price = None
        self.answers.append(Planned(asked))
        return self.answers[-1]

    @property
    def price(self) -> Plan:
        """What the questions so far would be charged. Spends nothing."""
        if self._price is None:
            self._price = self._dataset.plan([each.question for each in self.answers])
        return self._price

    def buy(self) -> None:
        """Buys the questions, as the end of the block does. After ``ReplyLost`` call this again: it pays once."""
        if self.answers:
            bought = self._dataset.buy(self.price.questions, idempotency_key=self._idempotency_key)
            for each, answer in zip(self.answers, bought):
                vars(each).update(vars(answer))
        self._bought = True

    def __enter__(self) -> Purchase:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.buy()


class Session:
    """A threshold session. Its questions cost nothing beyond its charge; at most ``positives_left`` may be above.

    ``ask`` numbers the questions. If it raises, ask the same question again: it keeps its number, and an outcome that
    was stored is returned instead of a second one. Threads must not share a session.
    """

    def __init__(self, purser: Purser, opened: Json) -> None:
        self.id: str = opened["sessionId"]
        self.state: str = opened["state"]
        self.positives_left: int = opened["positivesLeft"]
        self.next_sequence: int = opened["nextSequence"]
        self.charge: Amount = opened["charge"]
        self.accuracy: Accuracy = opened["accuracy"]
        self._purser = purser
        self._path = f"/v1/threshold-sessions/{_part(self.id)}"

    def __repr__(self) -> str:
        return f"<session {self.id}: {self.state}, {self.positives_left} positives left, charge={self.charge}>"

    def ask(self, statistic: Json) -> Outcome:
        """Is this statistic above the threshold? ``count_of``, ``sum_of`` and ``clip_loss_of`` make statistics.

        Raises ``Problem``: "session-closed" after the end, ``BudgetExhausted`` if the next instance cannot be paid.
        """
        asked = {"sequence": self.next_sequence, "query": statistic}
        step = self._purser.call("POST", f"{self._path}/queries", asked)
        self.next_sequence += 1
        self.state = step["state"]
        self.positives_left = step["positivesLeft"]
        released = (step.get(name) for name in ("value", "interval", "gap"))
        return Outcome(step["sequence"], step["outcome"] == "ABOVE", *released)

    def close(self) -> None:
        """Ends the session. Its charge stays."""
        self._purser.call("DELETE", self._path)
        self.state = "closed"


class Outcome(NamedTuple):
    """Whether a statistic was above the threshold of a session, with its value or gap if the session releases these."""

    sequence: int
    above: bool
    value: Any = None
    interval: Interval | None = None
    gap: Any = None


class Synopsis(FreeQuestions[FreeAnswer], _Shown):
    """Noisy tables that were bought once. The methods of ``FreeQuestions`` ask them, and cost nothing.

    - ``columns``: their names. ``tables`` and ``cells``: their numbers. ``question``: the request that bought them.
    - ``bought``: the answer of the purchase, with its charge; None if the synopsis was read or listed.
    """

    def __init__(self, purser: Purser, read: Json, bought: Answer | None = None) -> None:
        super().__init__(lambda asked: self._ask([asked], asked.options)[0])
        self.id: str = read["synopsisId"]
        self.dataset_id: str = read["datasetId"]
        self.question: Json = read["question"]
        self.columns: list[str] = [each["column"] for each in self.question["columns"]]
        self.tables: int = read["tables"]
        self.cells: int = read["cells"]
        self.bought = bought
        self._purser = purser
        self._path = f"/v1/synopses/{_part(self.id)}"

    def _ask(self, questions: Sequence[FreeQuestion], options: Json) -> list[FreeAnswer]:
        asked = {"questions": [{each.kind: each.request} for each in questions], **options}
        reply = self._purser.call("POST", f"{self._path}/answers", asked)
        measure = self.question.get("measure")
        number = f"sum({measure['sum']})" if measure else "count" if "count" not in self.columns else "count()"
        return [FreeAnswer(each, item, number, reply["statement"]) for each, item in zip(questions, reply["items"])]

    def answers(self, questions: Sequence[FreeQuestion], **options: Unpack[FreeOptions]) -> list[FreeAnswer]:
        """Answers up to 100,000 questions in one request. ``purser.free`` makes them."""
        if any(each.options for each in questions):
            raise ValueError("questions that are answered together have the same options, which answers takes")
        return self._ask(questions, _fields(**options))

    def refine(self, epsilon: Exact, *, idempotency_key: str | None = None) -> Answer:
        """Buys more, so that all further answers are more precise. Spends, and raises as questions do.

        For uploaded rows only. Under the accountant zcdp the tables are bought once more. Otherwise the newest purchase
        is refined for the difference, as by ``Answer.refine``. Gives the answer of this purchase, with its charge.
        """
        body = _json(_fields(epsilon=epsilon))
        key = idempotency_key or secrets.token_urlsafe()
        return Answer(self._purser._send("POST", f"{self._path}/refinements", body, idempotency_key=key).body)

    def rows(self, count: int | None = None, *, seed: int = 0) -> Any:
        """Invented rows that follow its tables, as a ``pandas.DataFrame``. Free of charge, for marginals 2 or 3.

        Without a count, their number is the estimated number of rows. ``attrs["certificate"]`` states how far each
        bought table of the invented rows may be from the table of the real rows. Raises ImportError without pandas.
        """
        asked = urlencode(_fields(count=count, seed=seed))
        reply = self._purser.call("GET", f"{self._path}/rows?{asked}")
        frame = to_pandas(dict(zip(reply["columns"], row)) for row in reply["rows"])
        frame.attrs["certificate"] = reply["certificate"]
        return frame

    def info(self) -> Json:
        """Its columns with their cells, its stated errors, and all purchases with their charges."""
        info: Json = self._purser.call("GET", self._path)
        return info

    def _rows(self) -> list[Json]:
        return [{"columns": ", ".join(self.columns), "tables": self.tables, "cells": self.cells, "id": self.id}]

    def _note(self) -> str:
        charged = f". {self.bought._charged()}" if self.bought else ""
        return f"synopsis of {', '.join(self.columns)} of {self.dataset_id}{charged}"


# --- Requests and replies ---


def _fields(**fields: Any) -> Json:
    """The members of a request: names as the API writes them, exact amounts, no member that was not given."""
    body: Json = {}
    for name, value in fields.items():
        if name == "where":
            value = _conditions(value) or None
        if value is None:
            continue
        if name in ("epsilon", "delta"):
            value = _exact(value)
        body[_member(name)] = value
    return body


def _member(name: str) -> str:
    """A name as the API writes it."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _listed(one_or_more: Any) -> list[Any]:
    """Makes a list of one column. A count is True, or False for no count."""
    if one_or_more is None or one_or_more is False:
        return []
    return [one_or_more] if isinstance(one_or_more, (str, column, Condition, Mapping, bool)) else list(one_or_more)


def _named(of: Any) -> Json:
    """A column with its options, as the API writes it."""
    if isinstance(of, Mapping):
        return dict(of)
    if isinstance(of, (str, column)):
        return {"column": of if isinstance(of, str) else of._name}
    raise TypeError(
        f'a column is meant by its name, by column("age"), or by what its bins, step or clamp makes, was {of!r}'
    )


def _aggregate(function: str, of: Any) -> Json:
    if isinstance(of, Condition):
        (measured,) = map(dict, of.members)
    else:
        measured = {} if of is True else _named(of)
    beside: Json = {name: measured.pop(name) for name in ("name", "weight") if name in measured}
    return {_member(function): measured, **beside}


def _lines(questions: Iterable[Question]) -> Json:
    return {"questions": [{"kind": each.kind, "request": each.request} for each in questions]}


def _items(body: bytes) -> Iterator[bytes]:
    """The bytes of each item of a list as they are in the reply, because receipts are signed over them."""
    text = body.decode()
    place = text.index("[") + 1
    while text[place] != "]":
        if text[place] == "{":
            end = json.JSONDecoder().raw_decode(text, place)[1]
            yield text[place:end].encode()
            place = end
        else:
            place += 1


_MANY = 0.05


def _doubts(report: Json) -> Iterator[str]:
    """The warnings of an upload's report about the registration of a column."""
    wrongs = {
        "clamped": {"values": "outside of its bounds, and moved to the nearest one"},
        "substituted": {"missing": "missing, and replaced", "unlisted": "no listed category, and replaced"},
    }
    for part, kinds in wrongs.items():
        for found in report.get(part) or []:
            for kind, what in kinds.items():
                values = found.get(kind) or 0
                if values > _MANY * report["rowsRead"]:
                    yield f"{values} of {report['rowsRead']} values of {found['column']!r} were {what}"


def _label(block: str | int | None) -> str | None:
    return None if block is None else str(block)


def _query(first: str | int | None, last: str | int | None) -> str:
    """The blocks that a list is about."""
    named = {"from": _label(first), "to": _label(last if last is not None else first)}
    sent = {name: each for name, each in named.items() if each is not None}
    return "?" + urlencode(sent) if sent else ""


def _in_keys(keys: list[str], group: Json) -> Json:
    """The place of a group in every key."""

    def place(key: Json) -> Any:
        named: str | None = key["block"] if key["category"] is None else key["category"]
        return named if key["lower"] is None else Bin(key["lower"], key["upper"])

    return dict(zip(keys, map(place, group["key"])))


def _quantiles(table: Json) -> list[Json]:
    """A line for each quantile of each group."""
    return [_in_keys(table["keys"], group) | quantile for group in table["groups"] for quantile in group["quantiles"]]


def _groups(table: Json) -> list[Json]:
    """A line for each group, with its place in every key and its estimates."""
    return [
        _in_keys(table["keys"], group)
        | {name: Estimate(**value) for name, value in zip(table["aggregates"], group["values"])}
        for group in table["groups"]
    ]


def _cells(columns: list[str], number: str, cells: list[Json]) -> list[Json]:
    """A line for each cell of a synopsis's table."""
    groups = [
        {"key": cell["key"], "values": [{"value": cell["count"], "interval": cell["interval"]}]} for cell in cells
    ]
    return _groups({"keys": columns, "aggregates": [number], "groups": groups})


def _bin(kind: str, row: Json) -> Json:
    """A bin or quantile of a synopsis, with its meaning."""
    if kind == "cumulative":
        return {"below": row["upper"], "count": row["count"], "interval": row["interval"]}
    return {name: member for name, member in row.items() if member is not None}


def _conditions(where: Any) -> list[Json]:
    """The conditions of a filter. Anything else is refused, so that no filter is dropped."""
    if where is None:
        return []
    if isinstance(where, Condition):
        return list(where.members)
    if isinstance(where, Mapping) and where:
        return [dict(where)]
    if isinstance(where, (list, tuple)) and all(isinstance(each, (Condition, Mapping)) for each in where):
        return [member for each in where for member in _conditions(each)]
    raise TypeError(
        'where must be a condition, such as column("age") >= 30, a list of conditions, or None for every row,'
        f" was {where!r}"
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Number) and not isinstance(value, bool)


def _place(value: Any) -> Any:
    """A number, or a date as text, so that it can be compared with a declared bound."""
    return Decimal(str(value)) if _is_number(value) else None if value is None else str(value)


def _listed_probabilities(probabilities: Probabilities) -> tuple[list[Any], bool]:
    """The probabilities, and whether a single one was given that is no list."""
    return ([probabilities], True) if not isinstance(probabilities, Iterable) else (list(probabilities), False)


def _ordered(value: Any) -> Any:
    """An end of a range. None and columns are refused: None would mean no end."""
    if not _is_number(value) and not isinstance(value, (str, datetime.date)):
        raise TypeError(f"a column is compared with a number, a date, a time or text, was {value!r}")
    return value


def _exact(amount: Exact) -> str:
    """Plain decimals; text unchanged, because the service checks it."""
    return amount if isinstance(amount, str) else format(Decimal(str(amount)), "f")


def _json(body: Any) -> bytes | None:
    return None if body is None else json.dumps(body, default=_plain, allow_nan=False).encode()


def _plain(value: Any) -> Any:
    """A date as text, and a number of any library (Decimal, numpy) as a number of JSON."""
    if isinstance(value, datetime.date):
        return value.isoformat()
    whole = int(value)
    if whole == value:
        return whole
    number = float(value)
    if isinstance(value, Decimal) and Decimal(repr(number)) != value:
        raise ValueError(f"{value} has more digits than a number of JSON keeps: write at most 15")
    return number


def _read(body: bytes) -> Any:
    return json.loads(body, object_hook=_typed)


def _part(name: str) -> str:
    return quote(name, safe="")


_PROBLEMS = {"/problems/budget-exhausted": BudgetExhausted, "/problems/nothing-stored": NothingStored}


def _problem(reply: _Reply, idempotency_key: str | None) -> Problem:
    """The refusal in a reply. A proxy before the service may refuse in a form of its own."""
    try:
        members = _read(reply.body)
        return _PROBLEMS.get(members["type"], Problem)(members, idempotency_key)
    except (ValueError, LookupError, TypeError):
        detail = f"status {reply.status} {http.client.responses.get(reply.status, '')}".strip()
        return Problem({"status": reply.status, "detail": detail}, idempotency_key)


def _passes(problem: Problem) -> bool:
    """Whether the same request may be answered later."""
    return problem.status in (429, 503, *_LOST_BY_A_PROXY) or problem.type == "request-in-flight"


def _blocks(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while block := file.read(1 << 16):
            yield block


def progress_line(sent: int, size: int) -> None:
    """Shows the progress of an upload in one line of standard error."""
    print(f"\r{sent / 1e6:.1f} of {size / 1e6:.1f} MB", end="" if sent < size else "\n", file=sys.stderr)


# --- Tables and pictures ---


def to_pandas(rows: Iterable[Json]) -> Any:
    """Rows, such as the entries of a ledger, as a ``pandas.DataFrame``. Exact amounts become floats.

    Nested members get names with dots: "charge.epsilon". Raises ImportError without pandas.
    """
    try:
        import pandas
    except ImportError as missing:
        raise ImportError("to_pandas needs pandas, which is not installed") from missing
    return pandas.DataFrame([dict(_flat(row)) for row in rows])


def _flat(row: Json, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, Estimate):
            yield prefix + name, value.value
            value = value.interval
        members = value._asdict() if isinstance(value, (Amount, Interval, Accuracy, Bin)) else value
        if isinstance(members, dict):
            yield from _flat(members, f"{prefix}{name}.")
        else:
            yield prefix + name, float(members) if isinstance(members, Decimal) else members


_DIGITS = 8  # A noisy number has fewer meaningful digits.
_DIGITS_OF_WIDTH = 3
_EXACTLY = decimal.Context(prec=1000)
_STATISTICS = {"count", "sum", "mean", "value", "variance", "correlation"}


def _text(value: object) -> str:
    """A value as it is shown."""
    if isinstance(value, float):
        return f"{value:.{_DIGITS}g}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(member)}" for name, member in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value)


def _digit(number: Any, most: int) -> Decimal:
    """The unit of the last digit if a number is shown with this many digits."""
    return Decimal(1).scaleb((Decimal(repr(number)).adjusted() if number else 0) + 1 - most)


def _rounded(number: Any, unit: Decimal, rounding: str) -> str:
    """A number in multiples of a unit; a number with fewer digits is unchanged."""
    exact = Decimal(repr(number))
    if exact.as_tuple().exponent >= unit.as_tuple().exponent:  # type: ignore[operator]
        return format(exact, "f")
    text = format(exact.quantize(unit, rounding, _EXACTLY), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _outwards(value: Any, interval: Interval) -> tuple[str, str, str]:
    """A value and the ends of its interval, with digits that follow the width: each end moves by less than 1 % of it.

    Ends are rounded outwards, so that the shown interval contains the true one.
    """
    low, high = interval
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)) or low == high:
        return str(value), str(low), str(high)
    unit = _digit(high - low, _DIGITS_OF_WIDTH)
    middle = _rounded(value, unit, decimal.ROUND_HALF_EVEN) if isinstance(value, (int, float)) else _text(value)
    return middle, _rounded(low, unit, decimal.ROUND_FLOOR), _rounded(high, unit, decimal.ROUND_CEILING)


def _in(value: Any, interval: Any) -> str:
    """A value with its interval, if it has one."""
    return "{} in {} to {}".format(*_outwards(value, interval)) if isinstance(interval, Interval) else _text(value)


def _line(row: Json) -> dict[str, str]:
    """A row as it is shown: a statistic with the digits of its interval, an error rounded up, amounts in one unit."""
    interval = row.get("interval")
    beside = next((cell for cell in row.values() if isinstance(cell, Amount) and cell.delta), None)

    def shown(name: str, cell: Any) -> str:
        if name in _STATISTICS and isinstance(interval, Interval) and isinstance(cell, (int, float)):
            return _outwards(cell, interval)[0]
        if name == "alpha" and isinstance(cell, (int, float)):
            return _rounded(cell, _digit(cell, _DIGITS), decimal.ROUND_CEILING)
        if isinstance(cell, Amount):
            return cell.beside(beside or cell)
        return "" if cell is None else _text(cell)

    return {name: shown(name, cell) for name, cell in row.items()}


_MOST_LINES = 100


def _table(rows: Sequence[Json], note: str) -> str:
    """Rows as text, under their names."""
    names = list(rows[0])
    lines = [names, *([line.get(name, "") for name in names] for line in map(_line, rows[:_MOST_LINES]))]
    widths = [max(map(len, cells)) for cells in zip(*lines)]
    texts = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    more = [f"… and {len(rows) - _MOST_LINES} more rows"] if len(rows) > _MOST_LINES else []
    return "\n".join([*texts, *more, note])


def _html(rows: Sequence[Json], note: str) -> str:
    def line(tag: str, cells: Iterable[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    names = list(rows[0]) if rows else []
    lines = (line("td", (shown.get(name, "") for name in names)) for shown in map(_line, rows))
    return f"<table>{line('th', names)}{''.join(lines)}</table><p>{html.escape(note)}</p>"


_INCHES_PER_NAME = 0.2
_INCHES_PER_NUMBER = 0.7
_INCHES_PER_LETTER = 0.14  # Twice the width of most letters.
_INCHES_PER_HANDLE = 0.5
_MOST_COLOURS = 10  # Matplotlib repeats its colours after these.


def _axes(rows: int, panels: int = 1) -> Any:
    """Axes of a figure with room for a name for each row, up to sixty. For several panels, the axes of all."""
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError("plot needs matplotlib, which is not installed") from missing
    height = max(4.8, 1.4 * _INCHES_PER_NAME * min(rows, 60))
    return pyplot.subplots(1, panels, figsize=(6.4 + 3.2 * (panels - 1), height), constrained_layout=True)[1]


def _name_bars(ax: Any, label: str, names: Sequence[str]) -> None:
    """Names horizontal bars from the top. Where there is no room for all names, some bars have none."""
    width, height = ax.get_window_extent().size / ax.figure.dpi
    shown = range(0, len(names), max(1, math.ceil(_INCHES_PER_NAME * len(names) / height)))
    ax.set_yticks(shown, [_short(names[each], math.floor(width / _INCHES_PER_LETTER)) for each in shown])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_ylabel(_short(label))
    ax.locator_params(axis="x", nbins=3)  # The names take half of the width.


def _legend(ax: Any) -> None:
    """Draws a legend above the axes, with each label once."""
    labelled = {label: handle for handle, label in zip(*ax.get_legend_handles_labels())}
    place = {"loc": "lower right", "bbox_to_anchor": (1, 1), "borderaxespad": 0.2, "ncol": len(labelled)}
    ax.legend(labelled.values(), labelled, frameon=False, fontsize="small", **place)


def _fits_legend(ax: Any, labels: Collection[str]) -> bool:
    inches = sum(_INCHES_PER_HANDLE + _INCHES_PER_LETTER / 2 * len(_short(label)) for label in labels)
    return len(labels) <= _MOST_COLOURS and bool(inches <= ax.get_window_extent().width / ax.figure.dpi)


def _short(name: str, most: int = 40) -> str:
    short = name if len(name) <= most else f"{name[: most // 2]}…{name[len(name) - most // 2 :]}"
    return short.replace("$", r"\$")  # Matplotlib would read text between two dollar signs as a formula.


def _position(value: Any) -> Any:
    """Where a value of a column is on an axis: a number, or a time."""
    return datetime.datetime.fromisoformat(value.replace("Z", "+00:00")) if isinstance(value, str) else value


def _set_scale(ax: Any, column: str, values: Sequence[Any]) -> None:
    """Names the axis of a column's values, and shortens times so that they do not overlap."""
    ax.set_xlabel(_short(column))
    most = max(3, math.floor(ax.get_window_extent().width / ax.figure.dpi / _INCHES_PER_NUMBER))
    if isinstance(values[0], datetime.datetime):
        from matplotlib import dates

        ax.xaxis.set_major_locator(dates.AutoDateLocator(minticks=max(1, most - 4), maxticks=most))
        ax.xaxis.set_major_formatter(dates.ConciseDateFormatter(ax.xaxis.get_major_locator()))
    else:
        ax.locator_params(axis="x", nbins=most)


def _draw_budgets(ax: Any, title: str, names: Sequence[str], rows: Sequence[Json]) -> Any:
    ax = ax or _axes(len(rows))
    unit = rows[0]["spent"].unit
    spent, remaining = ([float(getattr(row[part], unit)) for row in rows] for part in ("spent", "remaining"))
    ax.barh(range(len(rows)), spent, label="spent")
    ax.barh(range(len(rows)), remaining, left=spent, label="remaining", alpha=0.4)
    _name_bars(ax, title, names)
    ax.set_xlabel(unit)
    _legend(ax)
    return ax


def _draw_bins(ax: Any, column: str, bins: Sequence[Json]) -> None:
    counts = [row["count"] for row in bins]
    lows, highs = [row["interval"].low for row in bins], [row["interval"].high for row in bins]
    name = next((each for each in ("category", "block") if each in bins[0]), None)
    if name:
        places = range(len(bins))
        ax.barh(places, counts, alpha=0.6)
        ax.hlines(places, lows, highs, color="black")
        _name_bars(ax, column, [row[name] for row in bins])
        ax.set_xlabel("rows")
    else:
        starts = [_position(row["lower"]) for row in bins]
        widths = [_position(row["upper"]) - start for row, start in zip(bins, starts)]
        ax.bar(starts, counts, widths, align="edge", alpha=0.6, edgecolor="white")
        ax.vlines([start + width / 2 for start, width in zip(starts, widths)], lows, highs, color="black")
        _set_scale(ax, column, starts)
        ax.set_ylabel("rows")


def _draw_groups(ax: Any, keys: Sequence[str], aggregate: str, rows: Sequence[Json]) -> None:
    """A bar for each group. Bars of one name are beside each other, and differ in colour."""
    places = {key: {_text(row[key]) for row in rows} for key in keys}
    fewest = min(keys, key=lambda key: len(places[key]), default="")
    coloured = [fewest] if len(keys) > 1 and _fits_legend(ax, places[fewest]) else []
    named = [key for key in keys if key not in coloured]
    names = [", ".join(_text(row[key]) for key in named) or "all rows" for row in rows]
    colours = ["".join(_text(row[key]) for key in coloured) for row in rows]
    at = {name: place for place, name in enumerate(dict.fromkeys(names))}
    told = list(dict.fromkeys(colours))
    height = 0.8 / len(told)
    for number, colour in enumerate(told):
        drawn = [(at[name], row[aggregate]) for name, each, row in zip(names, colours, rows) if each == colour]
        middles = [place + (number - (len(told) - 1) / 2) * height for place, _ in drawn]
        ax.barh(middles, [estimate.value for _, estimate in drawn], height, alpha=0.6, label=_short(colour))
        ax.hlines(middles, *zip(*(estimate.interval for _, estimate in drawn)), color="black")
    _name_bars(ax, ", ".join(named), list(at))
    ax.set_xlabel(_short(aggregate))
    if coloured:
        _legend(ax)


def _draw_table(ax: Any, rows: Sequence[Json]) -> Any:
    *keys, number = rows[0]
    if len(keys) != 2:
        ax = ax or _axes(len(rows))
        _draw_groups(ax, keys, number, rows)
    else:
        ax = _axes(len({row[keys[0]] for row in rows}), panels=2) if ax is None else ax
        _draw_heat_maps(ax, keys, number, rows)
    return ax


def _draw_heat_maps(axes: Any, keys: Sequence[str], number: str, rows: Sequence[Json]) -> None:
    """The numbers of a table, and how far each can be off. An error of 1 and more is as large as the number."""
    first, second = ([*dict.fromkeys(_text(row[key]) for row in rows)] for key in keys)
    values = [row[number].value for row in rows]
    halves = [(row[number].interval.high - row[number].interval.low) / 2 for row in rows]
    shares = [min(1.0, half / abs(value)) if value else 1.0 for half, value in zip(halves, values)]
    of_shares = {"vmin": 0, "vmax": 1, "cmap": "magma_r"}
    for ax, title, drawn, colours in zip(axes, (number, "error, as a share"), (values, shares), ({}, of_shares)):
        lines = [drawn[start : start + len(second)] for start in range(0, len(drawn), len(second))]
        image = ax.imshow(lines, aspect="auto", interpolation="nearest", **colours)
        ax.figure.colorbar(image, ax=ax)
        ax.set_title(_short(title), fontsize="medium")
        _name_bars(ax, keys[0], first)
        inches = ax.get_window_extent().width / ax.figure.dpi
        shown = range(0, len(second), max(1, math.ceil(_INCHES_PER_NAME * len(second) / inches)))
        ax.set_xticks(shown, [_short(second[each], 16) for each in shown], rotation=90)
        ax.set_xlabel(_short(keys[1]))
    axes[1].set_yticks([])
    axes[1].set_ylabel("")


def _draw_cumulative(ax: Any, column: str, rows: Sequence[Json]) -> None:
    ends = [_position(row["below"]) for row in rows]
    ax.fill_between(ends, *zip(*(row["interval"] for row in rows)), alpha=0.3)
    ax.plot(ends, [row["count"] for row in rows])
    _set_scale(ax, column, ends)
    ax.set_ylabel("rows below")


def _draw_quantiles(ax: Any, column: str, quantiles: Sequence[Json]) -> None:
    shares = [row["probability"] for row in quantiles]
    values = [_position(row["value"]) for row in quantiles]
    ends = [(_position(row["interval"].low), _position(row["interval"].high)) for row in quantiles]
    ax.hlines(shares, [low for low, _ in ends], [high for _, high in ends], color="black")
    ax.plot(values, shares, "o")
    _set_scale(ax, column, values)
    ax.set_ylabel("share of rows below")
    ax.set_ylim(-0.05, 1.05)


def _draw_ranges(ax: Any, asked: Json, positives: Sequence[Json], examined: int) -> None:
    """The ranges that were found, on the axis of all ranges asked for. Their height is the released number."""
    spans = _spans(asked["ranges"])
    for low, high in spans[examined:]:
        ax.axvspan(low, high, facecolor="none", edgecolor="silver", hatch="//", linewidth=0, label="not looked at")
    found = [spans[row["index"]] for row in positives]
    heights = [row.get("value", row.get("gap", 1)) for row in positives]
    lows, widths = [low for low, _ in found], [high - low for low, high in found]
    ax.bar(lows, heights, widths, align="edge", alpha=0.6, edgecolor="white", label="found")
    for row, low, width in zip(positives, lows, widths):
        if "interval" in row:
            ax.vlines(low + width / 2, *row["interval"], color="black")
    if asked["release"] == "values":
        ax.axhline(asked["threshold"], color="black", linestyle="--", label="threshold")
        ax.set_ylabel("rows")
    elif asked["release"] == "gaps":
        ax.set_ylabel("rows above the noisy threshold")
    else:
        ax.set_yticks([])
        ax.set_ylabel(f"more than {asked['threshold']} rows")
    _set_scale(ax, asked["column"], spans[0])
    ax.set_xlim(min(low for low, _ in spans), max(high for _, high in spans))
    _legend(ax)


def _spans(ranges: Sequence[Json]) -> list[tuple[Any, Any]]:
    """Where ranges begin and end. A range without an end goes a little beyond all existing ends."""
    lows = [_position(each.get("atLeast", each.get("above"))) for each in ranges]
    highs = [_position(each.get("below", each.get("atMost"))) for each in ranges]
    ends = [end for end in lows + highs if end is not None]
    first, last = min(ends), max(ends)
    beyond = (last - first) / 10
    return [
        (first - beyond if low is None else low, last + beyond if high is None else high)
        for low, high in zip(lows, highs)
    ]
