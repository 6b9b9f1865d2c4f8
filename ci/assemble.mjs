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
const element = (type, id, text) => `<script type="${type}" id="${id}">${text}</script>`;

/** Four bytes as five letters (base64: three as four): digits of base 85, from `(` on, with `~` for `<`, which would end or begin
 * something. What is missing to the last four bytes is zeros. */
function base85(bytes) {
  const letters = Buffer.alloc(Math.ceil(bytes.length / 4) * 5);
  const padded = Buffer.concat([bytes, Buffer.alloc(3)]);
  for (let from = 0, to = 0; to < letters.length; from += 4, to += 5) {
    let rest = padded.readUInt32BE(from);
    for (let k = 4; k >= 0; k--) {
      const letter = 40 + (rest % 85);
      letters[to + k] = letter === 60 ? 126 : letter;
      rest = Math.floor(rest / 85);
    }
  }
  return letters.toString("latin1");
}
let html = readFileSync(page, "utf8");
html = put(html, /<script type="module">[^]*?<\/script>/, (script) => {
  const code = script.slice(script.indexOf(">") + 1, script.lastIndexOf("<"));
  return `${element("text/gzip-base64", "script", gzipSync(code, { level: 9 }).toString("base64"))}\n<script type="module">${unpack}</script>`;
});
html = put(html, "<!--WASM-->", () => element("application/wasm-xz-base85", "wasm", base85(library)));
writeFileSync(out, html);
