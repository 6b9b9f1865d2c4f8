#!/usr/bin/env bash
# A Rust compiler with the source of its library, for targets that cannot be downloaded as such: toolchain.sh FOLDER. Debian's
# packages are unpacked there, nothing is installed; what has to be set to use it is printed:
#     eval "$(ci/toolchain.sh target/rust-web)" && cargo build --target thumbv7em-none-eabihf -Zbuild-std=core
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
# One job unpacks, others wait for it.
exec 8>"$folder.lock"
flock 8
if [ ! -f "$folder/unpacked" ]; then
    rm -rf "$folder/debs" "$folder/usr" && mkdir -p "$folder/debs"
    # Lists of packages may be missing, or older than the compiler. Where they cannot be fetched, those that are there serve.
    (flock 9 && for _ in 1 2 3 4 5; do apt-get update -qq && break; sleep 5; done) >&2 9>"$folder/../apt.lock" || true
    version=$(apt-cache show rustc-web | awk '/^Version:/ { print $2; exit }')
    short=$(cut -d. -f1,2 <<<"$version")
    if [ "$(printf '%s\n' "$wanted" "$short" | sort -V | head -1)" != "$wanted" ]; then
        echo "error: Debian's rustc-web is ${short:-missing}, and Rust $wanted is needed" >&2
        exit 1
    fi
    llvm=$(apt-cache depends "rustc-web=$version" "libstd-rust-web-$short" | awk '/Depends: libllvm/ { print $2; exit }')
    (cd "$folder/debs" && apt-get download -qq -o APT::Sandbox::User=root rustc-web rust-web-src "libstd-rust-web-$short" libstd-rust-web-dev "$llvm" >&2)
    for package in "$folder"/debs/*.deb; do dpkg -x "$package" "$folder"; done
    rm -r "$folder/debs"
    touch "$folder/unpacked"
fi
echo "export RUSTC=$folder/usr/bin/rustc LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu RUSTC_BOOTSTRAP=1"
