"""Numbers of base parameters in maximal coordinates: a second route, without legwork.

Every body has its ten numbers. From the inverse kinematics of each robot, written here once more, poses of all bodies along
x(t) are differentiated by central differences of sixth order; the principle of virtual work gives the
row of each freedom, tau = sum_b (dV_b/dxdot)^T Y_b phi_b, and equal legs share their columns.
"""
import numpy as np
rng = np.random.default_rng(1)
G = np.array([0, 0, -9.81])

def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])

def regressor(R, p, w, a0, dw, g):
    """Wrench about the body's origin, in base axes, by M, MS, I about the origin in body axes."""
    a = a0 - g
    Y = np.zeros((6, 10))
    Y[:3, 0] = a
    Y[:3, 1:4] = (skew(dw) + skew(w) @ skew(w)) @ R
    Y[3:, 1:4] = -skew(a) @ R
    L = lambda v: np.array([[v[0], 0, 0, v[1], v[2], 0], [0, v[1], 0, v[0], 0, v[2]], [0, 0, v[2], 0, v[0], v[1]]])
    wb, dwb = R.T @ w, R.T @ dw
    Y[3:, 4:] = R @ (L(dwb) + skew(wb) @ L(wb))
    return Y

# A bar along x with no inertia about its length: mass, first moment, inertia across.
BAR = np.zeros((10, 3)); BAR[0, 0] = BAR[1, 1] = BAR[5, 2] = BAR[6, 2] = 1


def rank(bodies, n, plane, groups, limits=0.1, states=60, bars=()):
    """bodies(x) -> list of (R, p); groups: which columns each body shares, those in `bars` of a bar; n freedoms."""
    g = np.array([0, -9.81, 0]) if plane else G
    rows = []
    h = 1e-3
    c1 = np.array([1, -9, 45, 0, -45, 9, -1]) / -60.0
    c2 = np.array([2, -27, 270, -490, 270, -27, 2]) / 180.0
    for _ in range(states):
        x0, v, a = (rng.uniform(-1, 1, n) for _ in range(3))
        x0 = x0 * limits
        v, a = v, 4 * a
        path = [bodies(x0 + v * t + 0.5 * a * t * t) for t in h * np.arange(-3, 4)]
        lines = np.zeros((n, 10 * (max(groups) + 1)))
        jac = []
        for k in range(n):
            e = np.zeros(n); e[k] = 1
            jac.append([bodies(x0 + e * t) for t in h * np.arange(-3, 4)])
        for b, block in enumerate(groups):
            Rs = [s[b][0] for s in path]; ps = [s[b][1] for s in path]
            R, p = Rs[3], ps[3]
            Rd = sum(c * M for c, M in zip(c1, Rs)) / h
            Rdd = sum(c * M for c, M in zip(c2, Rs)) / h**2
            W = Rd @ R.T
            w = np.array([W[2, 1], W[0, 2], W[1, 0]])
            D = Rdd @ R.T - W @ W
            dw = np.array([D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]]) / 2
            acc = sum(c * q for c, q in zip(c2, ps)) / h**2
            Y = regressor(R, p, w, acc, dw, g)
            for k in range(n):
                Rk = sum(c * s[b][0] for c, s in zip(c1, jac[k])) / h @ R.T
                vk = sum(c * s[b][1] for c, s in zip(c1, jac[k])) / h
                J = np.concatenate([vk, [Rk[2, 1], Rk[0, 2], Rk[1, 0]]])
                lines[k, 10 * block:10 * block + 10] += J @ Y
        rows.append(lines)
    W = np.concatenate(rows)
    blocks = [W[:, 10 * k:10 * k + 10] @ (BAR if k in bars else np.eye(10)) for k in range(max(groups) + 1)]
    W = np.concatenate(blocks, axis=1)
    size = np.linalg.norm(W, axis=0)
    W = W[:, size > 1e-7 * size.max()] 
    W /= np.linalg.norm(W, axis=0)
    s = np.linalg.svd(W, compute_uv=False)
    s /= s[0]
    r = int(np.argmin(s[1:] / s[:-1])) + 1 if s[-1] < 1e-4 else len(s)
    return r, s[r - 1], s[r] if r < len(s) else 0.0

rz = lambda t: np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])

def five_bar(d=0.15, l1=0.25, l2=0.35, y0=0.4):
    def bodies(x):
        P = np.array([x[0], y0 + x[1]])
        out = []
        for s in (-1, 1):
            A = np.array([s * d, 0]); u = P - A; r = np.hypot(*u)
            q = np.arctan2(u[1], u[0]) - s * np.arccos((l1**2 + r**2 - l2**2) / (2 * l1 * r))
            E = A + l1 * np.array([np.cos(q), np.sin(q)])
            phi = np.arctan2(*(P - E)[::-1])
            out += [(rz(q), np.array([*A, 0])), (rz(phi), np.array([*E, 0]))]
        return out + [(np.eye(3), np.array([*P, 0]))]
    return bodies

def rrr3(rb=0.4, rp=0.09, l1=0.22, l2=0.24):
    az = np.radians([-90, 30, 150])
    def bodies(x):
        T = rz(x[2]); C = np.array([x[0], x[1], 0]); out = []
        for f in az:
            A = rb * np.array([np.cos(f), np.sin(f), 0]); P = C + T @ (rp * np.array([np.cos(f), np.sin(f), 0]))
            u = P - A; r = np.linalg.norm(u)
            q = np.arctan2(u[1], u[0]) + np.arccos((l1**2 + r**2 - l2**2) / (2 * l1 * r))
            E = A + l1 * np.array([np.cos(q), np.sin(q), 0])
            phi = np.arctan2((P - E)[1], (P - E)[0])
            out += [(rz(q), A), (rz(phi), E)]
        return out + [(T, C)]
    return bodies

def delta(RA=0.2, RB=0.045, a=0.35, b=0.8, z0=-0.75):
    def bodies(x):
        P = np.array([x[0], x[1], z0 + x[2]]); out = []
        for f in np.radians([0, 120, 240]):
            Rf = rz(f); p = Rf.T @ P + np.array([RB - RA, 0, 0])
            # a cos q x - a sin q z ; |p - arm| = b
            k = (p @ p + a * a - b * b) / (2 * a); r = np.hypot(p[0], p[2])
            q = np.arctan2(-p[2], p[0]) - np.arccos(k / r)
            arm = np.array([np.cos(q), 0, -np.sin(q)])
            y = np.array([0, 1, 0]); Ra = Rf @ np.stack([arm, y, np.cross(arm, y)], 1)
            O = Rf @ np.array([RA, 0, 0]); E = O + Rf @ (a * arm)
            # rods of a parallelogram do not turn about their length: the axis across the motor stays that of the leg
            l = (p - a * arm) / b
            # the rod's frame: its cross axis is perpendicular to l and in the plane that the pin of the elbow leaves
            n = np.cross(l, y); n /= np.linalg.norm(n); m = np.cross(n, l)
            out += [(Ra, O), (Rf @ np.stack([l, m, n], 1), E)]
        return out + [(np.eye(3), P)]
    return bodies

def gough():
    B = [0.5 * np.array([np.cos(t), np.sin(t), 0]) for t in np.radians([-10, 10, 110, 130, 230, 250])]
    Q = [np.array([0.35 * np.cos(t), 0.35 * np.sin(t), -0.03]) for t in np.radians([-50, 50, 70, 170, 190, 290])]
    axes = [np.cross([0, 0, 1], b) / np.linalg.norm(b) for b in B]
    def bodies(x):
        r, p, y = x[3:]
        cx, sx, cy, sy = np.cos(r), np.sin(r), np.cos(p), np.sin(p)
        R = rz(y) @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]]) @ np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
        P = np.array([0, 0, 0.8]) + x[:3]; out = []
        for b, q, u in zip(B, Q, axes):
            e = P + R @ q; l = e - b; L = np.linalg.norm(l); z = l / L
            m = np.cross(z, u); m /= np.linalg.norm(m)     # second axis of the universal joint, across the first and the leg
            Rl = np.stack([np.cross(m, z), m, z], 1)
            out += [(Rl, b), (Rl, e)]
        return out + [(R, P)]
    return bodies

print("inertial base parameters: equal legs with bars, equal legs with bodies, legs that differ; gap of singular values")
# The last numbers are those of the program: COUNTS in crates/legwork-identify/tests/dynamics.rs holds it to them.
for name, b, n, plane, equal, each, bars, wanted in [
    ("five-bar", five_bar(), 2, True, [1, 2, 1, 2, 0], [1, 2, 3, 4, 0], (1, 2), (4, 6, 11)),
    ("planar-3rrr", rrr3(), 3, True, [1, 2] * 3 + [0], [1, 2, 3, 4, 5, 6, 0], (1, 2), (7, 9, 19)),
    ("delta", delta(), 3, False, [1, 2] * 3 + [0], list(range(1, 7)) + [0], (1, 2), (4, 12, 34)),
    ("gough-stewart", gough(), 6, False, [1, 2] * 6 + [0], list(range(1, 13)) + [0], (), (22, 22, 82)),
]:
    found = [
        rank(b, n, plane, equal, 0.05, bars=bars),
        rank(b, n, plane, equal, 0.05),
        rank(b, n, plane, each, 0.05, 120),
    ]
    print(f"{name:14}", *(f"{r:3} ({s:.0e} / {t:.0e})" for r, s, t in found))
    if tuple(r for r, _, _ in found) != wanted:
        raise SystemExit(f"error: {name} has other numbers of base parameters than {wanted}")
