#!/usr/bin/env bash
# The studio in one step: the library for the browser (ci/wasm.sh), the page (npm), both in one file, where the next build of the
# program finds it: crates/legwork-studio/page/studio.html, or in the file that is named. Node and a compiler for WebAssembly
# are needed, each is found or fetched.
set -euo pipefail
cd "$(dirname "$0")/.."

web=crates/legwork-studio/web page=${1:-crates/legwork-studio/page/studio.html}
command -v npm >/dev/null || { echo "error: the studio cannot be built: \`npm\` is missing" >&2; echo "hint: install Node" >&2; exit 3; }
ci/wasm.sh
[ $web/node_modules/.package-lock.json -nt $web/package-lock.json ] || npm --prefix $web ci --ignore-scripts --no-audit --no-fund >/dev/null
npm --prefix $web run -s build:studio >/dev/null
# Beside it first: a page is there whole or not at all.
node ci/assemble.mjs $web/dist/studio.html target/studio/legwork_web.wasm $page.partial
mv $page.partial $page
echo "$page: $(wc -c <$page) bytes"
