"""usage: exchange.py FOLDER [ROBOT ...]: robots that `cargo run --example exchange` wrote, computed by other programs.

MuJoCo reads NAME.xml, Pinocchio NAME.urdf with NAME.yaml, Drake NAME.sdf. Each gives the mass matrix and the bias of its
tree and where points of bodies go; with the loops that stand in its file the motors' efforts follow from

    N' (M a + h + friction) = N' S effort,    J N = 0,

at states whose joints legwork gave, and a swing follows from the same matrices. Exits with 1 if something differs.
"""
import json
import logging
import os
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np

EFFORT = 1e-9  # of the largest effort
SWING = 1e-9  # m and rad
GAP = 1e-9  # of loops, m and rad


def rotation(axis, angle):
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def vector_of(turn):
    """The rotation vector of a rotation near none."""
    return 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])


class Model:
    """What a judge has to give: `set(q, v)`, `mass()`, `bias()`, `point(body, p)` -> position, rotation, Jacobian (linear, then angular, in
    world axes), and the drift of both at zero acceleration; `integrate(q, v)`."""

    def closings(self):
        """Rows of all loops: Jacobian, drift, gap."""
        rows, drifts, gaps = [], [], []
        for kind, (a, pa, ra), (b, pb, rb) in self.loops:
            (xa, Ra, Ja, da), (xb, Rb, Jb, db) = self.point(a, pa), self.point(b, pb)
            n = 3 if kind == "3d" else 6
            rows.append((Ja - Jb)[:n])
            drifts.append((da - db)[:n])
            gaps.append(xa - xb)
            if n == 6:
                gaps.append(vector_of((Ra @ ra).T @ (Rb @ rb)))
        if not rows:
            return np.zeros((0, self.nv)), np.zeros(0), np.zeros(1)
        return np.vstack(rows), np.concatenate(drifts), np.concatenate(gaps)

    def friction(self, v):
        return self.viscous * v + self.coulomb * np.sign(np.where(np.abs(v) < 1e-12, 0, v))

    rank = None  # of the rows, where it is known: next to a closed posture dependent rows look independent

    def parted(self, J):
        """A least solution of J x = y, as a matrix, and a basis of the motions that loops leave."""
        u, s, vt = np.linalg.svd(J)
        rank = self.rank
        if rank is None:
            rank = int((s > 1e-9 * max(1.0, s[0] if len(s) else 1.0)).sum())
        return vt[:rank].T / s[:rank] @ u[:, :rank].T, vt[rank:].T

    def null(self, J):
        return self.parted(J)[1]

    def motion(self, q, freedoms, twist, acceleration):
        """Rates and accelerations of all joints for a motion of the platform; idle joints least."""
        self.set(q, np.zeros(self.nv))
        J, _, gap = self.closings()
        body, point = self.platform
        P = self.point(body, point)[2][freedoms]
        A = np.vstack([J, P])
        v = np.linalg.lstsq(A, np.concatenate([np.zeros(len(J)), twist]), rcond=1e-10)[0]
        self.set(q, v)
        J, drift, _ = self.closings()
        _, _, P, more = self.point(body, point)
        A = np.vstack([J, P[freedoms]])
        a = np.linalg.lstsq(A, np.concatenate([-drift, acceleration - more[freedoms]]), rcond=1e-10)[0]
        return v, a, np.abs(gap).max()

    def efforts(self, q, freedoms, twist, acceleration):
        v, a, gap = self.motion(q, freedoms, twist, acceleration)
        J, _, _ = self.closings()
        N = self.null(J)
        load = self.mass() @ a + self.bias() + self.friction(v)
        S = np.zeros((self.nv, len(self.motors)))
        S[self.motors, np.arange(len(self.motors))] = 1
        effort, *_ = np.linalg.lstsq(N.T @ S, N.T @ load, rcond=1e-10)
        left = np.abs(N.T @ (S @ effort - load)).max() / max(1e-300, np.abs(effort).max())
        return effort, gap, left

    def rate(self, q, v, effort):
        self.set(q, v)
        J, drift, _ = self.closings()
        load = -self.bias() - self.friction(v)
        load[self.motors] += effort
        solve, N = self.parted(J)
        a0 = -solve @ drift  # a = a0 + N z
        M = self.mass()
        z = np.linalg.lstsq(N.T @ M @ N, N.T @ (load - M @ a0), rcond=1e-13)[0]
        return a0 + N @ z

    def closed(self, q, v):
        """Joints and rates put back on the loops."""
        for _ in range(3):
            self.set(q, v)
            J, _, gap = self.closings()
            rows = self.gap_rows(J)
            if len(J):
                q = self.integrate(q, -self.parted(rows)[0] @ gap)
        self.set(q, v)
        J, _, _ = self.closings()
        N = self.null(J)
        return q, N @ (N.T @ v)

    def gap_rows(self, J):
        """How gaps change with the joints: of welds the turn of b seen from a, in a's axes."""
        rows, at = [], 0
        for kind, (a, pa, ra), _ in self.loops:
            rows.append(J[at:at + 3])
            at += 3
            if kind == "6d":
                R = self.point(a, pa)[1] @ ra
                rows.append(-R.T @ J[at:at + 3])
                at += 3
        return np.vstack(rows) if rows else J

    def chart(self, step, v):
        """How fast a step from a configuration grows when the joints move with v."""
        return v

    def swing(self, q, effort, times, steps):
        v, seen, now = np.zeros(self.nv), [], 0.0
        self.set(q, v)
        self.rank = self.nv - self.null(self.closings()[0]).shape[1]
        for time in times:
            count = int(round((time - now) / times[-1] * steps))
            for _ in range(count):
                h = (time - now) / count
                # Runge and Kutta in steps of the joints from q, as Munthe-Kaas does it where they turn about any axis.
                u1, k1 = v, self.rate(q, v, effort)
                v2 = v + k1 * h / 2
                u2, k2 = self.chart(u1 * h / 2, v2), self.rate(self.integrate(q, u1 * h / 2), v2, effort)
                v3 = v + k2 * h / 2
                u3, k3 = self.chart(u2 * h / 2, v3), self.rate(self.integrate(q, u2 * h / 2), v3, effort)
                v4 = v + k3 * h
                u4, k4 = self.chart(u3 * h, v4), self.rate(self.integrate(q, u3 * h), v4, effort)
                q = self.integrate(q, (u1 + 2 * u2 + 2 * u3 + u4) * h / 6)
                v = v + (k1 + 2 * k2 + 2 * k3 + k4) * h / 6
                q, v = self.closed(q, v)
            now = time
            self.set(q, v)
            x, R, _, _ = self.point(*self.platform)
            seen.append((x, R))
        return seen


class Mujoco(Model):
    name = "MuJoCo"

    def __init__(self, folder, robot, data):
        import mujoco
        self.mj = mujoco
        self.model = m = mujoco.MjModel.from_xml_path(os.path.join(folder, robot + ".xml"))
        self.data = mujoco.MjData(m)
        self.nv, self.viscous, self.coulomb = m.nv, m.dof_damping.copy(), m.dof_frictionloss.copy()
        self.viscous = np.asarray(self.viscous).reshape(m.nv, -1)[:, 0]
        name = lambda kind, k: mujoco.mj_id2name(m, kind, k)  # noqa: E731
        O = mujoco.mjtObj
        self.joints = {name(O.mjOBJ_JOINT, k): k for k in range(m.njnt)}
        self.motors = [m.jnt_dofadr[m.actuator_trnid[k, 0]] for k in range(m.nu)]
        self.loops = []
        for k in range(m.neq):
            kind = "3d" if m.eq_type[k] == mujoco.mjtEq.mjEQ_CONNECT else "6d"
            ends = []
            if m.eq_objtype[k] == O.mjOBJ_BODY and kind == "3d":
                for end, body in enumerate((m.eq_obj1id[k], m.eq_obj2id[k])):
                    ends.append((body, m.eq_data[k, 3 * end:3 * end + 3].copy(), np.eye(3)))
                self.loops.append((kind, *ends))
                continue
            if m.eq_objtype[k] == O.mjOBJ_BODY:
                # A weld: where the second body is in the first; numbers 0 to 2 are the point of the torques.
                R = np.zeros(9)
                mujoco.mju_quat2Mat(R, m.eq_data[k, 6:10])
                first = (m.eq_obj1id[k], m.eq_data[k, 3:6].copy(), R.reshape(3, 3))
                self.loops.append((kind, first, (m.eq_obj2id[k], np.zeros(3), np.eye(3))))
                continue
            for site in (m.eq_obj1id[k], m.eq_obj2id[k]):
                R = np.zeros(9)
                mujoco.mju_quat2Mat(R, m.site_quat[site])
                ends.append((m.site_bodyid[site], m.site_pos[site].copy(), R.reshape(3, 3)))
            self.loops.append((kind, *ends))
        site = mujoco.mj_name2id(m, O.mjOBJ_SITE, "platform_point")
        if site >= 0:
            self.platform = (m.site_bodyid[site], m.site_pos[site].copy())
        key = mujoco.mj_name2id(m, O.mjOBJ_KEY, "home")
        self.home = m.key_qpos[key].copy() if key >= 0 else m.qpos0.copy()

    def motor_values(self, q):
        return np.array([q[self.model.jnt_qposadr[self.model.actuator_trnid[k, 0]]] for k in range(self.model.nu)])

    def from_names(self, values):
        q = self.model.qpos0.copy()
        for joint, k in self.joints.items():
            at = self.model.jnt_qposadr[k]
            if self.model.jnt_type[k] == self.mj.mjtJoint.mjJNT_BALL:
                R, names = np.eye(3), [n for n in values if n[:-2] == joint and n[-2:] in ("_x", "_y", "_z")]
                sign = 1 if names[0].endswith("_x") else -1
                for n in names:  # in their order
                    R = R @ rotation(np.eye(3)["xyz".index(n[-1])], sign * values[n])
                self.mj.mju_mat2Quat(q[at:at + 4], R.flatten())
            else:
                q[at] = values[joint]
        return q

    def set(self, q, v):
        self.data.qpos[:], self.data.qvel[:] = q, v
        self.mj.mj_fwdPosition(self.model, self.data)
        self.mj.mj_fwdVelocity(self.model, self.data)
        # Accelerations of bodies at zero joint acceleration, without gravity: `cvel` and `cacc` of a forward recursion.
        self.data.qacc[:] = 0
        self.mj.mj_rnePostConstraint(self.model, self.data)

    def chart(self, step, v):
        out = v.copy()
        for k in range(self.model.njnt):
            if self.model.jnt_type[k] == self.mj.mjtJoint.mjJNT_BALL:
                at = slice(self.model.jnt_dofadr[k], self.model.jnt_dofadr[k] + 3)
                turn = step[at]
                out[at] = v[at] + np.cross(turn, v[at]) / 2 + np.cross(turn, np.cross(turn, v[at])) / 12
        return out

    def mass(self):
        # One acceleration after the other through the recursion: independent of how the matrix is stored.
        M, out = np.zeros((self.nv, self.nv)), np.zeros(self.nv)
        keep = self.data.qvel.copy()
        for k in range(self.nv):
            self.data.qacc[:] = 0
            self.mj.mj_rne(self.model, self.data, 0, out)
            base = out.copy()
            self.data.qacc[k] = 1
            self.mj.mj_rne(self.model, self.data, 1, out)
            M[:, k] = out - base
        self.data.qacc[:], self.data.qvel[:] = 0, keep
        return M + np.diag(self.model.dof_armature)

    def bias(self):
        return self.data.qfrc_bias.copy()

    def point(self, body, p):
        R = self.data.xmat[body].reshape(3, 3).copy()
        x = self.data.xpos[body] + R @ p
        lin, ang = np.zeros((3, self.nv)), np.zeros((3, self.nv))
        self.mj.mj_jac(self.model, self.data, lin, ang, x, body)
        dlin, dang = np.zeros((3, self.nv)), np.zeros((3, self.nv))
        self.mj.mj_jacDot(self.model, self.data, dlin, dang, x, body)
        v = self.data.qvel
        return x, R, np.vstack([lin, ang]), np.concatenate([dlin @ v, dang @ v])

    def integrate(self, q, v):
        q = q.copy()
        self.mj.mj_integratePos(self.model, q, np.asarray(v, float), 1.0)
        return q


class Pinocchio(Model):
    name = "Pinocchio"

    def __init__(self, folder, robot, data):
        import pinocchio as pin
        import yaml
        self.pin = pin
        self.model = m = pin.buildModelFromUrdf(os.path.join(folder, robot + ".urdf"))
        side = yaml.safe_load(open(os.path.join(folder, robot + ".yaml")))
        m.gravity.linear = np.array(side.get("gravity", [0, 0, -9.81]))
        self.data = m.createData()
        self.nv = m.nv
        at = lambda joint: m.joints[m.getJointId(joint)].idx_v  # noqa: E731
        self.motors = [at(joint) for joint in side["name_mot"]]
        self.armature = np.zeros(m.nv)
        for joint, value in side.get("armature", {}).items():
            self.armature[at(joint)] = value
        # Friction is in the URDF.
        self.viscous, self.coulomb = np.zeros(m.nv), np.zeros(m.nv)
        for joint in ElementTree.parse(os.path.join(folder, robot + ".urdf")).getroot().iter("joint"):
            dynamics = joint.find("dynamics")
            if dynamics is not None:
                self.viscous[at(joint.get("name"))] = float(dynamics.get("damping", 0))
                self.coulomb[at(joint.get("name"))] = float(dynamics.get("friction", 0))
        frame = lambda name: (m.getFrameId(name), np.zeros(3), np.eye(3))  # noqa: E731
        self.loops = [(kind, frame(a), frame(b)) for (a, b), kind in zip(side["closed_loop"], side["type"])]
        if m.existFrame("platform_point"):
            self.platform = (m.getFrameId("platform_point"), np.zeros(3))
        self.home = self.from_names(side.get("home", {}))
        self.motor_names = side["name_mot"]

    def motor_values(self, q):
        joints = [self.model.joints[self.model.getJointId(name)] for name in self.motor_names]
        return np.array([np.arctan2(q[k.idx_q + 1], q[k.idx_q]) if k.nq == 2 else q[k.idx_q] for k in joints])

    def from_names(self, values):
        q = self.pin.neutral(self.model)
        for joint, value in values.items():
            k = self.model.joints[self.model.getJointId(joint)]
            if k.nq == 2:  # cosine and sine of a joint without limits
                q[k.idx_q:k.idx_q + 2] = np.cos(value), np.sin(value)
            else:
                q[k.idx_q] = value
        return q

    def set(self, q, v):
        self.q, self.v = q, v
        self.pin.forwardKinematics(self.model, self.data, q, v, np.zeros(self.nv))
        self.pin.computeJointJacobians(self.model, self.data, q)
        self.pin.updateFramePlacements(self.model, self.data)

    def mass(self):
        M = self.pin.crba(self.model, self.data, self.q)
        return np.triu(M) + np.triu(M, 1).T + np.diag(self.armature)

    def bias(self):
        return self.pin.rnea(self.model, self.data, self.q, self.v, np.zeros(self.nv)).copy()

    def point(self, frame, _):
        ref = self.pin.LOCAL_WORLD_ALIGNED
        place = self.data.oMf[frame]
        J = self.pin.getFrameJacobian(self.model, self.data, frame, ref)
        a = self.pin.getFrameClassicalAcceleration(self.model, self.data, frame, ref)
        return place.translation.copy(), place.rotation.copy(), J.copy(), np.concatenate([a.linear, a.angular])

    def integrate(self, q, v):
        return self.pin.integrate(self.model, q, np.asarray(v, float))


class Drake(Model):
    name = "Drake"

    def __init__(self, folder, robot, data):
        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import MultibodyPlant
        from pydrake.multibody.tree import JacobianWrtVariable, MultibodyForces
        self.wrt, self.forces_type = JacobianWrtVariable.kV, MultibodyForces
        logging.getLogger("drake").setLevel(logging.ERROR)
        path = os.path.join(folder, robot + ".sdf")
        self.plant = p = MultibodyPlant(1e-3)
        Parser(p).AddModels(path)
        text = open(path).read()
        text = text if "xmlns:drake" in text else text.replace("<sdf ", '<sdf xmlns:drake="drake" ', 1)
        root = ElementTree.fromstring(text).find("model")
        own = root.find("{legwork}robot")
        if own is None:
            own = {"home": "", "armature": "", "motors": data["motors"]}
        else:
            p.mutable_gravity_field().set_gravity_vector([float(x) for x in own.get("gravity").split()])
        p.Finalize()
        self.context = p.CreateDefaultContext()
        self.nv = p.num_velocities()
        index = {p.get_joint(k).name(): p.get_joint(k) for k in p.GetJointIndices()}
        self.index = {name: joint for name, joint in index.items() if joint.num_velocities() == 1}
        self.motors = [self.index[name].velocity_start() for name in " ".join(own.get("motors").split() if isinstance(own.get("motors"), str) else own["motors"]).split()]
        assert sorted(self.motors) == sorted(
            p.get_joint_actuator(k).joint().velocity_start() for k in p.GetJointActuatorIndices()), "other motors"
        self.armature, self.viscous, self.coulomb = (np.zeros(self.nv) for _ in range(3))
        for k in p.GetJointActuatorIndices():
            motor = p.get_joint_actuator(k)
            rotor = motor.default_rotor_inertia() * motor.default_gear_ratio() ** 2
            self.armature[motor.joint().velocity_start()] = rotor
        self.rotors = self.armature.copy()
        words = own.get("home").split()
        home = {name: float(value) for name, value in zip(words[::2], words[1::2])}
        words = own.get("armature").split()
        for name, value in zip(words[::2], words[1::2]):
            self.armature[self.index[name].velocity_start()] += float(value)
        for joint in root.iter("joint"):
            if joint.get("name") not in self.index:
                continue
            at = self.index[joint.get("name")].velocity_start()
            dynamics = joint.find("axis/dynamics")
            if dynamics is not None:
                self.viscous[at] = float(dynamics.findtext("damping", "0"))
                self.coulomb[at] = float(dynamics.findtext("friction", "0"))
        body = lambda name: p.GetBodyByName(name) if name != "world" else p.world_body()  # noqa: E731
        numbers = lambda text: np.array([float(x) for x in text.split()])  # noqa: E731
        self.loops = []
        for ball in root.iter("{drake}ball_constraint"):
            text = lambda end: ball.find("{drake}ball_constraint_" + end).text  # noqa: E731
            ends = [(body(text("body_" + k)), numbers(text("p_" + k + e)), np.eye(3)) for k, e in (("A", "P"), ("B", "Q"))]
            self.loops.append(("3d", *ends))
        assert p.num_constraints() == len(self.loops), "Drake read other constraints"
        self.frame = p.GetFrameByName("platform_point") if p.HasFrameNamed("platform_point") else None
        self.platform = (self.frame, np.zeros(3))
        self.home = self.from_names(home)

    def from_names(self, values):
        q = np.zeros(self.plant.num_positions())
        for joint, value in values.items():
            q[self.index[joint].position_start()] = value
        return q

    def set(self, q, v):
        self.plant.SetPositions(self.context, q)
        self.plant.SetVelocities(self.context, v)

    def mass(self):
        # Drake's has the rotors of its motors already.
        return self.plant.CalcMassMatrix(self.context) + np.diag(self.armature - self.rotors)

    def bias(self):
        return self.plant.CalcBiasTerm(self.context) - self.plant.CalcGravityGeneralizedForces(self.context)

    def point(self, body, p):
        frame = body if body is self.frame else body.body_frame()
        world = self.plant.world_frame()
        pose = frame.CalcPoseInWorld(self.context)
        J = self.plant.CalcJacobianSpatialVelocity(self.context, self.wrt, frame, p, world, world)
        a = self.plant.CalcBiasSpatialAcceleration(self.context, self.wrt, frame, p, world, world)
        drift = np.concatenate([a.translational(), a.rotational()])
        R = pose.rotation().matrix()
        return pose.translation() + R @ p, R, np.vstack([J[3:], J[:3]]), drift

    def motor_values(self, q):
        return q[self.motors]

    def integrate(self, q, v):
        return q + v


def judged(folder, robot, data, judge):
    model = judge(folder, robot, data)
    worst = {"effort": 0.0, "gap": 0.0, "left": 0.0, "pose": 0.0, "swing": 0.0}
    freedoms = data["freedoms"]
    # Home, as the file itself says it, is closed.
    model.set(model.home, np.zeros(model.nv))
    worst["gap"] = np.abs(model.closings()[2]).max()
    for state in data["states"]:
        q = model.from_names(dict(zip(data["names"], state["joints"])))
        twist, acceleration = np.array(state["twist"])[freedoms], np.array(state["acceleration"])[freedoms]
        effort, gap, left = model.efforts(q, freedoms, twist, acceleration)
        x, R, _, _ = model.point(*model.platform)
        pose = max(np.abs(x - state["position"]).max(), np.abs(R - state["rotation"]).max())
        worst["gap"], worst["pose"] = np.maximum([worst["gap"], worst["pose"]], [gap, pose])
        if state["effort"] is not None:
            expected = np.array(state["effort"])
            worst["effort"] = np.maximum(worst["effort"], np.abs(effort - expected).max() / np.abs(expected).max())
            worst["left"] = np.maximum(worst["left"], left)
    swing = data["swing"]
    if swing and not model.coulomb.any() and "--no-swing" not in sys.argv:
        q = model.from_names(dict(zip(data["names"], swing["joints"])))
        seen = model.swing(q, np.array(swing["effort"]), [one["time"] for one in swing["seen"]], 40)
        for (x, R), one in zip(seen, swing["seen"]):
            off = max(np.abs(x - one["position"]).max(), np.abs(R - one["rotation"]).max())
            worst["swing"] = np.maximum(worst["swing"], off)
    bars = {"effort": EFFORT, "gap": GAP, "left": EFFORT, "pose": GAP, "swing": SWING}
    # NaN is not below a bar.
    return worst, all(worst[key] <= bars[key] for key in bars)


def foreign(path, data):
    """A file of others: its motors led to where legwork has them, and the efforts there."""
    judge = {".xml": Mujoco, ".urdf": Pinocchio, ".sdf": Drake}[os.path.splitext(path)[1]]
    model = judge(os.path.dirname(path), os.path.splitext(os.path.basename(path))[0], data)
    S = np.zeros((len(model.motors), model.nv))
    S[np.arange(len(model.motors)), model.motors] = 1
    q, worst = model.home, 0.0
    for state in data["states"]:
        for part in np.linspace(0.1, 1, 10):
            goal = model.motor_values(model.home) * (1 - part) + part * np.array(state["q"])
            if part == 0.1:
                q = model.home
            for _ in range(12):
                model.set(q, np.zeros(model.nv))
                J, _, gap = model.closings()
                rows = np.vstack([model.gap_rows(J), S])
                off = np.concatenate([gap, model.motor_values(q) - goal])
                q = model.integrate(q, -np.linalg.lstsq(rows, off, rcond=1e-10)[0])
        model.set(q, np.zeros(model.nv))
        J, _, gap = model.closings()
        v = np.linalg.lstsq(np.vstack([J, S]), np.concatenate([np.zeros(len(J)), state["qd"]]), rcond=1e-10)[0]
        model.set(q, v)
        J, drift, _ = model.closings()
        a = np.linalg.lstsq(np.vstack([J, S]), np.concatenate([-drift, state["qdd"]]), rcond=1e-10)[0]
        N = model.null(J)
        load = N.T @ (model.mass() @ a + model.bias() + model.friction(v))
        effort = np.linalg.lstsq(N.T @ S.T, load, rcond=1e-10)[0]
        expected = np.array(state["effort"])
        worst = np.maximum(worst, np.abs(effort - expected).max() / np.abs(expected).max())
        worst = np.maximum(worst, np.abs(gap).max())
    return judge.name, worst


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    folder, robots = words[0], words[1:]
    robots = robots or sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".json"))
    fine = True
    for name in sorted(name for name in os.listdir(folder) if name.endswith(".foreign")):
        data = json.load(open(os.path.join(folder, name)))
        judge, worst = foreign(data["file"], data)
        ok = bool(worst <= EFFORT)
        fine &= ok
        print(f"{name:24} {judge:10} effort {worst:.1e}{'' if ok else '   DIFFERS'}", flush=True)
    for robot in robots:
        data = json.load(open(os.path.join(folder, robot + ".json")))
        for judge in (Mujoco, Pinocchio, Drake):
            try:
                worst, ok = judged(folder, robot, data, judge)
                text = "  ".join(f"{key} {value:.1e}" for key, value in worst.items())
            except Exception as error:  # the next robot all the same
                if "--raise" in sys.argv:
                    raise
                text, ok = f"{type(error).__name__}: {str(error)[:300]}", False
            fine &= bool(ok)
            print(f"{robot:24} {judge.name:10} {text}{'' if ok else '   DIFFERS'}", flush=True)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
