#!/usr/bin/env bash
# End error against time on golden/delta_swing.json: legwork beside Pinocchio, MuJoCo and Drake, in one run.
#
#   PEERS=<folder> VENV=<folder> ci/peers/work_precision.sh
#
# PEERS   the peers' programs: dump_swing.py, sim_pin.cpp, sim_mj.cpp, bench_drake.py and what they import.
#         They are not part of this repository, so ./ci.sh does not run this.
# VENV    a Python environment with numpy, scipy, pin, mujoco and drake
# EIGEN   folder of the Eigen 3.4 headers (default: /usr/include/eigen3)
# OUT     scratch folder, kept, so that a second run does not compile again (default: target/peers)
# REPEAT  how often all tools are run in turn (default: 9)
# RUNNER  a command before every program, for a busy machine, such as "chrt -f 10" (default: none)
#
# Writes book/src/data/work_precision.csv and book/src/figures/work_precision.svg, and prints times for the same error.
# Every program takes the best of three runs for each setting; the table has the median and the best over the
# repetitions. On a busy machine long runs are interrupted and short ones are not, which the median shows and the
# best hides. Compiling the Pinocchio program takes minutes and 4 GB.
set -euo pipefail
: "${PEERS:?folder of the programs of the peers}" "${VENV:?Python environment with numpy scipy pin mujoco drake}"
PEERS=$(realpath "$PEERS") VENV=$(realpath -s "$VENV")
cd "$(dirname "$0")/../.."
root=$PWD golden=$PWD/golden
EIGEN=${EIGEN:-/usr/include/eigen3} REPEAT=${REPEAT:-9}
OUT=$(realpath -m "${OUT:-target/peers}")
export PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
python=$VENV/bin/python
read -ra runner <<<"${RUNNER:-}"
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
mujoco=$packages/mujoco
flags=(-std=c++17 -O3 -march=x86-64-v3 -DNDEBUG -w)
mkdir -p "$OUT/runs"
rm -f "$OUT"/runs/*

[ -d "$EIGEN/Eigen" ] || { echo "error: no Eigen headers in $EIGEN: set EIGEN" >&2; exit 1; }

# All start from, and are compared with, the same file.
(cd "$PEERS" && "$python" dump_swing.py "$golden" "$OUT")

if [ ! -x "$OUT/sim_pin" ]; then
    # The program begins at 4 ms, where its RK4 is already below 1e-9 m: coarser steps too.
    sed 's/for(double h:{4e-3,/for(double h:{2e-2,1e-2,8e-3,5e-3,4e-3,/' "$PEERS/sim_pin.cpp" >"$OUT/sim_pin.cpp"
    ! cmp -s "$OUT/sim_pin.cpp" "$PEERS/sim_pin.cpp" || echo "note: sim_pin.cpp keeps its own steps" >&2
    boost=(-DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30
        -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12)
    g++ "${flags[@]}" "${boost[@]}" -I"$packages/cmeel.prefix/include" -I"$EIGEN" "$OUT/sim_pin.cpp" -o "$OUT/sim_pin"
fi
if [ ! -x "$OUT/sim_mj" ]; then
    library=$(find "$mujoco" -maxdepth 1 -name 'libmujoco.so.*' | head -n 1)
    g++ "${flags[@]}" -I"$mujoco/include" "$PEERS/sim_mj.cpp" "$library" -Wl,-rpath,"$mujoco" -o "$OUT/sim_mj"
fi
cargo build -q --release -p legwork --example work_precision
legwork=$(realpath "${CARGO_TARGET_DIR:-target}")/release/examples/work_precision

cd "$OUT"
models=(sw_{Euler,RK4}_{0.004,0.002,0.001,0.0005,0.0002}_{default,stiff}.xml sw_RK4_0.0001_stiff.xml)
for ((run = 1; run <= REPEAT; run++)); do
    cut -d' ' -f1 /proc/loadavg >"runs/load.$run"
    "${runner[@]}" "$legwork" csv >"runs/legwork.$run"
    "${runner[@]}" ./sim_pin swing.txt >"runs/pinocchio.$run"
    "${runner[@]}" ./sim_mj swing.txt "${models[@]}" >"runs/mujoco.$run"
    (cd "$PEERS" && "${runner[@]}" "$python" bench_drake.py "$golden") >"runs/drake.$run"
    echo "run $run of $REPEAT, load $(cat "runs/load.$run")" >&2
done
{
    date -u +'date %Y-%m-%d'
    sed -n 's/^model name[^:]*: /processor /p' /proc/cpuinfo | head -n 1
    echo "cores $(grep -c ^processor /proc/cpuinfo)${RUNNER:+, all programs under $RUNNER}"
    echo "gcc $(g++ -dumpfullversion), -O3 -march=x86-64-v3 (Pinocchio, MuJoCo's driver)"
    rustc --version | cut -d' ' -f1,2 | sed "s/$/, release profile, plain x86-64 (legwork ${RUSTFLAGS:+with $RUSTFLAGS })/; s/ )/)/"
    "$python" -m pip list 2>/dev/null | awk '$1 == "pin" || $1 == "mujoco" || $1 == "drake" {print $1, $2}'
} >"runs/conditions"

csv=$root/book/src/data/work_precision.csv
python3 "$root/ci/peers/medians.py" runs "$golden/delta_swing.json" swing.txt >"$csv.new"
mv "$csv.new" "$csv"
python3 "$root/ci/peers/figure.py" "$csv" >"$root/book/src/figures/work_precision.svg"
python3 "$root/ci/peers/same_error.py" "$csv"
