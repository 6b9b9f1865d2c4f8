/** From the blocks of a report to elements of the page. */

import { animation } from "./animation";
import type { Hub } from "./clock";
import { cloud } from "./cloud";
import { bytes, label, type Block, type HeatMap, type Table } from "./document";
import { button, h } from "./dom";
import { bar, heat } from "./heat";
import { lines } from "./lines";

export function render(block: Block, hub: Hub, small = false): HTMLElement {
  switch (block.kind) {
    case "text":
      return h("p", {}, block.text);
    case "table":
      return table(block);
    case "lines":
      return lines(block, hub, small ? 130 : 210);
    case "heat":
      return heat(block, small);
    case "cloud":
      return cloud(block, small);
    case "multiples":
      return multiples(block, hub);
    case "animation":
      return animation(block, hub);
    case "attachment": {
      const save = button(`Save ${block.name}`, () => {
        const url = URL.createObjectURL(new Blob([bytes(block.base64)], { type: block.media_type }));
        h("a", { href: url, download: block.name }).click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
      });
      return h("p", { class: "file" }, save, h("span", { class: "unit" }, size(block.size)));
    }
  }
}

/** Small plots side by side; maps of one scale have one bar of colours for all. */
function multiples(block: Extract<Block, { kind: "multiples" }>, hub: Hub): HTMLElement {
  const maps = block.blocks.filter((one): one is HeatMap => one.kind === "heat");
  const [first] = maps;
  const alike = (map: HeatMap) => String(map.range) === String(first!.range) && label(map.x) === label(first!.x) && label(map.y) === label(first!.y);
  const common = first?.range && maps.length === block.blocks.length && maps.every(alike) ? h("output", { class: "readout" }) : undefined;
  const parts = block.blocks.map((one) => (one.kind === "heat" ? heat(one, true, common) : render(one, hub, true)));
  const grid = h("div", { class: common ? "multiples maps" : "multiples", style: `--columns: ${block.columns}` }, ...parts);
  const about = first && common ? `${label(first.x)} to the right, ${label(first.y)} upwards` : "";
  const title = block.title || about || common ? h("figcaption", {}, block.title ? h("span", {}, block.title) : null, h("span", { class: "unit" }, about), common) : null;
  const names = new Set(maps.map((map) => map.value.name));
  const [map] = maps;
  const scale = common ? bar(map!, map!.range!, false, names.size === 1 ? label(map!.value) : map!.value.unit) : null;
  return h("figure", { class: "card wide small-plots" }, title, grid, scale);
}

function size(count: number): string {
  return count < 1e3 ? `${count} B` : count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** Heads of columns that say how it went. */
const VERDICTS = ["verdict", "can do it", "holds"];

function table(block: Table): HTMLElement {
  const numeric = block.columns.map((_, k) => block.rows.every((row) => !row[k] || row[k] === "–" || row[k] === "-" || /^[-−+]?[\d.]/.test(row[k]!)));
  // Sentences and formulas are broken into lines, words and numbers are not; a verdict stays in sight on a phone.
  const prose = block.columns.map((_, k) => block.rows.some((row) => (row[k] ?? "").length > 34));
  const kind = block.columns.map((column, k) => (VERDICTS.includes(column.name) ? "verdict" : numeric[k] ? "number" : prose[k] ? "prose" : ""));
  // Several columns of sentences are too wide for a phone: there each row is a card, and its cells have their heads.
  const isWordy = prose.filter(Boolean).length > 1;
  const cell = (tag: "td" | "th", k: number, text: string) =>
    h(tag, { ...(kind[k] ? { class: kind[k]! } : {}), ...(isWordy && tag === "td" ? { "data-head": label(block.columns[k]!) } : {}) }, text);
  const head = h("tr", {}, ...block.columns.map((column, k) => cell("th", k, label(column))));
  const rows = block.rows.map((row) => h("tr", {}, ...block.columns.map((_, k) => cell("td", k, row[k] ?? ""))));
  const inner = h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
  const scroll = h("div", { class: isWordy ? "scroll whole" : "scroll", tabindex: "0", role: "group", "aria-label": block.title || "Table" }, inner);
  return h("figure", { class: isWordy ? "card wide table wordy" : "card wide table" }, block.title ? h("figcaption", {}, h("span", {}, block.title)) : null, scroll);
}
