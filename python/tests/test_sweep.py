"""Sweeps: the same table whoever computed it, and nothing lost when somebody is killed."""

import functools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pylegwork as lw
import pytest

pytest.importorskip("pyarrow")


def design(upper_arm: float, forearm: float) -> dict[str, Any]:
    """A design whose answer is quick: does it reach, and what must its motors hold?"""
    height = np.sqrt(max(forearm**2 - upper_arm**2, 0.0))
    if height < 0.3:
        raise lw.OutOfReach(f"a forearm of {forearm} m is too short")
    return {"height": float(height), "torque": float(np.sin(upper_arm) * 9.81), "arms": 3, "name": f"{upper_arm:.3f}"}


def parameters(count: int) -> list[Any]:
    return lw.draws(count, seed=5, upper_arm=(0.3, 0.05), forearm=(0.5, 0.1))


def test_threads_store_and_memory_give_the_same_bits(tmp_path: Path) -> None:
    points = parameters(500)
    alone = lw.sweep(design, points, chunk=500).run()
    table = lw.sweep(design, points, chunk=7).run()
    assert alone.digest() == table.digest()
    first = lw.sweep(design, points, chunk=7, store=tmp_path / "store")
    assert first.resumed == 0
    steps = iter(first)
    seen = {next(steps) for _ in range(200)}
    steps.close()  # type: ignore[attr-defined]
    assert len(seen) == 200
    second = lw.sweep(design, points, chunk=7, store=tmp_path / "store")
    assert 200 <= second.resumed + 7 < 500
    assert second.run().digest() == alone.digest()
    third = lw.sweep(design, points, chunk=7, store=tmp_path / "store")
    assert third.resumed == 500 and list(third) == [] and third.table.digest() == alone.digest()
    assert 0 < sum(error is not None for error in alone["error"]) < 500
    assert np.isnan(alone["torque"][[error is not None for error in alone["error"]]]).all()


def test_a_part_that_is_broken_is_computed_again(tmp_path: Path) -> None:
    points = parameters(50)
    whole = lw.sweep(design, points, store=tmp_path).run()
    parts = sorted(tmp_path.glob("part-*.parquet"))
    parts[1].write_bytes(parts[1].read_bytes()[:100])
    (tmp_path / ".part-x.parquet.1.partial").write_bytes(b"left behind")
    again = lw.sweep(design, points, store=tmp_path)
    assert again.resumed == 50 - 16
    assert again.run().digest() == whole.digest()


def test_the_store_of_another_sweep_is_refused(tmp_path: Path) -> None:
    lw.sweep(design, parameters(20), store=tmp_path).run()
    with pytest.raises(lw.InvalidInput, match="another sweep"):
        lw.sweep(design, parameters(21), store=tmp_path)
    with pytest.raises(lw.InvalidInput, match="another sweep"):
        lw.sweep(design, parameters(20), store=tmp_path, seed=3)


FACTOR = 1.0


def scaled(z: float) -> dict[str, Any]:
    return {"v": FACTOR * z}


class Bound:
    """A task that is an object."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, z: float) -> dict[str, Any]:
        return {"v": self.factor * z}


def closed(factor: float) -> Any:
    return lambda z: {"v": factor * z}


def given(z: float, factor: float) -> dict[str, Any]:
    return {"v": factor * z}


@pytest.mark.parametrize(
    "make",
    [closed, Bound, lambda f: Bound(f).__call__, lambda f: functools.partial(given, factor=f)],
    ids=["closure", "object", "method", "partial"],
)
def test_a_task_that_is_bound_to_other_values_is_another(make: Any, tmp_path: Path) -> None:
    points = lw.grid(z=[1.0, 2.0])
    assert lw.sweep(make(1.0), points, store=tmp_path).run()["v"].tolist() == [1.0, 2.0]
    assert lw.sweep(make(1.0), points, store=tmp_path).resumed == 2
    with pytest.raises(lw.InvalidInput, match="another sweep: its task differs"):
        lw.sweep(make(2.0), points, store=tmp_path)


def test_globals_robots_and_files_belong_to_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = lw.grid(z=[1.0, 2.0])
    lw.sweep(scaled, points, store=tmp_path / "global").run()
    monkeypatch.setattr(sys.modules[__name__], "FACTOR", 2.0)
    with pytest.raises(lw.InvalidInput, match="its task differs"):
        lw.sweep(scaled, points, store=tmp_path / "global")
    robot = lw.load("five-bar")
    request: dict[str, Any] = {"task": "simulate", "robot": robot, "duration": "{t}"}
    times = lw.grid(t=[0.01])
    lw.sweep(request, times, take=["time"], store=tmp_path / "robot").run()
    with pytest.raises(lw.InvalidInput, match="its task differs"):
        lw.sweep({**request, "robot": robot.with_payload(2.0)}, times, take=["time"], store=tmp_path / "robot")
    file = tmp_path / "mine.toml"
    geometry = "[geometry]\nbase_radius = 0.2\nplatform_radius = 0.045\narm = 0.35\nforearm = {}\n"
    file.write_text("name = 'mine'\nfamily = 'delta'\n" + geometry.format(0.8))
    request = {"task": "size", "robot": str(file)}
    lw.sweep(request, times, take=["x"], store=tmp_path / "file")
    assert lw.sweep(request, times, take=["x"], store=tmp_path / "file").resumed == 0
    file.write_text("name = 'mine'\nfamily = 'delta'\n" + geometry.format(0.9))
    with pytest.raises(lw.InvalidInput, match="its task differs"):
        lw.sweep(request, times, take=["x"], store=tmp_path / "file")


def test_a_folder_with_parts_of_nobody_is_left_alone(tmp_path: Path) -> None:
    part = tmp_path / "part-00000000-00000002.parquet"
    part.write_bytes(b"somebody's")
    with pytest.raises(lw.InvalidInput, match="of which sweep"):
        lw.sweep(scaled, lw.grid(z=[1.0, 2.0]), store=tmp_path)
    assert part.read_bytes() == b"somebody's"
    with pytest.raises(lw.InvalidInput, match="is a file"):
        lw.sweep(scaled, lw.grid(z=[1.0]), store=part)


def test_two_sweeps_may_begin_in_one_folder(tmp_path: Path) -> None:
    points = parameters(40)
    one = lw.sweep(design, points, store=tmp_path, chunk=4)
    steps = iter(one)
    next(steps)
    other = lw.sweep(design, points, store=tmp_path, chunk=4).run()
    list(steps)
    assert one.table.digest() == other.digest()


def test_a_task_cannot_hide_a_column(tmp_path: Path) -> None:
    for name in ("z", "point", "error"):
        with pytest.raises(lw.InvalidInput, match=f"gives `{name}`"):
            lw.sweep(lambda z, name=name: {name: 1.0}, lw.grid(z=[1.0, 2.0])).run()
    for store in (None, tmp_path / "mixed"):
        with pytest.raises(lw.InvalidInput, match="numbers and texts as `a`"):
            lw.sweep(lambda z: {"a": 1.0 if z < 2 else "no"}, lw.grid(z=[1.0, 2.0]), store=store).run()
    with pytest.raises(lw.InvalidInput, match="gave None"):
        lw.sweep(lambda z: None, lw.grid(z=[1.0])).run()  # type: ignore[arg-type,return-value]
    with pytest.raises(lw.InvalidInput, match="64 bits"):
        lw.sweep(lambda z: {"a": 2**70}, lw.grid(z=[1.0])).run()
    with pytest.raises(LookupError, match="no `nonsense`; it has task"):
        request = {"task": "simulate", "robot": "five-bar", "duration": "{t}"}
        lw.sweep(request, lw.grid(t=[0.01]), take=["nonsense"]).run()


def test_points_may_come_from_a_table() -> None:
    pandas, polars = map(pytest.importorskip, ("pandas", "polars"))
    expected = lw.sweep(scaled, {"z": [1.0, 2.0]}).run().digest()
    for library in (pandas, polars):
        assert lw.sweep(scaled, library.DataFrame({"z": [1.0, 2.0]})).run().digest() == expected
    with pytest.raises(lw.InvalidInput, match="point 0 is no table"):
        lw.sweep(scaled, [1.0, 2.0])  # type: ignore[list-item]
    with pytest.raises(lw.InvalidInput, match="standard deviation"):
        lw.draws(2, z=3.0)  # type: ignore[arg-type]


def test_what_is_wrong_with_a_task_ends_it() -> None:
    def broken(upper_arm: float, forearm: float) -> dict[str, Any]:
        raise ZeroDivisionError("mine")

    def listed(upper_arm: float, forearm: float) -> Any:
        return {"a": [1]}

    with pytest.raises(ZeroDivisionError):
        lw.sweep(broken, parameters(50)).run()
    with pytest.raises(lw.InvalidInput, match="number or a text"):
        lw.sweep(listed, parameters(3)).run()
    with pytest.raises(lw.InvalidInput, match="other names"):
        lw.sweep(design, [{"a": 1}, {"b": 1}])
    with pytest.raises(lw.InvalidInput, match="take"):
        lw.sweep({"task": "simulate"}, [{"a": 1}])
    assert lw.sweep(design, []).run().rows == 0


def test_seeds_belong_to_the_points() -> None:
    def drawn(k: int, seed: int) -> dict[str, Any]:
        return {"x": float(np.random.default_rng(seed).normal())}

    points = [{"k": k} for k in range(40)]
    one, other = (lw.sweep(drawn, points, seed=4, chunk=chunk).run() for chunk in (1, 40))
    assert one.digest() == other.digest() and len(set(one["x"])) == 40
    assert lw.sweep(drawn, points, seed=5).run().digest() != one.digest()


def test_a_request_is_a_task() -> None:
    request = {"task": "simulate", "robot": "delta-industrial", "duration": "{seconds}"}
    table = lw.sweep(request, lw.grid(seconds=[0.01, 0.02, 0.05]), take=["time", "ending"]).run()
    assert table["time"].tolist() == [0.01, 0.02, 0.05]
    assert set(table["ending"]) == {"completed"}


WORKER = """
import sys, time
sys.path.insert(0, sys.argv[1])
import test_sweep, pylegwork as lw
def slow(upper_arm, forearm):
    time.sleep(2e-4)
    return test_sweep.design(upper_arm, forearm)
from dask.distributed import Client, LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    client = Client(cluster)
    client.run(lambda path: sys.path.insert(0, path), sys.argv[1])
    print("pids", *client.run(lambda: __import__("os").getpid()).values(), flush=True)
    sweep = lw.sweep(slow, test_sweep.parameters(int(sys.argv[3])), store=sys.argv[2], chunk=50, client=client)
    print("resumed", sweep.resumed, flush=True)
    done = sweep.resumed
    for _ in sweep:
        done += 1
        if done % 500 == 0:
            print("done", done, flush=True)
    print("digest", sweep.table.digest(), done, flush=True)
    client.close(); cluster.close()
"""


def test_ten_thousand_designs_survive_killed_workers_and_a_killed_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    count = 10_000
    script, store = tmp_path / "cluster.py", tmp_path / "store"
    script.write_text(WORKER)
    command = [sys.executable, str(script), str(Path(__file__).parent), str(store), str(count)]
    environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__DAEMON": "True"}

    def start() -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
            start_new_session=True,
        )  # fmt: skip

    with start() as first:
        assert first.stdout is not None
        workers: list[int] = []
        for line in first.stdout:
            words = line.split()
            if words[0] == "pids":
                workers = [int(word) for word in words[1:]]
            if words[:2] == ["done", "2000"]:
                os.kill(workers[0], signal.SIGKILL)
            if words[:2] == ["done", "5000"]:
                os.killpg(first.pid, signal.SIGKILL)
                break
        first.wait(60)
    time.sleep(0.5)
    with start() as second:
        output, _ = second.communicate(timeout=500)
    said = {line.split()[0]: line.split()[1:] for line in output.splitlines()}
    # Nothing lost but what was under way, nothing counted twice, every bit the same as on one machine.
    assert 5000 - 50 <= int(said["resumed"][0]) < count
    assert int(said["digest"][1]) == count
    assert said["digest"][0] == lw.sweep(design, parameters(count), chunk=50).run().digest()
    assert len(list(store.glob("part-*.parquet"))) == count // 50
