"""Exported units in FMPy and libcosim: validated, simulated, and compared with `legwork simulate`; with a regulator inside, with
the closed loop of the library.

    python ci/peers/fmu.py PROGRAM LIBRARY FOLDER
"""

import csv
import ctypes
import json
import subprocess
import sys
from pathlib import Path

import fmpy
import fmpy.fmi2
import fmpy.fmi3
import numpy as np
from fmpy.validation import validate_fmu
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimManipulator import CosimManipulator
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

PROGRAM, LIBRARY, FOLDER = sys.argv[1], sys.argv[2], Path(sys.argv[3])
STEP, STOP = 0.01, 0.2
# A robot, and where it starts: away from home, so that it swings.
ROBOTS = {
    "delta-industrial": {"x": 0.05, "y": -0.03},
    "gough-stewart": {"x": 0.02, "roll": 0.05},
    "five-bar": {"x": 0.02},
    "3-rps": {"roll": 0.1, "pitch": 0.05},
    "custom-delta": {"x": 0.05, "y": -0.03},
    # With friction at its motors.
    "delta-bortoff-a": {"x": 0.05, "y": -0.03},
}
# A robot with a regulator inside, in a version of the standard: Delta, hexapod, legs of one's own, mechanism.
REGULATED = [
    ("delta-industrial", "2.0", "computed-torque"),
    ("gough-stewart", "3.0", "computed-torque"),
    ("custom-five-bar", "2.0", "pid"),
    ("3-rps", "3.0", "platform"),
    ("delta-bortoff-a", "2.0", "model"),
]
SAMPLES = 60
worst: dict[str, float] = {}


def note(what: str, off: float, bar: float) -> None:
    """A NaN is no agreement."""
    worst[what] = max(worst.get(what, 0.0), off)
    if not off <= bar:
        raise SystemExit(f"{what}: off by {off:.2e}, more than {bar:.0e}")


def legwork(*words: str) -> dict:
    done = subprocess.run([PROGRAM, *words, "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"legwork {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def export(robot: str, version: str, *words: str) -> str:
    path = FOLDER / f"{robot}-{version}{'-'.join(words)}.fmu"
    legwork("export", "fmu", robot, "--fmi", version, "--library", LIBRARY, "--out", str(path), *words)
    problems = validate_fmu(str(path))
    if problems:
        raise SystemExit(f"{path.name} is not valid: {problems}")
    return str(path)


def starts(path: str, moved: dict[str, float]) -> dict[str, float]:
    description = fmpy.read_model_description(path)
    home = {it.name: float(it.start) for it in description.modelVariables if it.name.startswith("start_")}
    return {f"start_{name}": home[f"start_{name}"] + step for name, step in moved.items()}


def simulated(robot: str, path: str, moved: dict[str, float]) -> dict[str, np.ndarray]:
    """What `legwork simulate` says, at the same instants."""
    description = fmpy.read_model_description(path)
    given = starts(path, moved)
    pose = [given.get(it.name, float(it.start)) for it in description.modelVariables
            if it.name.startswith("start_") and not it.name.startswith(("start_v", "start_w"))]
    request = {"task": "simulate", "robot": robot, "from": pose, "duration": STOP, "sample": STEP,
               "solver": {"tolerance": 1e-12}, "keep_samples": True}
    file = FOLDER / f"{robot}.json"
    file.write_text(json.dumps(request))
    samples = legwork("run", str(file))["samples"]
    rows = np.array(samples["rows"], dtype=float)
    return {name: rows[:, k] for k, name in enumerate(samples["columns"])}


def compared(what: str, found, wanted: dict[str, np.ndarray], bar: float = 1e-8) -> None:
    names = [name for name in found.dtype.names if name in wanted and name != "time"]
    assert len(names) >= 4, names
    for name in names:
        unit = max(1.0, float(np.max(np.abs(wanted[name]))))
        note(what, float(np.max(np.abs(found[name] - wanted[name]))) / unit, bar)


def cosim(path: str, given: dict[str, float], wanted: dict[str, np.ndarray], what: str = "libcosim, 2.0, co-simulation",
          step: float = STEP, inputs=lambda k: {}) -> None:
    """The same in libcosim, a second importer."""
    execution = CosimExecution.from_step_size(step_size=round(step * 1e9))
    slave = CosimLocalSlave(fmu_path=path, instance_name="robot")
    index = execution.add_local_slave(slave)
    description = fmpy.read_model_description(path)
    references = {it.name: it.valueReference for it in description.modelVariables}
    for name, value in given.items():
        execution.real_initial_value(index, references[name], value)
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    manipulator = CosimManipulator.create_override()
    execution.add_manipulator(manipulator)
    names = [name for name in references if name in wanted]
    for k in range(1, len(wanted[names[0]])):
        if now := inputs(k - 1):
            manipulator.slave_real_values(index, [references[name] for name in now], list(now.values()))
        if not execution.step():
            raise SystemExit(f"libcosim: {path} does not step")
        values = observer.last_real_values(index, [references[name] for name in names])
        for name, value in zip(names, values):
            unit = max(1.0, float(np.nanmax(np.abs(wanted[name]))))
            note(what, abs(value - wanted[name][k]) / unit, 1e-8)


class Unit:
    """A unit in co-simulation, of either standard."""

    def __init__(self, path: str) -> None:
        self.description = fmpy.read_model_description(path)
        self.references = {it.name: it.valueReference for it in self.description.modelVariables}
        self.outputs = [it.name for it in self.description.modelVariables if it.causality == "output" and it.name != "fault"]
        self.is_two = self.description.fmiVersion == "2.0"
        kind = fmpy.fmi2.FMU2Slave if self.is_two else fmpy.fmi3.FMU3Slave
        self.unit = kind(guid=self.description.guid, unzipDirectory=fmpy.extract(path), instanceName="unit",
                         modelIdentifier=self.description.coSimulation.modelIdentifier)
        self.unit.instantiate()

    def start(self, given: dict[str, float]) -> None:
        if self.is_two:
            self.unit.setupExperiment(startTime=0.0)
        self.unit.enterInitializationMode()
        self.set(given)
        self.unit.exitInitializationMode()

    def set(self, given: dict[str, float]) -> None:
        references = [self.references[name] for name in given]
        (self.unit.setReal if self.is_two else self.unit.setFloat64)(references, list(given.values()))

    def get(self, names: list[str]) -> dict[str, float]:
        references = [self.references[name] for name in names]
        values = (self.unit.getReal if self.is_two else self.unit.getFloat64)(references)
        return dict(zip(names, values))

    def fault(self) -> int:
        reference = [self.references["fault"]]
        return int((self.unit.getInteger if self.is_two else self.unit.getInt32)(reference)[0])

    def step(self, time: float, duration: float) -> dict[str, float]:
        self.unit.doStep(time, duration)
        return self.get(self.outputs)

    def state(self):
        return self.unit.getFMUState()

    def set_state(self, state) -> None:
        self.unit.setFMUState(state)

    def written(self, state) -> bytes:
        return self.unit.serializeFMUState(state)

    def read(self, written: bytes):
        return self.unit.deserializeFMUState(written)

    def free(self) -> None:
        self.unit.terminate()
        self.unit.freeInstance()


def refused(what: str, call) -> None:
    try:
        call()
    except fmpy.fmi1.FMICallException:
        return
    raise SystemExit(f"{what} was not refused")


def states(path: str, given: dict[str, float], tune: dict[str, float], inputs=lambda k: {}) -> None:
    """A state that is kept, set, written out and read back, also by another unit, gives the same future to the bit."""
    unit, other = Unit(path), Unit(path)
    unit.start(given)
    for k in range(7):
        unit.set(inputs(k))
        unit.step(k * STEP, STEP)
    kept = unit.state()
    written = unit.written(kept)

    def future(of: Unit) -> list[float]:
        found = []
        for k in range(7, 10):
            of.set(inputs(k))
            found += of.step(k * STEP, STEP).values()
        assert all(np.isfinite(found)), found
        return found

    first = future(unit)
    unit.set_state(kept)
    assert future(unit) == first, f"{path}: a state that was kept"
    unit.set_state(unit.read(written))
    assert future(unit) == first, f"{path}: a state that was written out"
    assert unit.written(unit.read(written)) == written
    # In a unit that has not even begun.
    other.set_state(other.read(written))
    assert future(other) == first, f"{path}: a state in another unit"
    # Bytes that are none.
    refused("half a state", lambda: other.read(written[:-8]))
    refused("a state with another number in it", lambda: other.read(written[:40] + b"\x01" + written[41:]))
    # Parameters between two steps change what comes, and are part of the state.
    for name, step in tune.items():
        unit.set_state(kept)
        unit.set({name: unit.get([name])[name] + step})
        assert future(unit) != first, f"{path}: `{name}` is tunable"
        unit.set_state(kept)
        assert future(unit) == first, f"{path}: `{name}` as it was"
    # What cannot be is refused, and the unit goes on.
    unit.set_state(kept)
    for name, value in [("payload", -1.0), ("payload", float("nan")), ("tolerance", 1.0), ("q1", 0.0), ("start_z" if "start_z" in unit.references else "start_x", 0.0)]:
        refused(f"`{name}` = {value}", lambda: unit.set({name: value}))
    refused("a step of zero", lambda: unit.step(7 * STEP, 0.0))
    refused("a step from elsewhere", lambda: unit.step(0.0, STEP))
    refused("a variable that is not there", lambda: unit.unit.getReal([9999]) if unit.is_two else unit.unit.getFloat64([9999]))
    assert future(unit) == first, f"{path}: after what was refused"
    unit.free()
    other.free()


def out_of_reach(path: str, given: dict[str, float], inputs: list[str]) -> None:
    """A reference that goes out of reach on the way, in both importers: the supervisor brakes, and every number stays one."""
    unit = Unit(path)
    unit.start(given)
    unit.step(0.0, STEP)
    refused("a reference that is no number", lambda: unit.set({inputs[0]: float("nan")}))
    unit.set({inputs[0]: 1e3})
    for k in range(1, 12):
        found = unit.step(k * STEP, STEP)
        assert all(np.isfinite(list(found.values()))), f"{path}: {found}"
        assert unit.fault() == 1, f"{path}: no fault"
    unit.free()
    if not unit.is_two:
        return
    execution = CosimExecution.from_step_size(step_size=round(STEP * 1e9))
    index = execution.add_local_slave(CosimLocalSlave(fmu_path=path, instance_name="robot"))
    for name, value in given.items():
        execution.real_initial_value(index, unit.references[name], value)
    manipulator = CosimManipulator.create_override()
    execution.add_manipulator(manipulator)
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    assert execution.step()
    manipulator.slave_real_values(index, [unit.references[inputs[0]]], [1e3])
    for _ in range(3):
        assert execution.step(), f"libcosim: {path} does not go on"
    values = observer.last_real_values(index, [unit.references[name] for name in unit.outputs])
    assert all(np.isfinite(values)), values


class Info(ctypes.Structure):
    _fields_ = [("joints", ctypes.c_size_t), ("freedoms", ctypes.c_size_t), ("coordinates", ctypes.c_size_t),
                ("period", ctypes.c_double), ("duration", ctypes.c_double)]


def targets(request: dict) -> tuple[Info, list[list[float]]]:
    """The motion of a request from sample to sample, by the C library: pose, velocity and acceleration."""
    library, text = ctypes.CDLL(LIBRARY), json.dumps(request).encode()
    regulator, info = ctypes.c_void_p(), Info()
    library.legwork_regulator_target.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_size_t,
                                                 ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
    if library.legwork_regulator_new(text, ctypes.c_size_t(len(text)), ctypes.byref(regulator)):
        words = ctypes.create_string_buffer(500)
        library.legwork_last_message(words, ctypes.c_size_t(500))
        raise SystemExit(words.value.decode())
    assert library.legwork_regulator_about(regulator, ctypes.byref(info)) == 0
    pose = (ctypes.c_double * info.coordinates)()
    velocity, acceleration = (ctypes.c_double * info.freedoms)(), (ctypes.c_double * info.freedoms)()
    rows = []
    for k in range(SAMPLES):
        assert library.legwork_regulator_target(regulator, k * info.period, pose, info.coordinates, velocity, acceleration, info.freedoms) == 0
        rows.append([*pose, *velocity, *acceleration])
    library.legwork_regulator_free(regulator)
    return info, rows


def regulated(robot: str, version: str, regulator: str) -> None:
    """With a regulator inside a unit follows a motion as the closed loop of the library does."""
    path = export(robot, version, "--regulator", regulator)
    gains = {"frequency": 12.0, "damping": 0.8}
    own = regulator in ("pid", "model")
    out = FOLDER / f"{robot}-{regulator}.csv"
    unit = Unit(path)
    motors = sum(name.startswith("qd") for name in unit.references)
    # Joint gains are made where the motion has its middle; given ones are the same everywhere.
    kp, kd, ki = [[size + 0.01 * size * k for k in range(motors)] for size in (900.0, 15.0, 400.0)]
    controller = {"regulators": [regulator], "exact_derivatives": True, **gains}
    if own:
        controller |= {"kp": kp, "kd": kd, "ki": ki}
    request = {"task": "follow", "robot": robot, "controller": controller, "plant": {"lag": 0}, "settle": 0.01,
               "solver": {"tolerance": 1e-12}, "out": str(out)}
    file = FOLDER / f"{robot}-follow.json"
    file.write_text(json.dumps(request))
    legwork("run", str(file))
    with out.open() as lines:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]
    info, wanted = targets({key: value for key, value in request.items() if key != "out"})

    inputs = [name for name in unit.references if name.startswith("reference_")]
    assert len(inputs) == len(wanted[0])
    given = dict(gains)
    if own:
        for word, values in [("kp", kp), ("kd", kd), ("ki", ki)]:
            given |= {f"{word}_{k + 1}": value for k, value in enumerate(values)}
    period, pose = info.period, inputs[:info.coordinates]
    given |= {name.replace("reference_", "start_"): value for name, value in zip(pose, wanted[0])}
    given |= dict(zip(inputs, wanted[0]))
    unit.start(given)
    what = f"regulator inside, {version}: {robot}, {regulator}"
    names = [name for name in unit.outputs if name in rows[0]]
    assert len(names) >= 4 and len(rows) > SAMPLES, names
    moved = {name: abs(rows[SAMPLES][name] - rows[0][name]) for name in names if name.startswith("q") and not name.startswith("qd")}
    assert max(moved.values()) > 1e-3, f"{what}: it does not move"
    found = []
    for k, row in enumerate(wanted):
        unit.set(dict(zip(inputs, row)))
        found.append(unit.step(k * period, period))
        for name in names:
            unit_of = max(1.0, max(abs(row[name]) for row in rows))
            note(what, abs(found[-1][name] - rows[k + 1][name]) / unit_of, 1e-8)
        for motor in range(motors):
            effort = rows[k].get(f"tau{motor + 1}", rows[k].get(f"f{motor + 1}"))
            size = max(1.0, abs(effort))
            note(f"{what}, efforts", abs(found[-1][f"e{motor + 1}"] - effort) / size, 1e-8)
    unit.free()
    if version == "2.0":
        cosim(path, given, {name: np.array([np.nan] + [row[name] for row in found]) for name in names},
              f"libcosim: {robot}, {regulator}", period, lambda k: dict(zip(inputs, wanted[k])))
    out_of_reach(path, given, inputs)
    tune = {"frequency": 2.0, "damping": 0.1, "payload": 0.5} if not own else {"kp_1": 50.0, "kd_1": 3.0, "ki_1": 40.0}
    states(path, given, tune, lambda k: dict(zip(inputs, wanted[round(k * STEP / period) % SAMPLES])))
    print(f"{robot} with {regulator} inside, {version}: valid, and as the closed loop of the library; its state written out and read back to the bit")


def main() -> None:
    log_output_level(CosimLogLevel.WARNING)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for robot, moved in ROBOTS.items():
        two, three = export(robot, "2.0"), export(robot, "3.0")
        wanted, given = simulated(robot, two, moved), starts(two, moved)
        assert np.ptp(wanted["q1"]) > 1e-3, "it swings"
        times = {"stop_time": STOP, "output_interval": STEP, "start_values": given}
        names = [name for name in wanted if name in {it.name for it in fmpy.read_model_description(two).modelVariables}]
        compared("FMPy, 2.0, co-simulation", fmpy.simulate_fmu(two, fmi_type="CoSimulation", output=names, **times), wanted)
        compared("FMPy, 3.0, co-simulation", fmpy.simulate_fmu(three, output=names, **times), wanted)
        exchange = fmpy.simulate_fmu(two, fmi_type="ModelExchange", output=names, solver="CVode", relative_tolerance=1e-11, **times)
        compared("FMPy, 2.0, model exchange", exchange, wanted)
        cosim(two, given, wanted)
        for path in (two, three):
            rubs = {"friction_error": 0.5} if wanted["dissipation"][-1] > 1e-3 else {}
            assert bool(rubs) == (robot == "delta-bortoff-a"), "which robot has friction"
            states(path, given, {"payload": 1.0, "mass_error": 0.1, **rubs})
        print(f"{robot}: valid, and as `simulate` says")
    for robot, version, regulator in REGULATED:
        regulated(robot, version, regulator)
    for what, off in worst.items():
        print(f"  {what}: {off:.1e}")


main()
