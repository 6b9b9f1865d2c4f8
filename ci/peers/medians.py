"""Medians over the repetitions of ci/peers/work_precision.sh, as CSV.

    medians.py RUNS delta_swing.json swing.txt > work_precision.csv

RUNS has what the programs printed: legwork.N, pinocchio.N, mujoco.N, drake.N, load.N for repetition N, and
`conditions`. swing.txt is what the peers were given; it has to be the swing of the JSON file to the bit.
"""

import json
import pathlib
import re
import statistics
import sys

NUMBER = r"([0-9.e+-]+)"
PINOCCHIO = re.compile(rf"pin (\w+) +(\w+) +h {NUMBER} .*end error {NUMBER} m.*wall {NUMBER} ms")
MUJOCO = re.compile(rf"sw_(\w+?)_{NUMBER}_(\w+)\.xml .*end error {NUMBER} m.*wall {NUMBER} ms")
DRAKE = re.compile(rf"drake SAP .*dt {NUMBER}: end error {NUMBER} m.* {NUMBER} ms for")
PLAIN = {"plain": "", "baumgarte": " Baumgarte", "default": " default", "stiff": " stiff"}


def lines(tool, text):
    """Key (tool, method, step, tolerance), end error [m] and time [s] of each line that has them."""
    for line in text.splitlines():
        if tool == "legwork":
            name, method, step, tolerance, error, seconds = line.split(",")
            yield (name, method, step, tolerance), float(error), float(seconds)
        elif tool == "pinocchio" and (found := PINOCCHIO.match(line)):
            method, loops, step, error, wall = found.groups()
            yield ("Pinocchio", method + PLAIN[loops], plain(step), ""), float(error), float(wall) * 1e-3
        elif tool == "mujoco" and (found := MUJOCO.match(line)):
            method, step, loops, error, wall = found.groups()
            yield ("MuJoCo", method + PLAIN[loops], plain(step), ""), float(error), float(wall) * 1e-3
        elif tool == "drake" and (found := DRAKE.match(line)):
            step, error, wall = found.groups()
            yield ("Drake", "SAP", plain(step), ""), float(error), float(wall) * 1e-3


def plain(step):
    """A step [s] as legwork writes it: 4e-3."""
    digits, exponent = f"{float(step):e}".split("e")
    return f"{float(digits):g}e{int(exponent)}"


def check_reference(golden, swing):
    """Start, efforts, end and duration of the peers are those of the golden file."""
    file = json.loads(golden.read_text())
    first, last = file["samples"][0], file["samples"][-1]
    given = [float(word) for word in swing.read_text().splitlines()[1].split()]
    assert given[9:12] == first["position"], "another start"
    assert given[12:15] == file["constant_effort"], "other efforts"
    assert given[15:18] == last["position"], "another end"
    assert given[19] == last["t"], "another duration"


def main():
    runs, golden, swing = map(pathlib.Path, sys.argv[1:4])
    check_reference(golden, swing)
    times, errors, count = {}, {}, {}
    for tool in ("legwork", "pinocchio", "mujoco", "drake"):
        files = sorted(runs.glob(f"{tool}.*"))
        count[tool] = len(files)
        for file in files:
            for key, error, seconds in lines(tool, file.read_text()):
                times.setdefault(key, []).append(seconds)
                assert errors.setdefault(key, error) == error, f"{key}: not the same error in every run"
        assert any(key[0].lower() == tool for key in times), f"no figures of {tool}"
    assert len(set(count.values())) == 1, count
    loads = sorted(float(file.read_text()) for file in runs.glob("load.*"))
    print("# End error against time on golden/delta_swing.json; made by ci/peers/work_precision.sh")
    for line in (runs / "conditions").read_text().splitlines():
        print(f"# {line}")
    print(f"# {count['legwork']} repetitions in turn, each the best of 3: median, best and quartiles of them")
    print(f"# load {loads[0]:.1f} to {loads[-1]:.1f}, median {statistics.median(loads):.1f}")
    print("tool,method,step_s,tolerance,error_m,time_s,best_s,low_s,high_s")
    for key, values in times.items():
        low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
        print(",".join(key) + f",{errors[key]:.3e},{middle:.3e},{min(values):.3e},{low:.3e},{high:.3e}")


main()
