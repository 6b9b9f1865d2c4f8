"""Draws work_precision.csv: end error against time, both logarithmic.

    figure.py work_precision.csv > work_precision.svg
"""

import csv
import math
import sys

LEFT, TOP, WIDTH, HEIGHT = 90, 30, 500, 470
TIMES = (-5, 0)  # powers of ten [s]
ERRORS = (-14, -2)  # [m]
REFERENCE = 1e-12  # what the reference promises [m]
BLUE, ORANGE, GREEN, PINK = "#0072B2", "#D55E00", "#009E73", "#AA4499"
# Tool, method, what the legend says, colour, dashes, mark (filled or hollow).
SERIES = (
    ("legwork", "DOPRI5", "legwork DOPRI5", BLUE, "", "filled circle"),
    ("legwork", "RK4", "legwork RK4", BLUE, "", "hollow circle"),
    ("legwork", "DOPRI5 general engine", "legwork DOPRI5, any legs", BLUE, "5 4", "filled diamond"),
    ("legwork", "RK4 general engine", "legwork RK4, any legs", BLUE, "5 4", "hollow diamond"),
    ("Pinocchio", "RK4", "Pinocchio RK4", ORANGE, "", "filled square"),
    ("Pinocchio", "Euler Baumgarte", "Pinocchio Euler", ORANGE, "5 4", "hollow square"),
    ("MuJoCo", "RK4 stiff", "MuJoCo RK4, stiff loops", GREEN, "", "filled triangle"),
    ("MuJoCo", "RK4 default", "MuJoCo RK4, default", GREEN, "2 3", "hollow triangle"),
    ("MuJoCo", "Euler stiff", "MuJoCo Euler, stiff loops", GREEN, "5 4", "hollow diamond"),
    ("Drake", "SAP", "Drake SAP", PINK, "", "filled diamond"),
)
SHAPES = {"square": (4, 45), "diamond": (4, 0), "triangle": (3, -90)}  # corners, first corner [deg]


def x_of(time):
    return LEFT + WIDTH * (math.log10(time) - TIMES[0]) / (TIMES[1] - TIMES[0])


def y_of(error):
    return TOP + HEIGHT * (ERRORS[1] - math.log10(error)) / (ERRORS[1] - ERRORS[0])


def power(exponent):
    return f'10<tspan dy="-5" font-size="10">{str(exponent).replace("-", "−")}</tspan>'


def mark(x, y, colour, kind):
    fill, shape = kind.split()
    style = f'fill="{colour if fill == "filled" else "white"}" stroke="{colour}" stroke-width="1.8"'
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" {style}/>'
    corners, first = SHAPES[shape]
    angles = [math.radians(first + 360 * k / corners) for k in range(corners)]
    points = " ".join(f"{x + 5.2 * math.cos(a):.1f},{y + 5.2 * math.sin(a):.1f}" for a in angles)
    return f'<polygon points="{points}" {style}/>'


def axes():
    right, bottom = LEFT + WIDTH, TOP + HEIGHT
    low = y_of(REFERENCE)
    yield f'<rect x="{LEFT}" y="{low:.1f}" width="{WIDTH}" height="{bottom - low:.1f}" fill="#f1f1f1"/>'
    for k, words in enumerate(("grey: below what the", "reference promises")):
        yield f'<text x="{right + 20}" y="{low + 22 + 18 * k:.1f}" font-size="12" fill="#666666">{words}</text>'
    for k in range(ERRORS[0], ERRORS[1] + 1):
        y = y_of(10.0**k)
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#dddddd"/>'
        if k % 2 == 0:
            yield f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end" fill="#444444">{power(k)}</text>'
    for k in range(TIMES[0], TIMES[1] + 1):
        x = x_of(10.0**k)
        yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#dddddd"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 22}" text-anchor="middle" fill="#444444">{power(k)}</text>'
    yield f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#444444"/>'
    y = y_of(1e-9)
    yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#222222" stroke-dasharray="1 3"/>'
    yield f'<text x="{right - 6}" y="{y - 5:.1f}" text-anchor="end" font-size="12" fill="#222222">1 nm</text>'
    middle = TOP + HEIGHT / 2
    yield f'<text x="{LEFT + WIDTH / 2}" y="{bottom + 46}" text-anchor="middle" fill="#222222">time for 1 s of motion [s]</text>'
    yield (
        f'<text x="24" y="{middle}" text-anchor="middle" fill="#222222"'
        f' transform="rotate(-90 24 {middle})">error of the end position [m]</text>'
    )


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 560" font-family="DejaVu Sans, Arial, sans-serif"')
    print(' font-size="14" role="img">')
    print("<title>End error against time of legwork, Pinocchio, MuJoCo and Drake on the same swing</title>")
    print('<rect width="840" height="560" fill="white"/>')
    print("\n".join(axes()))
    for k, (tool, method, label, colour, dashes, kind) in enumerate(SERIES):
        points = [(x_of(float(row["time_s"])), y_of(max(float(row["error_m"]), 1e-14)))
                  for row in rows if (row["tool"], row["method"]) == (tool, method)]
        assert points, f"no points of {tool} {method}"
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        print(f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dash} points="{line}"/>')
        print("\n".join(mark(x, y, colour, kind) for x, y in points))
        x, y = LEFT + WIDTH + 20, TOP + 20 + 26 * k
        print(f'<line x1="{x}" y1="{y}" x2="{x + 32}" y2="{y}" stroke="{colour}" stroke-width="2"{dash}/>')
        print(mark(x + 16, y, colour, kind))
        print(f'<text x="{x + 40}" y="{y + 5}" fill="#222222">{label}</text>')
    print("</svg>")


main()
