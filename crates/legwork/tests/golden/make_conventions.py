#!/usr/bin/env python3
"""Reference vectors for the conventions of other rotary-Delta systems.

Run:  python3 make_conventions.py > conventions.json

Every function below solves the kinematics in the form, the frame and the parameters of the
system it is named after; nothing of legwork is used.  The formulas were written down here from
the description of each method; no source text was taken over.  Double precision throughout
(FluidNC itself computes in single precision).  No range checks of the systems are applied.

Before printing, every vector is checked three ways:
  * the system's own forward kinematics returns the position;
  * the rod length is right when elbows and platform joints are placed from the stated facts
    (azimuth, radii, height, sign of the angle) - this is what ties facts and formulas together;
  * the Williams numbers published elsewhere come out to the printed digits.
"""

import json
import math
import re
import sys

DEG = math.pi / 180.0
SQ3 = math.sqrt(3.0)


class Unreachable(Exception):
    pass


def root(value):
    if value < 0.0:
        raise Unreachable
    return math.sqrt(value)


def lowest_common_point(centres, length):
    """Three equal spheres, the tutorial's way: x and y as linear functions of z, then a quadratic.

    Used by the LinuxCNC and the FluidNC / Delta X / tutorial family.  The lower root is the robot.
    """
    (x1, y1, z1), second, third = centres

    def row(c):
        norm = sum(v * v for v in c) - (x1 * x1 + y1 * y1 + z1 * z1)
        return c[0] - x1, c[1] - y1, norm / 2.0, c[2] - z1

    m11, m12, k1, h1 = row(second)
    m21, m22, k2, h2 = row(third)
    det = m11 * m22 - m12 * m21
    px, qx = (k1 * m22 - k2 * m12) / det, -(h1 * m22 - h2 * m12) / det
    py, qy = (k2 * m11 - k1 * m21) / det, -(h2 * m11 - h1 * m21) / det
    qa = qx * qx + qy * qy + 1.0
    qb = 2.0 * (qx * (px - x1) + qy * (py - y1) - z1)
    qc = (px - x1) ** 2 + (py - y1) ** 2 + z1 * z1 - length * length
    z = (-qb - root(qb * qb - 4.0 * qa * qc)) / (2.0 * qa)
    return [px + qx * z, py + qy * z, z]


# ------------------------------------------------------------------------------------- LinuxCNC
# Circle of the knee and section of the shin sphere in the plane of one leg; their common chord is
# a line, its outer point is the knee.  Outward distance counts from the machine axis.

LINUXCNC_AZIMUTH = [270.0, 30.0, 150.0]


def linuxcnc_inverse(g, pos):
    pfr, tl, sl, fr = (g[k] for k in ("platformradius", "thighlength", "shinlength", "footradius"))
    angles = []
    for azimuth in LINUXCNC_AZIMUTH:
        turn = (270.0 - azimuth) * DEG  # bring the leg onto -y
        x = pos[0] * math.cos(turn) - pos[1] * math.sin(turn)
        ankle = fr - (pos[0] * math.sin(turn) + pos[1] * math.cos(turn))  # outward
        depth = -pos[2]
        # chord: knee_depth = c0 - c1 * knee_out
        c1 = (ankle - pfr) / depth
        c0 = (x * x + ankle * ankle + depth * depth + tl * tl - sl * sl - pfr * pfr) / (2.0 * depth)
        disc = tl * tl * (1.0 + c1 * c1) - (c0 - c1 * pfr) ** 2
        out = (pfr + c0 * c1 + root(disc)) / (1.0 + c1 * c1)
        angles.append(math.atan2(c0 - c1 * out, out - pfr) / DEG)
    return angles


def linuxcnc_forward(g, angles):
    pfr, tl, sl, fr = (g[k] for k in ("platformradius", "thighlength", "shinlength", "footradius"))
    reach = [pfr - fr + tl * math.cos(t * DEG) for t in angles]
    drop = [-tl * math.sin(t * DEG) for t in angles]
    half = SQ3 / 2.0
    centres = [
        (0.0, -reach[0], drop[0]),
        (half * reach[1], 0.5 * reach[1], drop[1]),
        (-half * reach[2], 0.5 * reach[2], drop[2]),
    ]
    return lowest_common_point(centres, sl)


# -------------------------------------------------------- FluidNC = Delta X = mzavatsky tutorial
# Both triangles carry their joints at the middle of the sides: distance side / 2 * tan 30.

FLUIDNC_AZIMUTH = [270.0, 30.0, 150.0]


def fluidnc_inverse(g, pos):
    rf, f, re_, e = (
        g[k] for k in ("crank_mm", "base_triangle_mm", "linkage_mm", "end_effector_triangle_mm")
    )
    y_motor = -0.5 * f * math.tan(30.0 * DEG)
    cos120, sin120 = -0.5, SQ3 / 2.0
    turned = [
        (pos[0], pos[1]),
        (pos[0] * cos120 + pos[1] * sin120, pos[1] * cos120 - pos[0] * sin120),
        (pos[0] * cos120 - pos[1] * sin120, pos[1] * cos120 + pos[0] * sin120),
    ]
    z = pos[2]
    angles = []
    for x, y in turned:
        y_joint = y - 0.5 * e * math.tan(30.0 * DEG)
        slope = (y_motor - y_joint) / z
        base = (x * x + y_joint**2 + z * z + rf * rf - re_ * re_ - y_motor**2) / (2.0 * z)
        disc = rf * rf * (slope * slope + 1.0) - (base + slope * y_motor) ** 2
        y_elbow = (y_motor - base * slope - root(disc)) / (slope * slope + 1.0)  # outer one
        z_elbow = base + slope * y_elbow
        angles.append(math.atan2(-z_elbow, y_motor - y_elbow) / DEG)
    return angles


def fluidnc_forward(g, angles):
    rf, f, re_, e = (
        g[k] for k in ("crank_mm", "base_triangle_mm", "linkage_mm", "end_effector_triangle_mm")
    )
    t = (f - e) * math.tan(30.0 * DEG) / 2.0
    arm = [t + rf * math.cos(a * DEG) for a in angles]
    low = [-rf * math.sin(a * DEG) for a in angles]
    y2, y3 = arm[1] * 0.5, arm[2] * 0.5
    tan60 = math.tan(60.0 * DEG)
    return lowest_common_point(
        [(0.0, -arm[0], low[0]), (y2 * tan60, y2, low[1]), (-y3 * tan60, y3, low[2])], re_
    )


# -------------------------------------------------------------------------------------- Klipper
# Planar two-bar problem in the frame of the shoulder (x outward, y up); the rod is shortened by
# the sideways offset.  The actuator position is the angle above the horizontal in radians.

KLIPPER_AZIMUTH = [30.0, 150.0, 270.0]
KLIPPER_STEPPERS = ("stepper_a", "stepper_b", "stepper_c")


def klipper_steppers(g):
    """Values of b and c default to those of a; the angle defaults to 30, 150, 270 degrees."""
    first = g["stepper_a"]
    out = []
    for name, azimuth in zip(KLIPPER_STEPPERS, KLIPPER_AZIMUTH):
        own = g.get(name, {})
        out.append(
            {
                "upper": own.get("upper_arm_length", first["upper_arm_length"]),
                "lower": own.get("lower_arm_length", first["lower_arm_length"]),
                "endstop": own.get("position_endstop", first["position_endstop"]),
                "angle": own.get("angle", azimuth),
            }
        )
    return out


def klipper_inverse(g, pos):
    angles = []
    for s in klipper_steppers(g):
        c, d = math.cos(s["angle"] * DEG), math.sin(s["angle"] * DEG)
        out = pos[0] * c + pos[1] * d - g["printer"]["shoulder_radius"]
        side = pos[1] * c - pos[0] * d
        up = pos[2] - g["printer"]["shoulder_height"]
        upper2, rod2 = s["upper"] ** 2, s["lower"] ** 2 - side * side
        # elbow on the line  elbow_up = k0 - k1 * elbow_out
        k0 = (out * out + up * up + upper2 - rod2) / (2.0 * up)
        k1 = out / up
        elbow_out = (k0 * k1 + root(upper2 * (1.0 + k1 * k1) - k0 * k0)) / (1.0 + k1 * k1)
        angles.append(math.atan2(k0 - k1 * elbow_out, elbow_out) / DEG)
    return angles


def klipper_forward(g, angles):
    """Trilateration in the orthonormal frame of the three elbows; rods may differ."""
    steppers = klipper_steppers(g)
    points = []
    for s, theta in zip(steppers, angles):
        r = g["printer"]["shoulder_radius"] + s["upper"] * math.cos(theta * DEG)
        h = g["printer"]["shoulder_height"] + s["upper"] * math.sin(theta * DEG)
        points.append([r * math.cos(s["angle"] * DEG), r * math.sin(s["angle"] * DEG), h])

    def sub(u, v):
        return [p - q for p, q in zip(u, v)]

    def dot(u, v):
        return sum(p * q for p, q in zip(u, v))

    def scaled(u, k):
        return [p * k for p in u]

    p12, p13 = sub(points[1], points[0]), sub(points[2], points[0])
    dist = math.sqrt(dot(p12, p12))
    ex = scaled(p12, 1.0 / dist)
    i = dot(ex, p13)
    rest = sub(p13, scaled(ex, i))
    j = math.sqrt(dot(rest, rest))
    ey = scaled(rest, 1.0 / j)
    ez = [
        ex[1] * ey[2] - ex[2] * ey[1],
        ex[2] * ey[0] - ex[0] * ey[2],
        ex[0] * ey[1] - ex[1] * ey[0],
    ]
    r1, r2, r3 = (s["lower"] ** 2 for s in steppers)
    u = (r1 - r2 + dist * dist) / (2.0 * dist)
    v = (r1 - r3 + i * i + j * j - 2.0 * i * u) / (2.0 * j)
    w = -root(r1 - u * u - v * v)
    return [points[0][k] + u * ex[k] + v * ey[k] + w * ez[k] for k in range(3)]


# ------------------------------------------------------------------------------------- Williams
# E cos + F sin + G = 0 per leg, solved by the tangent of the half angle (minus root: knees out).
# Base joints at the middle of the base sides, platform joints at the platform corners.

WILLIAMS_AZIMUTH = [270.0, 30.0, 150.0]


def williams_inverse(g, pos):
    s_b, s_p, big, small = (g[k] for k in ("sB", "sP", "L", "l"))
    w_b, u_p, w_p = s_b * SQ3 / 6.0, s_p * SQ3 / 3.0, s_p * SQ3 / 6.0
    a, b, c = w_b - u_p, s_p / 2.0 - w_b * SQ3 / 2.0, w_p - w_b / 2.0
    x, y, z = pos
    common = x * x + y * y + z * z + big * big - small * small
    efg = [
        (2.0 * big * (y + a), 2.0 * z * big, common + a * a + 2.0 * y * a),
        (
            -big * (SQ3 * (x + b) + y + c),
            2.0 * z * big,
            common + b * b + c * c + 2.0 * (x * b + y * c),
        ),
        (
            big * (SQ3 * (x - b) - y - c),
            2.0 * z * big,
            common + b * b + c * c + 2.0 * (y * c - x * b),
        ),
    ]
    return [2.0 * math.atan((-f - root(e * e + f * f - q * q)) / (q - e)) / DEG for e, f, q in efg]


def williams_forward_both(g, angles):
    """Both intersections of the three virtual spheres, the one below the base first."""
    s_b, s_p, big, small = (g[k] for k in ("sB", "sP", "L", "l"))
    w_b, u_p, w_p = s_b * SQ3 / 6.0, s_p * SQ3 / 3.0, s_p * SQ3 / 6.0
    co = [w_b + big * math.cos(t * DEG) for t in angles]
    si = [-big * math.sin(t * DEG) for t in angles]
    k1 = (0.0, -co[0] + u_p, si[0])
    k2 = (SQ3 / 2.0 * co[1] - s_p / 2.0, co[1] / 2.0 - w_p, si[1])
    k3 = (-SQ3 / 2.0 * co[2] + s_p / 2.0, co[2] / 2.0 - w_p, si[2])

    def plane(p, q):
        """Sphere p minus sphere q: linear, (nx, ny, nz, rhs)."""
        n = [2.0 * (v - u) for u, v in zip(p, q)]
        return n + [sum(v * v for v in q) - sum(u * u for u in p)]

    # The method divides by two differences of height: take as common sphere (k3) the one that
    # keeps both of them away from zero (on a plane of symmetry two heights are equal).
    def smallest_step(order):
        return min(abs(order[0][2] - order[2][2]), abs(order[1][2] - order[2][2]))

    k1, k2, k3 = max([(k1, k2, k3), (k2, k3, k1), (k3, k1, k2)], key=smallest_step)
    n1, n2 = plane(k1, k3), plane(k2, k3)
    if smallest_step((k1, k2, k3)) < 1e-12 * small:  # equal heights: x and y unique, z a quadratic
        det = n1[0] * n2[1] - n1[1] * n2[0]
        x = (n1[3] * n2[1] - n1[1] * n2[3]) / det
        y = (n1[0] * n2[3] - n1[3] * n2[0]) / det
        h = root(small * small - (x - k1[0]) ** 2 - (y - k1[1]) ** 2)
        both = [[x, y, k1[2] - h], [x, y, k1[2] + h]]
    else:  # z from each plane, equated: x(y), then z(y), then a quadratic in y
        r1, r2 = [v / n1[2] for v in n1], [v / n2[2] for v in n2]
        x_y = -(r1[1] - r2[1]) / (r1[0] - r2[0])
        x_0 = (r1[3] - r2[3]) / (r1[0] - r2[0])
        z_y = -r2[0] * x_y - r2[1]
        z_0 = r2[3] - r2[0] * x_0
        qa = x_y * x_y + 1.0 + z_y * z_y
        qb = 2.0 * (x_y * (x_0 - k1[0]) - k1[1] + z_y * (z_0 - k1[2]))
        qc = (x_0 - k1[0]) ** 2 + k1[1] ** 2 + (z_0 - k1[2]) ** 2 - small * small
        disc = root(qb * qb - 4.0 * qa * qc)
        both = []
        for y in ((-qb - disc) / (2.0 * qa), (-qb + disc) / (2.0 * qa)):
            both.append([x_y * y + x_0, y, z_y * y + z_0])
    return sorted(both, key=lambda p: p[2])


def williams_forward(g, angles):
    return williams_forward_both(g, angles)[0]


# ---------------------------------------------------------------------- facts, geometries, cases

def radii_linuxcnc(g):
    return {"R_A": g["platformradius"], "R_B": g["footradius"]}


def radii_fluidnc(g):
    return {
        "R_A": g["base_triangle_mm"] / (2.0 * SQ3),
        "R_B": g["end_effector_triangle_mm"] / (2.0 * SQ3),
    }


def radii_klipper(g):
    return {"R_A_minus_R_B": g["printer"]["shoulder_radius"]}


def radii_williams(g):
    return {"R_A": g["sB"] / (2.0 * SQ3), "R_B": g["sP"] / SQ3}


def spread(scale, heights):
    """Six positions: one on the axis, five off it; no two legs alike in the last four."""
    xy = [(0.0, 0.0), (0.0, -0.5), (0.4, 0.1), (-0.25, 0.35), (0.15, -0.45), (-0.3, -0.2)]
    return [[x * scale, y * scale, z] for (x, y), z in zip(xy, heights)]


SYSTEMS = {
    "linuxcnc": {
        "file": "LinuxCNC src/emc/kinematics/rotarydeltakins-common.h (revision 5983acda)",
        "length_unit": "machine unit",
        "angle_positive": "down",
        "azimuth": LINUXCNC_AZIMUTH,
        "inverse": linuxcnc_inverse,
        "forward": linuxcnc_forward,
        "radii": radii_linuxcnc,
        "geometries": [
            (
                "module default",
                {"platformradius": 10.0, "thighlength": 10.0, "shinlength": 14.0, "footradius": 6.0},
                spread(6.0, [-9.0, -10.0, -11.0, -12.0, -10.5, -8.5]),
            ),
            (
                "survey delta, mm",
                {"platformradius": 200.0, "thighlength": 300.0, "shinlength": 600.0, "footradius": 50.0},
                spread(300.0, [-450.0, -520.0, -600.0, -650.0, -580.0, -700.0]),
            ),
            (
                "DR-3iB size, mm",
                {"platformradius": 140.0, "thighlength": 565.0, "shinlength": 1260.0, "footradius": 75.0},
                spread(900.0, [-900.0, -1000.0, -1100.0, -1200.0, -1350.0, -1050.0]),
            ),
        ],
        "forward_angles": [[10.0, 20.0, 30.0], [-15.0, 40.0, 5.0]],
    },
    "klipper": {
        "file": "Klipper klippy/kinematics/rotary_delta.py, klippy/chelper/kin_rotary_delta.c, "
        "klippy/mathutil.py, docs/Config_Reference.md",
        "length_unit": "mm",
        "angle_positive": "up",
        "azimuth": KLIPPER_AZIMUTH,
        "inverse": klipper_inverse,
        "forward": klipper_forward,
        "radii": radii_klipper,
        "geometries": [
            (
                "example-rotary-delta.cfg",
                {
                    "printer": {"shoulder_radius": 33.9, "shoulder_height": 412.9},
                    "stepper_a": {
                        "upper_arm_length": 170.0,
                        "lower_arm_length": 320.0,
                        "position_endstop": 252.0,
                    },
                },
                spread(160.0, [0.0, 20.0, 60.0, 100.0, 140.0, 10.0]),
            ),
            (
                "tutorial sides 457.3 and 115",
                {
                    "printer": {"shoulder_radius": (457.3 - 115.0) / math.sqrt(12.0), "shoulder_height": 300.0},
                    "stepper_a": {
                        "upper_arm_length": 112.0,
                        "lower_arm_length": 232.0,
                        "position_endstop": 170.0,
                    },
                },
                spread(90.0, [100.0, 80.0, 60.0, 90.0, 40.0, 50.0]),
            ),
            (
                "arms, angles and endstops all different",
                {
                    "printer": {"shoulder_radius": 41.25, "shoulder_height": 405.5},
                    "stepper_a": {
                        "upper_arm_length": 170.0,
                        "lower_arm_length": 320.0,
                        "position_endstop": 252.0,
                        "angle": 29.25,
                    },
                    "stepper_b": {
                        "upper_arm_length": 170.8,
                        "lower_arm_length": 319.1,
                        "position_endstop": 250.5,
                        "angle": 151.5,
                    },
                    "stepper_c": {"lower_arm_length": 321.4, "position_endstop": 253.25},
                },
                spread(160.0, [0.0, 20.0, 60.0, 100.0, 140.0, 10.0]),
            ),
        ],
        "forward_angles": [[-10.0, -20.0, -30.0], [15.0, -40.0, -5.0]],
    },
    "fluidnc": {
        "file": "FluidNC FluidNC/src/Kinematics/ParallelDelta.cpp and .h; same formulas in Delta X "
        "Delta_Firmware/DeltaKinematics.cpp (RD_F, RD_E, RD_RF, RD_RE) and in the "
        "mzavatsky tutorial (f, e, rf, re)",
        "length_unit": "mm",
        "angle_positive": "down",
        "azimuth": FLUIDNC_AZIMUTH,
        "inverse": fluidnc_inverse,
        "forward": fluidnc_forward,
        "radii": radii_fluidnc,
        "geometries": [
            (
                "FluidNC default",
                {
                    "crank_mm": 70.0,
                    "base_triangle_mm": 179.437,
                    "linkage_mm": 133.5,
                    "end_effector_triangle_mm": 86.603,
                },
                spread(60.0, [-90.0, -110.0, -130.0, -140.0, -120.0, -150.0]),
            ),
            (
                "mzavatsky tutorial",
                {
                    "crank_mm": 112.0,
                    "base_triangle_mm": 457.3,
                    "linkage_mm": 232.0,
                    "end_effector_triangle_mm": 115.0,
                },
                spread(90.0, [-200.0, -220.0, -240.0, -210.0, -260.0, -250.0]),
            ),
            (
                "Delta X V2",
                {
                    "crank_mm": 120.0,
                    "base_triangle_mm": 260.0,
                    "linkage_mm": 305.0,
                    "end_effector_triangle_mm": 120.0,
                },
                spread(160.0, [-260.0, -280.0, -300.0, -330.0, -310.0, -350.0]),
            ),
        ],
        "forward_angles": [[10.0, 20.0, 30.0], [-15.0, 40.0, 5.0]],
    },
    "williams": {
        "file": "R. L. Williams II, The Delta Parallel Robot: Kinematics Solutions, 2016, read "
        "through public implementations (Eliascc5/Kinematic-of-Delta-Robot deltaRobot.py)",
        "length_unit": "m",
        "angle_positive": "down",
        "azimuth": WILLIAMS_AZIMUTH,
        "inverse": williams_inverse,
        "forward": williams_forward,
        "radii": radii_williams,
        "geometries": [
            (
                "ABB IRB 360-1/1600",
                {"sB": 0.567, "sP": 0.076, "L": 0.524, "l": 1.244},
                [
                    [0.0, 0.0, -0.9],
                    [0.3, 0.5, -1.1],
                    [0.0, -0.4, -1.0],
                    [-0.25, 0.35, -1.2],
                    [0.15, -0.45, -0.95],
                    [-0.3, -0.2, -1.3],
                ],
            ),
            (
                "small",
                {"sB": 0.3, "sP": 0.1, "L": 0.2, "l": 0.45},
                spread(0.25, [-0.35, -0.4, -0.45, -0.42, -0.5, -0.38]),
            ),
            (
                "platform radius larger than base radius",
                {"sB": 0.2, "sP": 0.15, "L": 0.25, "l": 0.5},
                spread(0.25, [-0.4, -0.45, -0.5, -0.42, -0.55, -0.48]),
            ),
        ],
        "forward_angles": [[10.0, 20.0, 30.0], [-15.0, 40.0, 5.0]],
    },
}


def leg_data(name, g):
    """Per leg: azimuth, R_A - R_B, arm, rod; and the height of the motors.  From the facts only."""
    if name == "klipper":
        r, h = g["printer"]["shoulder_radius"], g["printer"]["shoulder_height"]
        return [(s["angle"], r, s["upper"], s["lower"]) for s in klipper_steppers(g)], h
    keys = {
        "linuxcnc": ("thighlength", "shinlength"),
        "fluidnc": ("crank_mm", "linkage_mm"),
        "williams": ("L", "l"),
    }[name]
    radii = SYSTEMS[name]["radii"](g)
    r = radii["R_A"] - radii["R_B"]
    return [(az, r, g[keys[0]], g[keys[1]]) for az in SYSTEMS[name]["azimuth"]], 0.0


def check_facts(name, g, pos, angles):
    legs, height = leg_data(name, g)
    sign = 1.0 if SYSTEMS[name]["angle_positive"] == "up" else -1.0
    for (azimuth, r, arm, rod), theta in zip(legs, angles):
        out = r + arm * math.cos(theta * DEG)
        elbow = (
            out * math.cos(azimuth * DEG),
            out * math.sin(azimuth * DEG),
            height + sign * arm * math.sin(theta * DEG),
        )
        error = abs(math.dist(elbow, pos) - rod) / rod
        assert error < 1e-12, (name, pos, azimuth, error)


def check_round_trip(name, g, pos, angles):
    back = SYSTEMS[name]["forward"](g, angles)
    error = math.dist(back, pos) / leg_data(name, g)[0][0][3]
    assert error < 1e-11, (name, pos, back, error)


def tidy(values):
    return [round(v, 12) + 0.0 for v in values]


def build(name):
    s = SYSTEMS[name]
    geometries = []
    for title, g, positions in s["geometries"]:
        assert len(positions) == 6
        cases = []
        for pos in positions:
            pos = tidy(pos)
            angles = s["inverse"](g, pos)
            check_facts(name, g, pos, angles)
            check_round_trip(name, g, pos, angles)
            cases.append({"position": pos, "angles_deg": tidy(angles)})
        forward = []
        for angles in s["forward_angles"]:
            pos = s["forward"](g, angles)
            check_facts(name, g, pos, angles)
            forward.append({"angles_deg": angles, "position": tidy(pos)})
        entry = {
            "name": title,
            "parameters": g,
            "radii": s["radii"](g),
            "cases": cases,
            "forward_cases": forward,
        }
        if name == "klipper":
            endstop = [
                klipper_inverse(g, [0.0, 0.0, p["endstop"]])[i]
                for i, p in enumerate(klipper_steppers(g))
            ]
            entry["azimuth_deg"] = [p["angle"] for p in klipper_steppers(g)]
            entry["endstop_angles_deg"] = tidy(endstop)
            entry["home_position"] = tidy(klipper_forward(g, endstop))
        geometries.append(entry)
    out = {
        "source": s["file"],
        "length_unit": s["length_unit"],
        "angle_positive": s["angle_positive"],
        "azimuth_deg": s["azimuth"],
        "geometries": geometries,
    }
    return out


def outside_checks():
    """Numbers for the IRB 360-1/1600 known from elsewhere, to their printed digits."""
    g = SYSTEMS["williams"]["geometries"][0][1]
    checks = []

    def compare(what, got, want, half_digit):
        worst = max(abs(p - q) for p, q in zip(got, want))
        assert worst <= half_digit * 1.001, (what, got, want)
        checks.append({"what": what, "printed": want, "computed": tidy(got)})

    compare("IK(0,0,-0.9) deg", williams_inverse(g, [0, 0, -0.9]), [-20.547] * 3, 5e-4)
    compare("IK(0.3,0.5,-1.1) deg", williams_inverse(g, [0.3, 0.5, -1.1]), [47.504, -11.569, 21.378], 5e-4)
    low, high = williams_forward_both(g, [10.0, 20.0, 30.0])
    compare("FK(10,20,30 deg), below", low, [0.108135, -0.180348, -1.243541], 5e-7)
    compare("FK(10,20,30 deg), above", high, [-0.069861, 0.120100, 0.894509], 5e-7)
    low, high = williams_forward_both(g, [0.0, 0.0, 0.0])
    compare("FK(0,0,0), below", low, [0.0, 0.0, -1.064452], 5e-7)
    compare("FK(0,0,0), above", high, [0.0, 0.0, 1.064452], 5e-7)
    return checks


def main():
    data = {
        "provenance": "Computed by make_conventions.py in double precision, each system by its own "
        "form of the equations, in its own frame, parameters and units; legwork is not used. "
        "Angle 0 is the arm horizontal and outward in all of them. Elbows are outward, the "
        "platform is below the elbows. Azimuths in degrees from +x, counter-clockwise seen from "
        "+z, in the order of that system's motors; z points up in all of them; the motor plane is z = 0, "
        "for klipper z = shoulder_height (z = 0 is the bed). Klipper's actuator position is an "
        "angle in radians, given here in degrees, positive upward; its endstop angle of a leg is "
        "the inverse kinematics of that leg at (0, 0, position_endstop).",
        "systems": {name: build(name) for name in SYSTEMS},
        "outside_checks": {"system": "williams", "geometry": 0, "numbers": outside_checks()},
    }
    text = json.dumps(data, indent=1)
    text = re.sub(
        r"\[\s+([-+0-9.eE,\s]+?)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m.group(1)) + "]", text
    )
    assert json.loads(text) == data
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
