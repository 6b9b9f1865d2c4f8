#!/usr/bin/env python3
"""Makes up mechanisms and computes them in maximal coordinates, for `legwork check`.

    mechanisms.py FOLDER [--count 40] [--seed 1] [--states 4]

Every body keeps its own six velocities, every joint is explicit constraint rows, dependent rows are found by singular
values: no algorithm is shared with legwork. The files have the format `legwork-golden-mechanism-1`, whose conventions
are written into each. Linkages with names come first (four-bars, overconstrained ones, serial arms, hexapods, a robot
on a robot), then platforms on legs of random joints. Needs numpy; one thread is fastest
(OPENBLAS_NUM_THREADS=1).
"""

import argparse
import json
import math
import pathlib

import numpy as np

CONVENTIONS = (
    "SI units. x_world = position + rotation x_body, rotations as rows. inertia_com about the centre of mass in body axes. "
    "Joint frames P and C: poses in parent and child. revolute: z_C = z_P, R_P^T R_C = Rz(q); prismatic: o_C = o_P + q z_P; "
    "cylindrical: both about and along z_P; universal: R_P^T R_C = Rz(q1) Ry(q2); spherical: o_C = o_P; planar: o_C in the "
    "x-y plane of P, z_C = z_P; fixed. Motor effort: on the child about or along z_P. twist = [velocity of the platform "
    "point; angular velocity]. Redundant actuation: efforts of least Euclidean norm."
)


# ------------------------------------------------------------------------------------------------ small things
def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0.0]])


def cross(a, b):
    """np.cross for single vectors: its generality takes longer than the product."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def turn(v):
    """exp of a rotation vector."""
    angle = np.linalg.norm(v)
    if angle < 1e-12:
        return np.eye(3) + skew(v)
    k = skew(v / angle)
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def unit(v):
    return np.asarray(v, float) / np.linalg.norm(v)


def frame_about(z, rng):
    """A rotation with this z axis, its x axis anywhere."""
    z = unit(z)
    x = cross(rng.normal(size=3), z)
    x = unit(x)
    return np.column_stack([x, cross(z, x), z])


def null_space(a, tolerance=1e-8):
    _, s, vt = np.linalg.svd(a)
    rank = int((s > tolerance * s[0]).sum()) if s.size else 0
    return vt[rank:].T, rank, s


def least(a, b, tolerance=1e-9):
    """The least-norm solution, small singular values dropped."""
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    keep = s > tolerance * s[0]
    return vt[keep].T @ ((u[:, keep].T @ b) / s[keep])


# ------------------------------------------------------------------------------------------------ a mechanism
class Mechanism:
    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        self.bodies, self.joints = {}, []
        self.gravity = np.array([0.0, 0.0, -9.81])
        self.platform, self.point = None, np.zeros(3)

    def body(self, name, at, mass=None, size=0.2):
        """A body somewhere near a point, with a frame turned anyhow and an inertia that is possible."""
        rng = self.rng
        spread = rng.normal(size=(3, 3)) * size * 0.3
        parts = spread @ spread.T + np.eye(3) * (0.1 * size) ** 2
        mass = mass if mass is not None else rng.uniform(0.3, 5.0)
        self.bodies[name] = {
            "mass": mass,
            "centre": rng.normal(size=3) * 0.2 * size,
            "inertia": mass * (np.trace(parts) * np.eye(3) - parts),
            "home": (np.asarray(at, float) + rng.normal(size=3) * 0.1 * size, turn(rng.normal(size=3))),
        }
        return name

    def joint(self, kind, parent, child, point, axis=None, second=None, motor=False, name=None):
        """Joined at a point of the world at home, by axes of the world."""
        rng = self.rng
        point = np.asarray(point, float)
        if kind in ("spherical", "fixed"):
            p = turn(rng.normal(size=3))
            c = p if kind == "fixed" else turn(rng.normal(size=3))
        elif kind == "universal":
            p = frame_about(axis, rng)
            y = unit(np.asarray(second, float) - unit(axis) * (unit(axis) @ second))
            z = unit(cross(rng.normal(size=3), y))
            c = np.column_stack([cross(y, z), y, z])
        else:
            p = frame_about(axis, rng)
            c = p if kind == "prismatic" else p @ turn(np.array([0, 0, rng.uniform(-3, 3)]))
        at_p, at_c = point, point
        if kind in ("cylindrical", "prismatic"):
            at_c = point + p[:, 2] * rng.uniform(-0.1, 0.1)
        if kind == "planar":
            at_c = point + p[:, :2] @ rng.uniform(-0.1, 0.1, size=2)
        self.joints.append({
            "name": name or f"joint{len(self.joints) + 1}", "type": kind, "parent": parent, "child": child,
            "P": self.local(parent, at_p, p), "C": self.local(child, at_c, c), "motor": motor,
            "inertia": rng.uniform(0.0, 0.2) if motor and rng.random() < 0.7 else 0.0,
        })
        return self.joints[-1]

    def local(self, body, point, rotation):
        if body == "world":
            return point, rotation
        position, turned = self.bodies[body]["home"]
        return turned.T @ (point - position), turned.T @ rotation

    # -------------------------------------------------------------------------------------------- positions
    def home(self):
        return {name: body["home"] for name, body in self.bodies.items()}

    def at(self, pose, body, place):
        offset, rotation = place
        if body == "world":
            return offset, rotation, offset
        position, turned = pose[body]
        return position + turned @ offset, turned @ rotation, turned @ offset

    def rows(self, pose, speed):
        """Residuals, rows on the bodies' velocities and their accelerations' bias, motors last."""
        index = {name: k for k, name in enumerate(self.bodies)}
        n = 6 * len(index)
        out = []

        def velocity(body):
            if body == "world":
                return np.zeros(3), np.zeros(3)
            k = 6 * index[body]
            return speed[k:k + 3], speed[k + 3:k + 6]

        motors = []
        for joint in self.joints:
            a, b = joint["parent"], joint["child"]
            op, rp, ra = self.at(pose, a, joint["P"])
            oc, rc, rb = self.at(pose, b, joint["C"])
            (va, wa), (vb, wb) = velocity(a), velocity(b)
            d, dd = oc - op, vb + cross(wb, rb) - va - cross(wa, ra)
            ddd = cross(wb, cross(wb, rb)) - cross(wa, cross(wa, ra))

            def row(on_a, on_b):
                line = np.zeros(n)
                for body, (lin, ang) in ((a, on_a), (b, on_b)):
                    if body != "world":
                        k = 6 * index[body]
                        line[k:k + 3] += lin
                        line[k + 3:k + 6] += ang
                return line

            def along(u):  # u fixed in a: u.(o_C - o_P)
                line = row((-u, cross(u, d) - cross(ra, u)), (u, cross(rb, u)))
                turned = cross(wa, u)
                return u @ d, line, cross(wa, turned) @ d + 2 * turned @ dd + u @ ddd

            def across(u, w):  # u fixed in a, w in b: u.w
                arm = cross(w, u)
                bias = (wb - wa) @ (cross(cross(wb, w), u) + cross(w, cross(wa, u)))
                return u @ w, row((np.zeros(3), -arm), (np.zeros(3), arm)), bias

            (xp, yp, zp), (_, yc, zc) = rp.T, rc.T
            kind = joint["type"]
            if kind in ("revolute", "spherical", "universal", "fixed"):
                for e in np.eye(3):
                    out.append((e @ d, row((-e, -cross(ra, e)), (e, cross(rb, e))), e @ ddd))
            if kind in ("prismatic", "cylindrical"):
                out += [along(xp), along(yp)]
            if kind == "planar":
                out += [along(zp)]
            if kind in ("revolute", "cylindrical", "planar", "prismatic", "fixed"):
                out += [across(xp, zc), across(yp, zc)]
            if kind in ("prismatic", "fixed"):
                out += [across(xp, yc)]
            if kind == "universal":
                out += [across(zp, yc)]
            if joint["motor"]:
                if kind == "revolute":
                    value = math.atan2(yp @ rc[:, 0], xp @ rc[:, 0])
                    line, bias = row((np.zeros(3), -zp), (np.zeros(3), zp)), cross(wa, zp) @ (wb - wa)
                else:
                    value, line, bias = along(zp)
                motors.append((value, line, bias))
        parts = [np.array([entry[k] for entry in out]) for k in range(3)]
        driven = [np.array([entry[k] for entry in motors]) for k in range(3)]
        return parts, driven

    def moved(self, pose, step):
        return {name: (position + step[6 * k:6 * k + 3], turn(step[6 * k + 3:6 * k + 6]) @ rotation)
                for k, (name, (position, rotation)) in enumerate(pose.items())}

    def closed(self, pose, wanted, chosen):
        """Newton to these motor coordinates; nothing if it does not close."""
        rest = np.zeros(6 * len(pose))
        for _ in range(25):
            (gap, rows, _), (value, lines, _) = self.rows(pose, rest)
            missing = wanted - value[chosen]
            turning = np.array([self.motors()[k]["type"] == "revolute" for k in chosen])
            missing = np.where(turning, (missing + math.pi) % (2 * math.pi) - math.pi, missing)
            size = max(abs(gap).max(), abs(missing).max())
            step = least(np.vstack([rows, lines[chosen]]), np.concatenate([-gap, missing]))
            if not np.isfinite(step).all() or np.linalg.norm(step) > 2:
                return None
            pose = self.moved(pose, step)
            if size < 1e-13 or (size < 1e-11 and np.linalg.norm(step) < 1e-13):
                return pose
        return pose if size < 1e-12 else None

    def motors(self):
        return [joint for joint in self.joints if joint["motor"]]

    # -------------------------------------------------------------------------------------------- dynamics
    def inertia(self, pose, speed):
        """Mass matrix, velocity forces, gravity forces, kinetic and potential energy of the bodies."""
        n = 6 * len(pose)
        mass, bias, weight, potential = np.zeros((n, n)), np.zeros(n), np.zeros(n), 0.0
        for k, (name, (position, rotation)) in enumerate(pose.items()):
            body = self.bodies[name]
            m, c = body["mass"], rotation @ body["centre"]
            about = rotation @ body["inertia"] @ rotation.T - m * skew(c) @ skew(c)
            block = np.block([[m * np.eye(3), -m * skew(c)], [m * skew(c), about]])
            at = slice(6 * k, 6 * k + 6)
            w = speed[6 * k + 3:6 * k + 6]
            mass[at, at] = block
            bias[at] = np.concatenate([m * cross(w, cross(w, c)), cross(w, about @ w)])
            weight[at] = np.concatenate([m * self.gravity, cross(c, m * self.gravity)])
            potential -= m * self.gravity @ (position + c)
        return mass, bias, weight, potential

    def platform_rows(self, pose, speed):
        names = list(pose)
        k = 6 * names.index(self.platform)
        position, rotation = pose[self.platform]
        r = rotation @ self.point
        w = speed[k + 3:k + 6]
        rows = np.zeros((6, 6 * len(names)))
        rows[:3, k:k + 3], rows[:3, k + 3:k + 6], rows[3:, k + 3:k + 6] = np.eye(3), -skew(r), np.eye(3)
        return rows, np.concatenate([cross(w, cross(w, r)), np.zeros(3)]), position + r, rotation

    def solve(self, pose, speed, qdd=None, effort=None, wrench=None):
        """Accelerations for given ones of the independent motors, or for efforts; the efforts of least norm."""
        (_, rows, gamma), (_, lines, bias_m) = self.rows(pose, speed)
        mass, bias, weight, _ = self.inertia(pose, speed)
        ia = np.array([joint["inertia"] for joint in self.motors()])
        mass = mass + lines.T @ (ia[:, None] * lines)
        bias = bias + lines.T @ (ia * bias_m)
        free, _, _ = null_space(rows)
        start = least(rows, -gamma)
        platform, _, _, _ = self.platform_rows(pose, speed)
        given = weight - bias + (platform.T @ wrench if wrench is not None else 0.0)
        reduced = free.T @ mass @ free
        if effort is not None:
            z = np.linalg.solve(reduced, free.T @ (lines.T @ effort + given - mass @ start))
            return start + free @ z
        seen = lines @ free
        z = least(seen, qdd - bias_m - lines @ start)
        idle, _, _ = null_space(seen)
        if idle.shape[1]:
            along = free @ idle
            z = z + idle @ np.linalg.solve(along.T @ mass @ along,
                                           along.T @ (given - mass @ (start + free @ z)))
        acceleration = start + free @ z
        return acceleration, least(seen.T, free.T @ (mass @ acceleration - given))


# ------------------------------------------------------------------------------------------------ a file
def mobility(machine, pose):
    (_, rows, _), (_, lines, _) = machine.rows(pose, np.zeros(6 * len(pose)))
    free, rank, s = null_space(rows)
    seen = lines @ free if len(machine.motors()) else np.zeros((1, free.shape[1]))
    idle, driven, sm = null_space(seen)
    platform, _, _, _ = machine.platform_rows(pose, np.zeros(6 * len(pose)))
    loose = np.abs(platform @ free @ idle).max() if idle.shape[1] else 0.0
    return dict(rows=rows.shape[0], rank=rank, free=free.shape[1], driven=driven, loose=loose,
                smallest=s[rank - 1] / s[0] if rank else 1.0,
                dropped=(s[rank] if rank < min(rows.shape) else 0.0) / s[0] if s.size else 0.0,
                smallest_motor=sm[driven - 1] / sm[0] if driven else 0.0)


def platform_map(machine, pose):
    """From rates of the motors to the platform's twist."""
    zero = np.zeros(6 * len(pose))
    (_, rows, _), (_, lines, _) = machine.rows(pose, zero)
    free, _, _ = null_space(rows)
    platform, _, _, _ = machine.platform_rows(pose, zero)
    return platform @ free @ np.linalg.pinv(lines @ free, rcond=1e-9)


def independent(matrix, count):
    """Rows that carry the rank, greedily the largest left over."""
    left, chosen = matrix.copy(), []
    for _ in range(count):
        k = int(np.argmax(np.linalg.norm(left, axis=1)))
        chosen.append(k)
        direction = left[k] / np.linalg.norm(left[k])
        left = left - np.outer(left @ direction, direction)
    return sorted(chosen)


def plain(x):
    if isinstance(x, dict):
        return {key: plain(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(value) for value in x]
    if isinstance(x, np.ndarray):
        return x.tolist()
    return x.item() if isinstance(x, np.generic) else x


def golden(machine, count, reach):
    """The file, or why there is none."""
    rng, home = machine.rng, machine.home()
    found = mobility(machine, home)
    motors = machine.motors()
    driven = found["driven"]
    idle = found["free"] - driven
    if driven == 0 or found["loose"] > 1e-9 or found["smallest"] < 1e-3 or found["smallest_motor"] < 0.02:
        return None, f"mobility {found}"
    rest = np.zeros(6 * len(home))
    (gap, rows, _), (start, lines, _) = machine.rows(home, rest)
    assert abs(gap).max() < 1e-12, gap
    free, _, _ = null_space(rows)
    chosen = list(range(driven))
    if np.linalg.svd(lines[:driven] @ free, compute_uv=False)[-1] < 0.02:
        return None, "the first motors are not independent"
    # Coordinates of the platform that tell where the motors are; a platform that does not has none.
    at_home = platform_map(machine, home)
    sizes = np.linalg.svd(at_home, compute_uv=False)
    moving = int((sizes > 1e-9 * sizes[0]).sum())
    if sizes[moving - 1] < 5e-3 * sizes[0]:
        return None, "the platform hardly moves in one of its freedoms"
    carried = moving == driven
    coordinates = independent(at_home, moving)
    side = np.linalg.det(at_home[coordinates]) if carried and len(motors) == driven else 0.0
    states, tries = [], 0
    while len(states) < count:
        tries += 1
        if tries > 8 * count:
            return None, "too few states"
        size = np.array([reach * (1.0 if joint["type"] == "revolute" else 0.35) for joint in motors])[chosen]
        target = start[chosen] + size * rng.uniform(-1, 1, size=len(chosen))
        pose, good = home, True
        for part in np.linspace(0, 1, 7)[1:]:
            before, pose = pose, machine.closed(pose, start[chosen] + part * (target - start[chosen]), chosen)
            # Back to where it came from, else the branch has ended in between and this is another one.
            back = pose and machine.closed(pose, machine.rows(before, rest)[1][0][chosen], chosen)
            if not back or max(np.abs(back[k][1] - before[k][1]).max() for k in before) > 1e-3:
                good = False
                break
            here = mobility(machine, pose)
            if here["rank"] != found["rank"] or here["driven"] != driven or here["smallest"] < 1e-3 \
                    or here["smallest_motor"] < 0.02:
                good = False
                break
            # No stretched leg on the way: the platform tells on which branch the motors are.
            if side and np.linalg.det(platform_map(machine, pose)[coordinates]) / side < 0.05:
                good = False
                break
        if not good:
            continue
        zero = np.zeros(6 * len(pose))
        (gap, rows, _), (q, lines, _) = machine.rows(pose, zero)
        free, _, _ = null_space(rows)
        seen = lines @ free
        rate = least(seen.T @ seen, seen.T @ (rng.normal(size=len(motors)) * 0.8))
        mass, _, _, _ = machine.inertia(pose, zero)
        ia = np.array([joint["inertia"] for joint in motors])
        full = mass + lines.T @ (ia[:, None] * lines)
        spin, _, _ = null_space(seen)
        speed = free @ rate
        if spin.shape[1]:  # no momentum of idle freedoms
            along = free @ spin
            speed = speed - along @ np.linalg.solve(along.T @ full @ along, along.T @ full @ speed)
        (_, rows, gamma), (q, lines, bias_m) = machine.rows(pose, speed)
        platform, platform_bias, position, rotation = machine.platform_rows(pose, speed)
        to_twist = platform @ free @ np.linalg.pinv(seen, rcond=1e-9)
        wish = rng.normal(size=len(motors)) * 4
        # Accelerations that the mechanism can have.
        can = least(rows, -gamma)
        qdd = lines @ can + bias_m + seen @ least(seen, wish - lines @ can - bias_m)
        acceleration, effort = machine.solve(pose, speed, qdd=qdd)
        _, gravity = machine.solve(pose, zero, qdd=np.zeros(len(motors)))
        wrench = rng.normal(size=6) * np.array([30, 30, 30, 8, 8, 8])
        _, pushed = machine.solve(pose, speed, qdd=qdd, wrench=wrench)
        given = rng.normal(size=len(motors)) * (1 + abs(effort).max())
        falling = machine.solve(pose, speed, effort=given)
        _, _, _, potential = machine.inertia(pose, speed)
        state = {
            "bodies": {name: {"position": at[0], "rotation": at[1]} for name, at in pose.items()},
            "motor": {"q": q, "qd": lines @ speed, "qdd": qdd},
            "platform": {"position": position, "rotation": rotation, "twist": platform @ speed,
                         "acceleration": platform @ acceleration + platform_bias},
            "effort": effort, "gravity_effort": gravity,
        }
        if len(motors) == driven:
            inner = np.linalg.inv(seen @ np.linalg.solve(free.T @ full @ free, seen.T))
            state["mass_matrix"] = inner
            state["coriolis_effort"] = effort - inner @ qdd - gravity
        state |= {
            "forward": {"effort": given, "qdd": lines @ falling + bias_m,
                        "platform_acceleration": platform @ falling + platform_bias},
            "external": {"wrench": wrench, "effort": pushed},
            "kinetic_energy": 0.5 * speed @ full @ speed, "potential_energy": potential,
        }
        if carried:
            length = 0.3
            scaled = np.diag([1, 1, 1, length, length, length]) @ to_twist
            s = np.linalg.svd(scaled, compute_uv=False)
            state["condition"] = s[0] / s[driven - 1]
        states.append(state)
    words = ["vx", "vy", "vz", "wx", "wy", "wz"]
    place = lambda at: {"position": at[0], "rotation": at[1]}
    return plain({
        "format": "legwork-golden-mechanism-1", "name": machine.name, "set": "made up",
        "description": "made up by ci/peers/mechanisms.py", "conventions": CONVENTIONS,
        "method": "maximal coordinates, null space by singular values",
        "gravity": machine.gravity,
        "bodies": [{"name": name, "mass": body["mass"], "centre": body["centre"], "inertia_com": body["inertia"]}
                   for name, body in machine.bodies.items()],
        "joints": [{"name": joint["name"], "type": joint["type"], "parent": joint["parent"],
                    "parent_frame": place(joint["P"]), "child": joint["child"], "child_frame": place(joint["C"]),
                    "motor": joint["motor"]} | ({"actuator_inertia": joint["inertia"]} if joint["motor"] else {})
                   for joint in machine.joints],
        "platform": machine.platform, "platform_point": machine.point,
        "mobility": found["free"], "idle_freedoms": idle, "redundant_constraints": found["rows"] - found["rank"],
        "constraint_rows": found["rows"], "motors": [joint["name"] for joint in motors],
        "coordinates": [words[k] for k in coordinates], "characteristic_length": 0.3, "motor_length": 1.0,
        "home": {"bodies": {name: place(at) for name, at in home.items()}, "q": start},
        "branch": f"reached from home along a straight line in the first {driven} motor coordinates",
        "self_check": {"dropped": found["dropped"], "kept": found["smallest"]},
        "states": states,
    }), None


# ------------------------------------------------------------------------------------------------ linkages with names
def tilted(rng):
    return turn(rng.normal(size=3)), rng.normal(size=3) * 0.5


def planar_chain(m, base, corners, parents, kinds="R", motors=(), out=None):
    """Revolute joints with one direction at the corners of a plane figure."""
    turned, at = base
    z = turned[:, 2]
    for k, ((x, y), (a, b)) in enumerate(zip(corners, parents)):
        kind = "prismatic" if kinds != "R" and kinds[k] == "P" else "revolute"
        axis = z if kind == "revolute" else turned @ np.array([*out[k], 0.0])
        m.joint(kind, a, b, at + turned @ np.array([x, y, m.rng.normal() * 0.1]), axis, motor=k in motors)


def four_bar(rng):
    m = Mechanism("four-bar", rng)
    base = tilted(rng)
    for name, (x, y) in {"crank": (0, 0.1), "coupler": (0.25, 0.3), "rocker": (0.5, 0.15)}.items():
        m.body(name, base[1] + base[0] @ np.array([x, y, 0]))
    planar_chain(m, base, [(0, 0), (0.03, 0.2), (0.55, 0.4), (0.5, 0)],
                 [("world", "crank"), ("crank", "coupler"), ("rocker", "coupler"), ("world", "rocker")], motors=(0,))
    m.platform = "coupler"
    return m


def slider_crank(rng):
    m = Mechanism("slider-crank", rng)
    base = tilted(rng)
    for name, (x, y) in {"crank": (0, 0.1), "rod": (0.25, 0.1), "slider": (0.5, 0.0)}.items():
        m.body(name, base[1] + base[0] @ np.array([x, y, 0]))
    planar_chain(m, base, [(0, 0), (0.05, 0.2), (0.6, 0.02), (0.6, 0.02)],
                 [("world", "crank"), ("crank", "rod"), ("rod", "slider"), ("slider", "world")], kinds="RRRP",
                 out=[None, None, None, (1, 0.1)], motors=(0,))
    m.platform = "rod"
    return m


def six_bar(rng):
    m = Mechanism("stephenson-six-bar", rng)
    base = tilted(rng)
    for name, (x, y) in {"crank": (0, 0.1), "coupler": (0.25, 0.3), "rocker": (0.5, 0.15), "link": (0.5, 0.6),
                         "arm": (0.8, 0.4)}.items():
        m.body(name, base[1] + base[0] @ np.array([x, y, 0]))
    planar_chain(m, base, [(0, 0), (0.03, 0.2), (0.55, 0.4), (0.5, 0), (0.3, 0.6), (0.8, 0.75), (0.9, 0.1)],
                 [("world", "crank"), ("crank", "coupler"), ("rocker", "coupler"), ("world", "rocker"),
                  ("coupler", "link"), ("link", "arm"), ("arm", "world")], motors=(0,))
    m.platform = "arm"
    return m


def parallelogram_chain(rng):
    """Three cranks of equal length and direction: overconstrained by more than a plane is."""
    m = Mechanism("three-cranks", rng)
    base = tilted(rng)
    m.body("bar", base[1] + base[0] @ np.array([0.3, 0.3, 0]))
    corners, pairs = [], []
    for k, x in enumerate((0.0, 0.25, 0.7)):
        m.body(f"crank{k}", base[1] + base[0] @ np.array([x, 0.1, 0]))
        corners += [(x, 0.02 * x), (x + 0.1, 0.3 + 0.02 * x)]
        pairs += [("world", f"crank{k}"), (f"crank{k}", "bar")]
    planar_chain(m, base, corners, pairs, motors=(0,))
    m.platform = "bar"
    return m


def redundant_planar(rng):
    """4-RRR: four motors for three freedoms."""
    m = Mechanism("4-rrr", rng)
    base = tilted(rng)
    m.body("plate", base[1])
    corners, pairs, motors = [], [], []
    for k, angle in enumerate((0.2, 1.7, 3.3, 4.9)):
        foot = 0.6 * np.array([math.cos(angle), math.sin(angle)])
        tip = 0.12 * np.array([math.cos(angle + 0.4), math.sin(angle + 0.4)])
        elbow = 0.5 * (foot + tip) + 0.25 * np.array([-math.sin(angle), math.cos(angle)])
        for name, p in ((f"arm{k}", (foot + elbow) / 2), (f"rod{k}", (tip + elbow) / 2)):
            m.body(name, base[1] + base[0] @ np.array([*p, 0]))
        motors.append(len(corners))
        corners += [foot, elbow, tip]
        pairs += [("world", f"arm{k}"), (f"arm{k}", f"rod{k}"), (f"rod{k}", "plate")]
    planar_chain(m, base, corners, pairs, motors=motors)
    m.platform = "plate"
    return m


def rssr(rng, last="spherical"):
    m = Mechanism(f"rs-{last}-r", rng)
    m.body("crank", [0, 0.1, 0.1])
    m.body("coupler", [0.3, 0.3, 0.2])
    m.body("rocker", [0.6, 0.2, 0.1])
    a, b = np.array([0.0, 0.15, 0.2]), np.array([0.6, 0.45, 0.25])
    m.joint("revolute", "world", "crank", [0, 0, 0], [0.2, 0.1, 1], motor=True)
    m.joint("spherical", "crank", "coupler", a)
    if last == "universal":
        m.joint(last, "coupler", "rocker", b, [0.2, 1, 0.3], [1, 0.1, 0.4])
    else:
        m.joint(last, "rocker", "coupler", b)
    m.joint("revolute", "rocker", "world", [0.6, 0, 0], [0.9, 0.2, -0.4])
    m.platform = "rocker"
    return m


def rccc(rng):
    m = Mechanism("rccc", rng)
    for k in range(3):
        m.body(f"link{k}", rng.normal(size=3) * 0.3)
    m.joint("revolute", "world", "link0", [0, 0, 0], [0, 0.2, 1], motor=True)
    m.joint("cylindrical", "link0", "link1", [0.3, 0.1, 0.1], [0.8, 0.4, 0.3])
    m.joint("cylindrical", "link2", "link1", [0.5, 0.5, 0.1], [-0.3, 0.9, 0.2])
    m.joint("cylindrical", "world", "link2", [0.1, 0.6, 0.2], [0.4, -0.2, 0.9])
    m.platform = "link1"
    return m


def bennett(rng):
    """Four skew revolutes: sin(alpha)/a = sin(beta)/b, links opposite each other equal."""
    m = Mechanism("bennett", rng)
    a, b, alpha = 0.4, 0.3, math.radians(50)
    beta = math.asin(b * math.sin(alpha) / a)
    lengths, twists = [a, b, a, b], [alpha, beta, alpha, beta]
    theta1 = 1.1
    # tan(t1/2) tan(t2/2) = sin((beta+alpha)/2)/sin((beta-alpha)/2), angles opposite each other of opposite sign
    t2 = 2 * math.atan(math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2) / math.tan(theta1 / 2))
    angles = [theta1, t2, -theta1, -t2]
    turned, at = np.eye(3), np.zeros(3)
    frames = []
    for length, twist, angle in zip(lengths, twists, angles):
        turned = turned @ turn(np.array([0, 0, angle]))
        frames.append((at.copy(), turned[:, 2].copy()))
        at = at + turned @ np.array([length, 0, 0])
        turned = turned @ turn(np.array([twist, 0, 0]))
    if np.linalg.norm(at) > 1e-9 or np.linalg.norm(turned - np.eye(3)) > 1e-9:
        return None
    base, shift = tilted(rng)
    for k in range(3):
        m.body(f"link{k}", shift + base @ (frames[k][0] + frames[k + 1][0]) / 2)
    names = ["world", "link0", "link1", "link2"]
    for k, (point, axis) in enumerate(frames):
        m.joint("revolute", names[k], names[(k + 1) % 4], shift + base @ point, base @ axis, motor=k == 0)
    m.platform = "link1"
    return m


def sarrus(rng):
    m = Mechanism("sarrus", rng)
    base, at = tilted(rng)
    m.body("plate", at + base @ np.array([0, 0, 0.5]))
    for k, angle in enumerate((0.0, 1.6, 3.4)):
        e, t = np.array([math.cos(angle), math.sin(angle), 0]), np.array([-math.sin(angle), math.cos(angle), 0])
        points = [0.3 * e, 0.45 * e + [0, 0, 0.25], 0.28 * e + [0, 0, 0.5]]
        m.body(f"lower{k}", at + base @ points[1])
        m.body(f"upper{k}", at + base @ points[2])
        chain = ["world", f"lower{k}", f"upper{k}", "plate"]
        for i, point in enumerate(points):
            m.joint("revolute", chain[i], chain[i + 1], at + base @ point, base @ t, motor=k == 0 and i == 0)
    m.platform = "plate"
    return m


def serial_arm(rng, count=6):
    m = Mechanism(f"serial-arm-{count}", rng)
    before, at = "world", np.zeros(3)
    for k in range(count):
        name = m.body(f"link{k}", at + [0.1, 0, 0.1])
        kind = "prismatic" if k == 2 else "revolute"
        pair = (before, name) if rng.random() < 0.7 else (name, before)
        m.joint(kind, *pair, at, rng.normal(size=3), motor=True)
        before, at = name, at + rng.normal(size=3) * 0.25
    m.platform = before
    return m


def hexapod(rng, kind="ups", platform="plate", base="world", m=None, centre=(0, 0, 0), prefix="", size=1.0):
    m = m or Mechanism(f"hexapod-{kind}", rng)
    centre = np.asarray(centre, float)
    m.body(platform, centre + [0, 0, 0.7 * size])
    for k in range(6):
        angle = k * math.pi / 3
        foot = centre + size * np.array([0.5 * math.cos(angle + 0.25 * (-1) ** k),
                                         0.5 * math.sin(angle + 0.25 * (-1) ** k), 0.02 * rng.normal()])
        tip = centre + size * np.array([0.3 * math.cos(angle - 0.3 * (-1) ** k),
                                        0.3 * math.sin(angle - 0.3 * (-1) ** k), 0.7 + 0.02 * rng.normal()])
        along = unit(tip - foot)
        lower, upper = m.body(f"{prefix}lower{k}", foot + 0.3 * (tip - foot)), m.body(f"{prefix}upper{k}", foot + 0.7 * (tip - foot))
        if kind == "sps":
            m.joint("spherical", base, lower, foot)
        else:
            first = unit(cross(along, rng.normal(size=3)))
            m.joint("universal", base, lower, foot, first, cross(first, along))
        if kind == "ucu":
            m.joint("cylindrical", lower, upper, foot, along)
        else:
            m.joint("prismatic", lower, upper, foot, along, motor=True)
        if kind == "ucu":
            first = unit(cross(along, rng.normal(size=3)))
            m.joint("universal", upper, platform, tip, first, cross(first, along))
        else:
            m.joint("spherical", upper, platform, tip)
    m.platform = platform
    return m


def robot_on_robot(rng):
    """A planar 3-RRR table on a hexapod: nine motors."""
    m = hexapod(rng, platform="deck", prefix="leg_")
    m.name = "table-on-hexapod"
    base = (turn(np.array([0.02, -0.03, 0.1])), np.array([0, 0, 0.9]))
    m.body("table", base[1], size=0.1)
    corners, pairs, motors = [], [], []
    for k, angle in enumerate((0.2, 2.3, 4.4)):
        foot = 0.3 * np.array([math.cos(angle), math.sin(angle)])
        tip = 0.06 * np.array([math.cos(angle + 0.4), math.sin(angle + 0.4)])
        elbow = 0.5 * (foot + tip) + 0.13 * np.array([-math.sin(angle), math.cos(angle)])
        for name, p in ((f"arm{k}", foot), (f"rod{k}", elbow)):
            m.body(name, base[1] + base[0] @ np.array([*p, 0]), size=0.1)
        motors.append(len(corners))
        corners += [foot, elbow, tip]
        pairs += [("deck", f"arm{k}"), (f"arm{k}", f"rod{k}"), (f"rod{k}", "table")]
    planar_chain(m, base, corners, pairs, motors=motors)
    m.platform = "table"
    return m


def delta_on_hexapod(rng):
    """A Delta with two rods on each arm, hanging on the deck of a hexapod: nine motors, and six rods that spin."""
    m = hexapod(rng, platform="deck", prefix="leg_")
    m.name = "delta-on-hexapod"
    at = turn(np.array([0.03, -0.02, 0.2])), np.array([0.02, -0.01, 0.66])
    place = lambda p: at[1] + at[0] @ np.asarray(p, float)  # noqa: E731
    m.body("plate", place([0, 0, -0.35]), size=0.08)
    for k in range(3):
        angle = 2 * math.pi * k / 3 + 0.1
        e, t = np.array([math.cos(angle), math.sin(angle), 0]), np.array([-math.sin(angle), math.cos(angle), 0])
        elbow = 0.28 * e + [0, 0, -0.05]
        arm = m.body(f"arm{k}", place(0.2 * e), size=0.1)
        m.joint("revolute", "deck", arm, place(0.12 * e), at[0] @ t, motor=True)
        for side in (-1, 1):
            start, end = elbow + side * 0.04 * t, 0.05 * e + side * 0.04 * t + [0, 0, -0.35]
            rod = m.body(f"rod{k}_{'ab'[side > 0]}", place(0.5 * (start + end)), size=0.02)
            m.joint("spherical", arm, rod, place(start))
            m.joint("spherical", rod, "plate", place(end))
    m.platform = "plate"
    return m


def welded(rng):
    """A five-bar whose links are two bodies each."""
    m = Mechanism("welded-five-bar", rng)
    base = tilted(rng)
    corners = [(0, 0), (-0.1, 0.3), (0.25, 0.55), (0.6, 0.3), (0.5, 0)]
    names = ["left_arm", "left_rod", "right_rod", "right_arm"]
    for k, name in enumerate(names):
        m.body(name, base[1] + base[0] @ np.array([*corners[k], 0]))
        m.body(name + "_load", base[1] + base[0] @ np.array([*corners[k + 1], 0]), size=0.05)
    chain = ["world", *names, "world"]
    for k, (x, y) in enumerate(corners):
        a, b = chain[k], chain[k + 1]
        if k == 2:
            a = a + "_load"
        m.joint("revolute", a, b, base[1] + base[0] @ np.array([x, y, 0]), base[0][:, 2], motor=k in (0, 4))
    for name in names:
        m.joint("fixed", name, name + "_load", base[1])
    m.platform = "left_rod_load"
    return m


NAMED = [four_bar, slider_crank, six_bar, parallelogram_chain, redundant_planar, rssr,
         lambda rng: rssr(rng, "universal"), rccc, bennett, sarrus, serial_arm, lambda rng: serial_arm(rng, 3),
         hexapod, lambda rng: hexapod(rng, "sps"), robot_on_robot, welded, delta_on_hexapod]


# ------------------------------------------------------------------------------------------------ random legs
FREE = {"revolute": 1, "prismatic": 1, "cylindrical": 2, "universal": 2, "spherical": 3, "planar": 3}


def random_legs(rng, number):
    """A platform on legs of random joints; motors wherever they can be."""
    m = Mechanism(f"random-{number}", rng)
    shift = rng.normal(size=3) * (5.0 if rng.random() < 0.2 else 0.3)
    m.gravity = np.array([0.0, 0.0, -9.81]) if rng.random() < 0.5 else rng.normal(size=3) * 6
    top = shift + np.array([0, 0, 0.6])
    m.body("platform", top)
    for leg in range(int(rng.integers(2, 6))):
        angle = leg * 2.2 + rng.uniform(-0.3, 0.3)
        foot = shift + np.array([0.5 * math.cos(angle), 0.5 * math.sin(angle), rng.uniform(-0.1, 0.1)])
        tip = top + np.array([0.2 * math.cos(angle), 0.2 * math.sin(angle), rng.uniform(-0.05, 0.05)])
        kinds, total = [], 0
        while total < 4 or (total < 6 and rng.random() < 0.6):
            kind = str(rng.choice(list(FREE), p=[0.34, 0.2, 0.1, 0.16, 0.14, 0.06]))
            if total + FREE[kind] <= 6:
                kinds.append(kind)
                total += FREE[kind]
        before = "world"
        for k, kind in enumerate(kinds):
            part = k / max(1, len(kinds) - 1)
            point = foot + part * (tip - foot) + (rng.normal(size=3) * 0.08 if 0 < k < len(kinds) - 1 else 0)
            name = "platform" if k == len(kinds) - 1 else m.body(f"leg{leg}_{k}", point, size=0.15)
            pair = (before, name) if rng.random() < 0.75 else (name, before)
            m.joint(kind, *pair, point, rng.normal(size=3), rng.normal(size=3), name=f"leg{leg}_joint{k}")
            before = name
    m.platform = "platform"
    m.point = rng.normal(size=3) * 0.1
    # Motors, one after the other, as long as each moves something that was free.
    home = m.home()
    (_, rows, _), _ = m.rows(home, np.zeros(6 * len(home)))
    free, rank, s = null_space(rows)
    if rank < rows.shape[0] or not 1 <= free.shape[1] <= 9 or s[-1] < 2e-3:
        return None
    candidates = [joint for joint in m.joints if joint["type"] in ("revolute", "prismatic")]
    rng.shuffle(candidates)
    have = 0
    for joint in candidates:
        joint["motor"] = True
        _, (_, lines, _) = m.rows(home, np.zeros(6 * len(home)))
        s = np.linalg.svd(lines @ free, compute_uv=False)
        if (s > 0.05).sum() > have:
            have += 1
            joint["inertia"] = rng.uniform(0, 0.1)
        else:
            joint["motor"] = False
    return m if have else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=40, help="mechanisms with random legs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--states", type=int, default=4)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    written = 0

    def write(machine, reach):
        nonlocal written
        file, why = golden(machine, options.states, reach)
        if file is None:
            print(f"{machine.name}: left out, {why}")
            return False
        (options.folder / f"{machine.name}.json").write_text(json.dumps(file))
        written += 1
        return True

    for k, make in enumerate(NAMED):
        machine = make(np.random.default_rng([options.seed, k]))
        if machine is not None:
            write(machine, 0.35)
    number, made = 0, 0
    while made < options.count and number < 100 * options.count:
        number += 1
        machine = random_legs(np.random.default_rng([options.seed, 1000 + number]), number)
        if machine is not None and write(machine, 0.25):
            made += 1
    print(f"{written} files in {options.folder}")


if __name__ == "__main__":
    main()
