"""Invents a census: a person in each line, and no real one. The same number and seed give the same file every time.

    python3 examples/census.py > census.csv
    python3 examples/census.py 1000000 > larger.csv
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

HEADER = ("age", "sex", "education", "hours-per-week", "income")

EDUCATION = {"none": 0.08, "primary": 0.22, "secondary": 0.40, "bachelor": 0.21, "master": 0.09}
"""The share of people with each level."""

COLUMNS = [
    {"name": "age", "type": "integer", "lower": 0, "upper": 110},
    {"name": "sex", "type": "category", "categories": ["Female", "Male"]},
    {"name": "education", "type": "category", "categories": list(EDUCATION)},
    {"name": "hours-per-week", "type": "decimal", "lower": 0, "upper": 80, "resolution": 0.5},
    {"name": "income", "type": "integer", "lower": 0, "upper": 150_000, "resolution": 100},
]
"""How the census is registered. Bounds come from what everybody knows about people, not from the rows."""


def people(count: int = 20_000, seed: int = 1994) -> Iterator[tuple[int, str, str, float, int]]:
    """The rows, in the order of the header."""
    # Only random() is the same in every version of Python.
    draw = random.Random(seed).random

    def bell() -> float:
        """About a standard normal number."""
        return sum(draw() for _ in range(12)) - 6

    for _ in range(count):
        age = min(95, int(17 + 80 * draw() * (0.4 + 0.6 * draw())))
        sex = "Female" if draw() < 0.51 else "Male"
        level, rest = 0, draw()
        for level, share in enumerate(EDUCATION.values()):
            rest -= share
            if rest < 0:
                break
        retired = age > 62 + 8 * draw()
        hours = 0.0 if retired or draw() < 0.08 else max(2.0, min(80.0, round(2 * (38 + 9 * bell())) / 2))
        earned = 9_000 + hours * (350 + 240 * level) * 2.718 ** (0.35 * bell())
        income = round((earned * (0.7 + min(age, 50) / 100) + (12_000 if retired else 0)) / 100) * 100
        yield age, sex, list(EDUCATION)[level], hours, income


def csv(count: int = 20_000, seed: int = 1994) -> str:
    """The census as the text of a CSV file."""
    lines = (",".join(map(str, person)) for person in people(count, seed))
    return "\n".join([",".join(HEADER), *lines, ""])


if __name__ == "__main__":
    sys.stdout.write(csv(*map(int, sys.argv[1:])))
