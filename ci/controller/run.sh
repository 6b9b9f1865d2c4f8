#!/usr/bin/env bash
# Generated C and the library's core on emulated controllers: run.sh FOLDER-WITH-double-AND-float. The firmware in C with its
# self-test, and the firmware in Rust with the core itself, run on a Cortex-M7 in double (mps2-an500) and on a Cortex-M4 in
# single precision (mps2-an386), both also on aarch64; results are compared with those of the generated C on the host.
# Instructions, not cycles.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) folder=$(cd "$1" && pwd)
table=()
compared() { # name precision
    local name=$1 precision=$2 bound=1e-9; [ "$precision" = float ] && bound=2e-3
    # Every number of the host, to rounding of another mathematics library.
    awk -v bound=$bound -v name="$name" 'NR == FNR { host[$1] = $2; next } ($1 in host) { e = $2 - host[$1]; e = e < 0 ? -e : e;
        s = host[$1] < 0 ? -host[$1] : host[$1]; if (!(e <= bound * (s > 1e-3 ? s : 1e-3))) { print name ": " $1 " " $2 " for " host[$1]; exit 1 } n++ }
        END { if (n < 6) { print name ": " n " numbers"; exit 1 } }' "$folder/host-$precision.txt" "$folder/$name.txt"
}
# The firmware in Rust; the compiler of toolchain.sh builds the core library for the target too.
rust() { # name precision cpu features target linker flags... -- runner...
    local name=$1 precision=$2 cpu=$3 features=$4 target=$5 linker=$6 flags=() built; shift 6
    while [ "$1" != -- ]; do flags+=("-C" "link-arg=$1"); shift; done; shift
    built=$folder/../firmware-$cpu
    (eval "$("$here/../toolchain.sh" "$folder/../rust-web")" && cd "$here/firmware" &&
        RUSTFLAGS="-C target-cpu=$cpu -C linker=$linker -C linker-flavor=ld ${flags[*]}" \
        cargo build -q --release --features "$features" --target "$target" -Zbuild-std=core \
        -Zbuild-std-features=compiler-builtins-mem --target-dir "$built")
    "$@" "$built/$target/release/firmware" > "$folder/$name.txt" 2>&1
    compared "$name" "$precision"
    local size; size=$("${linker/%ld/size}" "$built/$target/release/firmware" | awk 'NR == 2 { print $1 }')
    table+=("$name|$precision|$(awk '$1 == "instructions" && $2 > 0 { print int($2) }' "$folder/$name.txt")|$size, the whole program|")
}
run() { # name precision compiler... -- runner...
    local name=$1 precision=$2; shift 2
    local compiler=() flags=()
    while [ "$1" != -- ]; do compiler+=("$1"); shift; done; shift
    [ "$precision" = float ] && flags=(-DSINGLE)
    local code=$folder/$precision/delta_industrial
    "${compiler[@]}" -std=c99 -O2 -Wall "${flags[@]}" -I"$folder/$precision" "$here/loop.c" "$code.c" -lm -o "$folder/loop-$name"
    "${compiler[@]}" -std=c99 -O2 -Wall "${flags[@]}" -I"$folder/$precision" "${code}_test.c" "$code.c" -lm -o "$folder/test-$name"
    "$@" "$folder/test-$name" > "$folder/test-$name.txt"
    grep -q passed "$folder/test-$name.txt" || { cat "$folder/test-$name.txt"; exit 1; }
    "$@" "$folder/loop-$name" > "$folder/$name.txt"
    gcc -std=c99 -O2 "${flags[@]}" -I"$folder/$precision" "$here/loop.c" "$code.c" -lm -o "$folder/loop-host"
    "$folder/loop-host" > "$folder/host-$precision.txt"
    compared "$name" "$precision"
    local size; size=$((0x$("${compiler[0]/%gcc/nm}" -S "$folder/loop-$name" | awk '$4 == "delta_industrial_regulator_step" { print $2 }')))
    table+=("$name|$precision|$(awk '$1 == "instructions" { print int($2) }' "$folder/$name.txt")|$size, the step|$(tail -2 "$folder/test-$name.txt" | head -1 | awk '{ print $NF }')")
}
bare=(--specs=rdimon.specs -nostartfiles -T "$here/link.ld" "$here/startup.c" -ffunction-sections -Wl,--gc-sections)
# crt0 of newlib's semihosting
crt=$(arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard -print-file-name=rdimon-crt0.o)
qemu() { qemu-system-arm -machine "$1" -nographic -monitor none -serial none -semihosting-config enable=on,target=native -icount shift=0 -kernel "$2"; }
m7() { qemu mps2-an500 "$1"; }
m4() { qemu mps2-an386 "$1"; }
run cortex-m7 double arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard "${bare[@]}" "$crt" -- m7
crt4=$(arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -print-file-name=rdimon-crt0.o)
run cortex-m4 float arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard "${bare[@]}" "$crt4" -- m4
board=(thumbv7em-none-eabihf arm-none-eabi-ld "-T$here/link.ld")
rust core-m7 double cortex-m7 "" "${board[@]}" -- m7
rust core-m4 float cortex-m4 single "${board[@]}" -- m4
run aarch64 double aarch64-linux-gnu-gcc -static -- qemu-aarch64
rust core-aarch64 double cortex-a53 "" aarch64-unknown-none aarch64-linux-gnu-ld -static -- qemu-aarch64
# The table, also into the book if asked for.
rows() {
    echo "| target | precision | instructions of a step | bytes of code | worst error of the self-test |"
    echo "|---|---|---|---|---|"
    printf '%s\n' "${table[@]}" | awk -F'|' '{ print "| " $1 " | " $2 " | " ($3 == "" ? "not counted" : $3) " | " $4 " | " ($5 == "" ? "none" : $5) " |" }'
}
rows
if [ -n "${UPDATE_DOCUMENTS:-}" ]; then
    page=$here/../../book/src/codegen.md
    rows > "$folder/table.md"
    awk -v table="$folder/table.md" '/^<!-- end of the table -->/ { inside = 0 } !inside { print }
        /^<!-- written by .\/ci.sh controller -->/ { inside = 1; print ""; while ((getline line < table) > 0) print line; print "" }' "$page" > "$page.new"
    mv "$page.new" "$page"
fi
