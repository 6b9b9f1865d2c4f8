// Puts the library into the page of the studio: node ci/assemble.mjs PAGE WASM OUT
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [page, wasm, out] = process.argv.slice(2);
const MARK = "<!--WASM-->";
const html = readFileSync(page, "utf8");
if (html.split(MARK).length !== 2) throw new Error(`${page} has not one place for the library: ${MARK}`);
const packed = gzipSync(readFileSync(wasm), { level: 9 }).toString("base64");
writeFileSync(out, html.replace(MARK, () => `<script type="application/wasm-gzip-base64" id="wasm">${packed}</script>`));
