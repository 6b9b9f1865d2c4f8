#!/usr/bin/env bash
# The studio in one step: the library for the browser (ci/wasm.sh), the page (npm), both in one file, where the next build of the
# program finds it: crates/legwork-studio/page/studio.html, or in the file that is named. Node, xz and a
# compiler for WebAssembly are needed; what is missing is named.
set -euo pipefail
cd "$(dirname "$0")/.."

web=crates/legwork-studio/web page=${1:-crates/legwork-studio/page/studio.html}
for tool in npm:Node xz:xz-utils; do
    command -v ${tool%:*} >/dev/null && continue
    echo "error: the studio cannot be built: \`${tool%:*}\` is missing" >&2
    echo "hint: install ${tool#*:}" >&2
    exit 3
done
ci/wasm.sh
[ $web/node_modules/.package-lock.json -nt $web/package-lock.json ] || npm --prefix $web ci --ignore-scripts --no-audit --no-fund >/dev/null
npm --prefix $web run -s build:studio >/dev/null
# Beside it first: a page is there whole or not at all.
node ci/assemble.mjs $web/dist/studio.html target/studio/legwork_web.wasm $page.partial
mv $page.partial $page
echo "$page: $(wc -c <$page) bytes"
