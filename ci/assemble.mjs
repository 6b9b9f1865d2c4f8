// Puts the library into the page of the studio and packs both: node ci/assemble.mjs PAGE WASM OUT
// The script is packed by gzip, which every browser unpacks itself; the library by xz, which makes it a third smaller: much of
// it is one formula for many sizes, farther apart than gzip looks back. The script unpacks it.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [page, wasm, out] = process.argv.slice(2);

/** The text with the one place that matches replaced. */
function put(text, place, made) {
  if (text.split(place).length !== 2) throw new Error(`${page} has not one place like ${place}`);
  return text.replace(place, made);
}

// Its kind of code has no alignment to learn from (pb=0), but longer habits than text (lc=4).
const library = execFileSync("xz", ["--stdout", "--format=xz", "--check=crc32", "--lzma2=preset=9e,lc=4,pb=0", wasm], { maxBuffer: 1 << 28 });
const unpack = `
const packed = document.getElementById("script");
const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt(0));
const script = document.createElement("script");
script.type = "module";
script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
packed.replaceWith(script);
`;
const element = (type, id, bytes) => `<script type="${type}" id="${id}">${bytes.toString("base64")}</script>`;
let html = readFileSync(page, "utf8");
html = put(html, /<script type="module">[^]*?<\/script>/, (script) => {
  const code = script.slice(script.indexOf(">") + 1, script.lastIndexOf("<"));
  return `${element("text/gzip-base64", "script", gzipSync(code, { level: 9 }))}\n<script type="module">${unpack}</script>`;
});
html = put(html, "<!--WASM-->", () => element("application/wasm-xz-base64", "wasm", library));
writeFileSync(out, html);
