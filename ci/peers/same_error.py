"""Times that the methods of work_precision.csv need for the same end error.

    same_error.py work_precision.csv

Between two settings straight lines in the logarithms are taken; outside of what was measured there is a dash. The
last column is the time of Pinocchio's RK4 over that of legwork's DOPRI5. First by the medians, then by the best times.
"""

import csv
import math
import sys

ERRORS = (1e-8, 1e-9, 1e-10, 1e-11, 1e-12)
METHODS = (
    ("legwork", "DOPRI5"),
    ("legwork", "RK4"),
    ("legwork", "DOPRI5 general engine"),
    ("legwork", "RK4 general engine"),
    ("Pinocchio", "RK4"),
    ("MuJoCo", "RK4 stiff"),
)
OURS, THEIRS = ("legwork", "DOPRI5"), ("Pinocchio", "RK4")


def read(path, column):
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [{**row, "error": float(row["error_m"]), "time": float(row[column])} for row in rows]


def time_for(points, error):
    """Time for an error, between the two neighbouring points; points from coarse to fine."""
    for a, b in zip(points, points[1:]):
        if a["error"] >= error > b["error"]:
            share = math.log(a["error"] / error) / math.log(a["error"] / b["error"])
            return a["time"] * (b["time"] / a["time"]) ** share
    return None


def shown(time):
    return "–" if time is None else f"{time * 1e3:.3g}"


def table(rows):
    series = {method: [row for row in rows if (row["tool"], row["method"]) == method] for method in METHODS}
    print("| end error \\[m\\] | " + " | ".join(" ".join(method) for method in METHODS) + " | ratio |")
    print("|---" * (len(METHODS) + 2) + "|")
    for error in ERRORS:
        times = {method: time_for(points, error) for method, points in series.items()}
        ours, theirs = times[OURS], times[THEIRS]
        ratio = f"{theirs / ours:.0f}" if ours and theirs else "–"
        print(f"| {error:.0e} | " + " | ".join(map(shown, times.values())) + f" | {ratio} |")
    ours, theirs = (
        min((row for row in series[method] if row["error"] <= 1e-9), key=lambda row: row["time"])
        for method in (OURS, THEIRS)
    )
    print(
        f"cheapest settings at or below 1e-9 m: legwork DOPRI5 {ours['tolerance']}: {ours['error']:.1e} m in"
        f" {shown(ours['time'])} ms; Pinocchio RK4 {theirs['step_s']} s: {theirs['error']:.1e} m in"
        f" {shown(theirs['time'])} ms; ratio {theirs['time'] / ours['time']:.0f}"
    )


def main():
    for column in ("time_s", "best_s"):
        print(f"\n{column}, in ms:\n")
        table(read(sys.argv[1], column))


main()
