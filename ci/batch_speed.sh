#!/usr/bin/env bash
# How fast a batch is in an ordinary build beside a build for x86-64-v3, both run in turn on this machine.
# Fails if the ordinary one has less than two thirds of the speed anywhere.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build -q --release -p legwork --example batch_speed
RUSTFLAGS="-C target-cpu=x86-64-v3" cargo build -q --release -p legwork --example batch_speed --target-dir target/v3
for _ in 1 2 3 4 5; do
    target/release/examples/batch_speed | sed 's/^/ordinary /'
    target/v3/release/examples/batch_speed | sed 's/^/v3 /'
done | awk '
    { key = $1 " " $2; if (!(key in best) || $3 < best[key]) best[key] = $3; names[$2] = 1 }
    END {
        printf "%-18s %10s %10s %8s   nanoseconds per state, one thread\n", "", "ordinary", "v3", "speed"
        for (name in names) {
            speed = best["v3 " name] / best["ordinary " name]
            printf "%-18s %10.1f %10.1f %7.0f%%\n", name, best["ordinary " name], best["v3 " name], 100 * speed
            if (speed < 2 / 3) bad = 1
        }
        exit bad
    }'
