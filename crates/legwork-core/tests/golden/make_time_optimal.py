#!/usr/bin/env python3
"""Fastest motions by linear programming: makes time_optimal.json. Needs numpy and scipy.

Shares nothing with legwork but the statement of the problem. The robot is written down once more, as a
Lagrangian in the platform's coordinates with derivatives by complex step; the path's arc length is an adaptive
quadrature and a root; and all grid points are solved for at once: maximise the sum of x_i = s'^2 subject to the
limits at both ends of every interval, by HiGHS.
"""
import json
import numpy as np
import scipy
from scipy.integrate import quad
from scipy.optimize import brentq, linprog
from scipy.sparse import coo_matrix

# The robot `delta-industrial`.
R, A, B, G0 = 0.20 - 0.045, 0.35, 0.80, 9.81
PLATFORM, ARM, ELBOW, FOREARM, ROTOR = 0.5 + 1.0, 1.2, 0.15, 0.3, 0.02
AXIS = ARM * A**2 / 3 + ELBOW * A**2 + ROTOR
LEGS = [np.array([np.cos(f), np.sin(f), 0.0]) for f in (0.0, 2 * np.pi / 3, 4 * np.pi / 3)]
UP = np.array([0.0, 0.0, 1.0])


def legs(x):
    """Per leg: the row of q' = r x', the elbow's velocity per q', the elbow's height. Analytic, elbows out."""
    for e in LEGS:
        side = np.cross(UP, e)
        u, y, z = x @ e - R, x @ side, x @ UP
        rho2 = u * u + z * z
        g = (rho2 + y * y + A * A - B * B) / (2 * A)
        w = np.sqrt(rho2 - g * g)
        cos, minus_sin = (g * u - w * z) / rho2, (g * z + w * u) / rho2  # z < 0: the outer elbow
        elbow = e * (R + A * cos) + UP * (A * minus_sin)
        rate = A * (e * minus_sin - UP * cos)  # d elbow / dq, q positive down
        forearm = x - elbow
        yield forearm / (forearm @ rate), rate, A * minus_sin


def mass(x):
    m = PLATFORM * np.eye(3) + 0j
    for r, rate, _ in legs(x):
        ve = np.outer(rate, r)  # elbow velocity per platform velocity
        m = m + AXIS * np.outer(r, r)
        # Thin rod: m/6 (ve.ve + ve.vp + vp.vp) of kinetic energy
        m = m + FOREARM / 3 * (ve.T @ ve + np.eye(3)) + FOREARM / 6 * (ve + ve.T)
    return m


def potential(x):
    v = PLATFORM * G0 * x[2]
    for _, _, height in legs(x):
        v = v + G0 * ((ARM / 2 + ELBOW) * height + FOREARM * (height + x[2]) / 2)
    return v


H = 1e-30


def torque(x, v, a):
    bent = mass(x + 1j * H * v).imag / H @ v
    energy = np.array([(v @ mass(x + 1j * H * k) @ v).imag / H / 2 for k in np.eye(3)])
    weight = np.array([potential(x + 1j * H * k).imag / H for k in np.eye(3)])
    force = mass(x).real @ a + bent - energy + weight
    rows = np.array([r for r, _, _ in legs(x)]).real
    return np.linalg.solve(rows.T, force), rows @ v


def coefficients(p, p1, p2):
    zero = np.zeros(3)
    rest, _ = torque(p, zero, zero)
    moving, rates = torque(p, p1, p2)
    pushed, _ = torque(p, zero, p1)
    return pushed - rest, moving - rest, rest, rates


def adept(n, reach=0.025, middle=np.array([0.0, 0.0, -0.8])):
    """Up 25, across 305, down 25 mm; corners r(u) = C - d g(1-u) e1 + d g(u) e2, g = (5u^3 - 3u^4)/2."""
    height, width = 0.025, 0.305
    ex = np.array([1.0, 0.0, 0.0])
    g = [lambda u: (5 * u**3 - 3 * u**4) / 2, lambda u: (15 * u**2 - 12 * u**3) / 2, lambda u: 15 * u - 18 * u**2]

    def corner(c, e1, e2, u):
        p = c - reach * g[0](1 - u) * e1 + reach * g[0](u) * e2
        d1 = reach * (g[1](1 - u) * e1 + g[1](u) * e2)
        d2 = reach * (g[2](u) * e2 - g[2](1 - u) * e1)
        t = d1 / np.linalg.norm(d1)
        return p, t, (d2 - (d2 @ t) * t) / (d1 @ d1)

    speed = lambda u: reach * np.hypot(g[1](1 - u), g[1](u))
    upto = lambda u: quad(speed, 0, u, epsabs=1e-14, epsrel=1e-13)[0]
    bend, rise, run = upto(1.0), height - reach, width - 2 * reach
    a = middle - width / 2 * ex
    b = middle + width / 2 * ex
    parts = [("line", rise, a, UP), ("bend", bend, a + height * UP, UP, ex),
             ("line", run, a + height * UP + reach * ex, ex), ("bend", bend, b + height * UP, ex, -UP),
             ("line", rise, b + (height - reach) * UP, -UP)]
    parts = [part for part in parts if part[1] > 1e-12]
    length, s0, left, points = sum(part[1] for part in parts), 0.0, n, []
    for k, part in enumerate(parts):
        count = left if k == len(parts) - 1 else int(part[1] / (length - s0) * left + 0.5)
        left -= count
        for i in range(count + (k == len(parts) - 1)):
            s = part[1] * i / count
            if part[0] == "line":
                place = (part[2] + part[3] * s, part[3], np.zeros(3))
            else:
                u = 0.0 if s == 0 else 1.0 if i == count else brentq(lambda u: upto(u) - s, 0, 1, xtol=1e-15)
                place = corner(part[2], part[3], part[4], u)
            points.append((s0 + s, *place))
        s0 += part[1]
    return points


def arc(n, centre=np.array([0.05, 0.02, -0.8]), normal=np.array([0.6, 0.0, 0.8]), radius=0.15, angle=4.0):
    e = np.array([0.0, 1.0, 0.0])
    side = np.cross(normal, e)
    points = []
    for i in range(n + 1):
        f = angle * i / n
        spoke = np.cos(f) * e + np.sin(f) * side
        points.append((radius * f, centre + radius * spoke, np.cos(f) * side - np.sin(f) * e, -spoke / radius))
    return points


def fastest(points, effort, speed, ends):
    s = np.array([point[0] for point in points])
    a, b, c, q = (np.array(part) for part in zip(*(coefficients(*point[1:]) for point in points)))
    n = len(s)
    row, col, value, bound, k = [], [], [], [], 0
    for i in range(n - 1):
        h2 = 2 * (s[i + 1] - s[i])
        for j in (i, i + 1):  # at the start and at the end of the interval, u = (x_{i+1} - x_i)/h2
            for m in range(3):
                for sign in (1.0, -1.0):
                    for place, weight in ((i + 1, a[j, m] / h2), (i, -a[j, m] / h2), (j, b[j, m])):
                        row.append(k), col.append(place), value.append(sign * weight)
                    bound.append(effort - sign * c[j, m])
                    k += 1
    top = np.min((speed / np.maximum(abs(q), 1e-300)) ** 2, axis=1)
    limits = [(0.0, t if np.isfinite(t) and t < 1e6 else None) for t in top]
    limits[0], limits[-1] = (ends[0] ** 2,) * 2, (ends[1] ** 2,) * 2
    found = linprog(-np.ones(n), A_ub=coo_matrix((value, (row, col)), shape=(k, n)), b_ub=bound, bounds=limits,
                    method="highs", options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10})
    assert found.status == 0, found.message
    x = np.maximum(found.x, 0.0)
    return s, x, float(np.sum(2 * np.diff(s) / (np.sqrt(x[1:]) + np.sqrt(x[:-1]))))


def main():
    cases = []
    for name, points, effort, speed, ends in [
        ("adept", adept(150), 60.0, 1e6, (0.0, 0.0)),
        ("adept, slow motors", adept(150), 60.0, 4.0, (0.0, 0.0)),
        ("arc", arc(150), 20.0, 1e6, (0.3, 0.5)),
        ("adept, dense", adept(1000), 60.0, 1e6, (0.0, 0.0)),
    ]:
        s, x, duration = fastest(points, effort, speed, ends)
        print(name, len(s), duration)
        cases.append({"name": name, "intervals": len(s) - 1, "effort": effort, "speed": speed, "ends": ends,
                      "length": s[-1], "duration": duration, "s": list(s)[:: max(1, len(s) // 150)],
                      "speed_sq": list(x)[:: max(1, len(s) // 150)]})
    made = f"make_time_optimal.py, numpy {np.__version__}, scipy {scipy.__version__} (HiGHS)"
    with open("time_optimal.json", "w") as file:
        json.dump({"made_by": made, "robot": "delta-industrial", "cases": cases}, file, indent=None)
        file.write("\n")


main()
