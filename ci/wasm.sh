#!/usr/bin/env bash
# Builds the library for the browser: crates/legwork-web as target/studio/legwork_web.wasm.
#
# The compiler is the first of these that is there:
#   1. the usual one, if it has the target (`rustup target add wasm32-unknown-unknown`);
#   2. Debian's, from its packages: fetched once into target/wasm-toolchain (about 140 MB) and unpacked there, nothing is installed.
# If neither can be had it says what is missing and ends with code 3; everything but the studio works without.
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
folder=$PWD/target/wasm-toolchain
packages=(rustc-web rust-web-src libstd-rust-web-1.96 libstd-rust-web-dev libllvm22)

build() { # more options of cargo
    cargo build -q --locked -p legwork-web --profile web --target $target --target-dir target/wasm "$@"
    mkdir -p target/studio
    cp target/wasm/$target/web/legwork_web.wasm target/studio/legwork_web.wasm
}

missing() { # reason
    echo "error: the studio cannot be built: $1" >&2
    echo "hint: \`rustup target add $target\`, or Debian's packages ${packages[*]}" >&2
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

if [ ! -f "$folder/complete" ]; then
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || missing "the compiler has no target $target"
    rm -rf "$folder" && mkdir -p "$folder/packages"
    (
        cd "$folder/packages"
        # Lists of packages may be missing or old.
        apt-get download -qq "${packages[@]}" 2>/dev/null || { apt-get update -qq && apt-get download -qq "${packages[@]}"; }
    ) >&2 || missing "the packages cannot be fetched"
    for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$folder"; done
    rm -rf "$folder/packages"
    touch "$folder/complete"
fi

export RUSTC=$folder/usr/bin/rustc LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# The standard library is built with the rest: Debian has its sources, and an unstable option of cargo takes them.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C linker-flavor=wasm-ld"
build -Zbuild-std=std,panic_abort
