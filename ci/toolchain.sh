#!/usr/bin/env bash
# A Rust compiler with the source of its library, for targets that cannot be downloaded as such: toolchain.sh FOLDER. Debian's
# packages are unpacked there, nothing is installed; what has to be set to use it is printed:
#     eval "$(ci/toolchain.sh target/rust-web)" && cargo build --target thumbv7em-none-eabihf -Zbuild-std=core
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
if [ ! -f "$folder/unpacked" ]; then
    rm -rf "$folder/debs" && mkdir -p "$folder/debs"
    # Lists of packages may be missing.
    apt-cache show rustc-web >/dev/null 2>&1 || apt-get update -qq >&2
    version=$(apt-cache show rustc-web | awk '/^Version:/ { print $2; exit }')
    short=$(cut -d. -f1,2 <<<"$version")
    llvm=$(apt-cache depends "rustc-web=$version" "libstd-rust-web-$short" | awk '/Depends: libllvm/ { print $2; exit }')
    (cd "$folder/debs" && apt-get download -qq rustc-web rust-web-src "libstd-rust-web-$short" libstd-rust-web-dev "$llvm" >&2)
    for package in "$folder"/debs/*.deb; do dpkg -x "$package" "$folder"; done
    rm -r "$folder/debs"
    touch "$folder/unpacked"
fi
echo "export RUSTC=$folder/usr/bin/rustc LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu RUSTC_BOOTSTRAP=1"
