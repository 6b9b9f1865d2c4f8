"""Exported units in FMPy and libcosim: validated, simulated, and compared with `legwork simulate`.

    python ci/peers/fmu.py PROGRAM LIBRARY FOLDER
"""

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
}
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


def cosim(path: str, given: dict[str, float], wanted: dict[str, np.ndarray]) -> None:
    """The same in libcosim, a second importer."""
    execution = CosimExecution.from_step_size(step_size=int(STEP * 1e9))
    slave = CosimLocalSlave(fmu_path=path, instance_name="robot")
    index = execution.add_local_slave(slave)
    description = fmpy.read_model_description(path)
    references = {it.name: it.valueReference for it in description.modelVariables}
    for name, value in given.items():
        execution.real_initial_value(index, references[name], value)
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    names = [name for name in references if name in wanted]
    for k in range(1, round(STOP / STEP) + 1):
        if not execution.step():
            raise SystemExit(f"libcosim: {path} does not step")
        values = observer.last_real_values(index, [references[name] for name in names])
        for name, value in zip(names, values):
            unit = max(1.0, float(np.max(np.abs(wanted[name]))))
            note("libcosim, 2.0, co-simulation", abs(value - wanted[name][k]) / unit, 1e-8)


def states(path: str, moved: dict[str, float]) -> None:
    """A state that is kept, set, written out and read back gives the same future to the bit."""
    description = fmpy.read_model_description(path)
    folder = fmpy.extract(path)
    unit = fmpy.fmi2.FMU2Slave(guid=description.guid, unzipDirectory=folder, instanceName="kept",
                               modelIdentifier=description.coSimulation.modelIdentifier)
    unit.instantiate()
    references = {it.name: it.valueReference for it in description.modelVariables}
    outputs = [it.valueReference for it in description.modelVariables if it.causality == "output"]
    unit.setupExperiment(startTime=0.0)
    unit.enterInitializationMode()
    for name, value in starts(path, moved).items():
        unit.setReal([references[name]], [value])
    unit.exitInitializationMode()
    unit.doStep(0.0, STEP)
    kept = unit.getFMUState()
    written = unit.serializeFMUState(kept)

    def future():
        unit.doStep(STEP, STEP)
        return unit.getReal(outputs)

    first = future()
    unit.setFMUState(kept)
    assert future() == first, "a state that was kept"
    read = unit.deserializeFMUState(written)
    unit.setFMUState(read)
    note("state written out and read back", max(abs(a - b) for a, b in zip(future(), first)), 1e-10)
    # A payload between two steps changes what comes.
    unit.setFMUState(kept)
    payload = unit.getReal([references["payload"]])[0]
    unit.setReal([references["payload"]], [payload + 1.0])
    assert future() != first, "the payload is tunable"
    # What cannot be is refused, and the unit goes on.
    for name, value in [("payload", -1.0), ("tolerance", 1.0), ("q1", 0.0)]:
        try:
            unit.setReal([references[name]], [value])
        except fmpy.fmi1.FMICallException:
            continue
        raise SystemExit(f"`{name}` was set to {value}")
    unit.setFMUState(kept)
    assert future() == first
    unit.freeFMUState(kept)
    unit.terminate()
    unit.freeInstance()


def regulated(robot: str, version: str) -> None:
    """A regulator inside brings the robot from beside its home to its reference, without a fault."""
    path = export(robot, version, "--regulator", "computed-torque")
    moved = {name: 0.1 * step for name, step in ROBOTS[robot].items()}
    result = fmpy.simulate_fmu(path, stop_time=0.3, output_interval=0.01, start_values=starts(path, moved))
    for name in moved:
        home = float(next(it.start for it in fmpy.read_model_description(path).modelVariables if it.name == f"reference_{name}"))
        assert abs(result[name][0] - home) > 1e-4
        note(f"regulator inside, {version}: distance from the reference [m, rad]", abs(result[name][-1] - home), 1e-5)
    assert result["fault"][-1] == 0


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
        states(two, moved)
        print(f"{robot}: valid, and as `simulate` says")
    for robot, version in [("delta-industrial", "2.0"), ("gough-stewart", "3.0")]:
        regulated(robot, version)
    for what, off in worst.items():
        print(f"  {what}: {off:.1e}")


main()
