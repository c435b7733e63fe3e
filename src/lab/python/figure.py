"""Draws a picture in SVG: panels of lines on logarithmic axes, with bars of one standard error up and down.

    figure.py mean|reuse|regression <table.csv >picture.svg     the table of an experiment: docs/local-privacy.md
    figure.py lines X-LABEL Y-LABEL <lines.csv >picture.svg     the columns panel, line, x, y
"""

import csv
import math
import sys
from html import escape

LEFT, WIDTH, TOP, BOTTOM = 70, 290, 40, 270
NEXT_COLUMN, NEXT_ROW, LEGEND = 390, 330, 60
COLORS = ["#1b6ca8", "#2a9d4a", "#c77700", "#8e3b8e", "#b03030", "#555555", "#2aa0a0"]


class Axis:
    """A logarithmic axis, from one place of the picture to another."""

    def __init__(self, values, start, end):
        self.least, self.most = min(values) / 1.1, max(values) * 1.1
        self.start, self.end = start, end

    def at(self, value):
        part = math.log(max(value, self.least) / self.least) / math.log(self.most / self.least)
        return self.start + (self.end - self.start) * part

    def ticks(self):
        """The ticks, at 1, 2 and 5 times a power of ten; more of them on a short axis, fewer on a long one."""
        ratio = self.most / self.least
        digits = [1] if ratio > 300 else [1, 2, 5] if ratio > 3 else [1, 1.1, 1.2, 1.4, 1.6, 2, 3, 4, 5, 6, 7, 8, 9]
        power = 10 ** math.floor(math.log10(self.least))
        while power <= self.most:
            yield from (power * digit for digit in digits if self.least <= power * digit <= self.most)
            power *= 10


def number(value):
    text = f"{value:.0e}" if value < 0.001 else f"{value:.4f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def text(x, y, anchor, words):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def panel(lines, x_label, y_label, colors):
    points = [point for each in lines.values() for point in each]
    across = Axis([x for x, _, _ in points], LEFT, LEFT + WIDTH)
    up = Axis([y for _, y, _ in points], BOTTOM, TOP)
    yield f'<path d="M{LEFT} {TOP} V{BOTTOM} h{WIDTH}" fill="none" stroke="black"/>'
    for tick in up.ticks():
        yield f'<path d="M{LEFT} {up.at(tick):.1f} h{WIDTH}" stroke="#dddddd"/>'
        yield text(LEFT - 6, up.at(tick) + 4, "end", number(tick))
    for x in dict.fromkeys(x for x, _, _ in points):
        yield text(across.at(x), BOTTOM + 18, "middle", number(x))
    yield text(LEFT + WIDTH / 2, BOTTOM + 36, "middle", x_label)
    yield f'<text transform="translate(14 155) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>'
    for name, line in lines.items():
        for x, y, error in line:
            bar = f"M{across.at(x):.1f} {up.at(y - error):.1f} V{up.at(y + error):.1f}"
            yield f'<path d="{bar}" stroke="{colors[name]}"/>'
        path = " L".join(f"{across.at(x):.1f} {up.at(y):.1f}" for x, y, _ in line)
        yield f'<path d="M{path}" fill="none" stroke="{colors[name]}" stroke-width="1.5"/>'


def picture(panels, x_label, y_label):
    """All panels, two beside each other, and a legend."""
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    colors = {name: COLORS[i % len(COLORS)] for i, name in enumerate(names)}
    legend = NEXT_ROW * math.ceil(len(panels) / 2)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * NEXT_COLUMN} {legend + LEGEND}"'
        ' font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
    )
    for place, (title, lines) in enumerate(panels.items()):
        yield f'<g transform="translate({NEXT_COLUMN * (place % 2)} {NEXT_ROW * (place // 2)})">'
        yield text(LEFT + WIDTH / 2, 24, "middle", title)
        yield from panel(lines, x_label, y_label, colors)
        yield "</g>"
    for shown, name in enumerate(names):
        x, y = LEFT + 170 * (shown % 4), legend + 20 * (shown // 4)
        yield f'<rect x="{x}" y="{y}" width="12" height="12" fill="{colors[name]}"/>'
        yield text(x + 18, y + 11, "start", name)
    yield "</svg>"


def panels(rows, title, line, point):
    all_panels = {}
    for row in rows:
        all_panels.setdefault(title(row), {}).setdefault(line(row), []).append(point(row))
    return all_panels


def method(row):
    return row["method"] + (f" reuse {row['reuse']}" if row["reuse"] not in ("", "1") else "")


def errors(rows, value, error):
    """The errors of each method by nominal epsilon: a panel for each subject in each comparison."""
    return panels(
        rows,
        lambda row: f"{row['subject']}, {row['comparison']} epsilon",
        method,
        lambda row: (float(row["nominalEpsilon"]), float(row[value]), float(row[error])),
    )


def reuse(rows):
    """The mean squared errors of HierA by reuse, in multiples of the error without reuse: a panel for each method."""
    rows = [row for row in rows if row["reuse"] and row["comparison"] == "nominal"]
    units = {}
    for row in rows:
        units.setdefault((row["subject"], row["method"], row["nominalEpsilon"]), float(row["meanSquaredError"]))

    def point(row):
        unit = units[row["subject"], row["method"], row["nominalEpsilon"]]
        return int(row["reuse"]), float(row["meanSquaredError"]) / unit, float(row["squaredStandardError"]) / unit

    return panels(
        rows, lambda row: f"{row['subject']}, {row['method']}", lambda row: f"e = {row['nominalEpsilon']}", point
    )


def main(kind, *labels):
    rows = list(csv.DictReader(sys.stdin))
    if kind == "mean":
        points = errors(rows, "meanAbsoluteError", "absoluteStandardError")
        drawn = picture(points, "nominal epsilon e", "mean absolute error")
    elif kind == "regression":
        points = errors(rows, "meanSquaredError", "squaredStandardError")
        drawn = picture(points, "nominal epsilon e", "mean squared error")
    elif kind == "reuse":
        drawn = picture(reuse(rows), "reuse", "mean squared error / that of reuse 1")
    elif kind == "lines":
        points = panels(rows, lambda r: r["panel"], lambda r: r["line"], lambda r: (float(r["x"]), float(r["y"]), 0))
        drawn = picture(points, *labels)
    else:
        sys.exit(__doc__)
    for part in drawn:
        print(part)


if __name__ == "__main__":
    main(*sys.argv[1:])
