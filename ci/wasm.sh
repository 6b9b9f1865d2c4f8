#!/usr/bin/env bash
# Builds the library for the browser: crates/legwork-web as target/studio/legwork_web.wasm.
#
# The compiler is the first of these that is there:
#   1. the usual one, if it has the target (`rustup target add wasm32-unknown-unknown`);
#   2. Debian's, from its packages, which ci/toolchain.sh fetches once (about 140 MB) and unpacks; nothing is installed.
# If neither can be had it says what is missing and ends with code 3; everything but the studio works without.
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown

build() { # more options of cargo
    cargo build -q --locked -p legwork-web --lib --profile web --target $target --target-dir target/wasm "$@"
    mkdir -p target/studio
    cp target/wasm/$target/web/legwork_web.wasm target/studio/legwork_web.wasm
}

missing() { # reason
    echo "error: the studio cannot be built: $1" >&2
    echo "hint: \`rustup target add $target\`, or Debian's packages of \`rustc-web\`" >&2
    exit 3
}

if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    build
    exit
fi

# Debian's compiler has no linker of its own; the usual one brings it.
linker=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/rust-lld
[ -x "$linker" ] || linker=$(command -v wasm-ld || command -v rust-lld || true)
[ -n "$linker" ] || missing "no linker for WebAssembly (rust-lld or wasm-ld)"

command -v apt-get >/dev/null && command -v dpkg >/dev/null || missing "the compiler has no target $target"
settings=$(ci/toolchain.sh target/rust-web) || missing "the packages cannot be fetched"
eval "$settings"
# The standard library is built with the rest, for size: Debian has its sources, and an unstable option of cargo takes them.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C linker-flavor=wasm-ld"
build -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size
