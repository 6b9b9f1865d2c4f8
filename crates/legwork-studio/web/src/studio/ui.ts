/** Pieces that the panels are made of. */

import { button, h } from "../view/dom";
import type { Printed } from "./messages";

type Content = Node | string | null | undefined;

/** A part of a panel with a heading; it can be folded. */
export function part(title: string, open: boolean, ...content: Content[]): HTMLDetailsElement {
  const details = h("details", { class: "part" }, h("summary", {}, h("h3", {}, title)), h("div", { class: "inside" }, ...content));
  details.open = open;
  return details;
}

/** Fills a panel anew; what was open stays open, what was closed stays closed. */
export function refill(panel: HTMLElement, ...content: Content[]): void {
  const title = (details: HTMLDetailsElement) => details.querySelector("h3")?.textContent ?? "";
  const all = () => [...panel.querySelectorAll<HTMLDetailsElement>("details.part")];
  const before = new Map(all().map((details) => [title(details), details.open]));
  panel.replaceChildren(...content.filter((one) => one != null));
  for (const details of all()) details.open = before.get(title(details)) ?? details.open;
}

/** Makes a panel anew; who works with keys stays in his place. */
export function keepingFocus(panel: HTMLElement, make: () => void): void {
  const stops = () => [...panel.querySelectorAll<HTMLElement>("button, input, select, summary, [tabindex]")];
  const held = document.activeElement as HTMLElement;
  const place = stops().indexOf(held);
  make();
  if (place >= 0) (panel.contains(held) ? held : stops()[place])?.focus({ preventScroll: true });
}

let count = 0;
/** A name that no other element has. */
export function unique(prefix: string): string {
  return `${prefix}-${++count}`;
}

/** A row with a label, a control, and room for what is wrong with it. */
export class Row {
  readonly element: HTMLElement;
  readonly fault: HTMLElement;

  constructor(text: string, readonly input: HTMLInputElement | HTMLSelectElement, unit = "", hint = "", ...more: Content[]) {
    const id = unique("field");
    input.id = id;
    this.fault = h("p", { class: "fault", id: `${id}-fault`, role: "alert", hidden: "" });
    input.setAttribute("aria-describedby", `${id}-fault`);
    const label = h("label", { for: id }, text);
    if (hint) label.title = hint;
    this.element = h("div", { class: "row" }, label, ...more, h("span", { class: "control" }, input, unit ? h("span", { class: "unit" }, unit) : null), this.fault);
  }

  /** Says what is wrong, or that nothing is. */
  refuse(text: string | null): void {
    this.fault.hidden = text == null;
    this.fault.textContent = text ?? "";
    this.input.setAttribute("aria-invalid", String(text != null));
  }
}

/** How far something has come, in words and as a bar, with a way to stop it. */
export function meter(holder: HTMLElement, words: string, stop: () => void): (share: number) => void {
  const bar = h("progress", { max: "1", value: "0", "aria-label": words });
  const share = h("span", { class: "unit" }, "0 %");
  holder.replaceChildren(h("span", { role: "status" }, words), bar, share, button("Stop", stop, { class: "quiet" }));
  holder.hidden = false;
  const began = performance.now();
  return (part) => {
    bar.value = part;
    const spent = (performance.now() - began) / 1000;
    share.textContent = `${Math.floor(100 * part)} %${spent > 5 && part > 0 ? `, ${duration((spent * (1 - part)) / part)} left` : ""}`;
  };
}

/** A time to wait, as people say it. */
function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A field for text. */
export function field(placeholder = "", name = ""): HTMLInputElement {
  return h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder, ...(name ? { "aria-label": name } : {}) });
}

/** A box to tick; what it means may stand beside it. */
export function tick(text: string, on: boolean, act: (on: boolean) => void, hint = "", meaning = ""): HTMLLabelElement {
  const box = h("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => act(box.checked));
  const label = h("label", { class: "tick" }, box, h("span", {}, text, meaning ? h("small", {}, ` ${meaning}`) : null));
  if (hint) label.title = hint;
  return label;
}

export interface Choice {
  name: string;
  meaning: string;
}

/** A list to choose from; the first entry may be "as usual". */
export function choice(choices: Choice[], usual: string | null): HTMLSelectElement {
  const select = h("select", {});
  if (usual != null) select.append(h("option", { value: "" }, usual));
  for (const { name, meaning } of choices) select.append(h("option", { value: name, title: meaning }, name));
  return select;
}

/** Splits "motor torque [N m]" into name and unit. */
export function named(text: string): [name: string, unit: string] {
  const found = /^(.*\S)\s*\[([^\]]+)\]\s*$/.exec(text);
  return found ? [found[1]!, found[2]!] : [text.trim(), ""];
}

/** A table of printed numbers whose cells change and whose rows lead to their equations. */
export class Sheet {
  readonly element = h("div", { class: "sheet", tabindex: "0", role: "region" });
  private cells: HTMLElement[][] = [];
  private shape = "";

  constructor(title: string, private readonly explain: (words: string, quantity: string) => void) {
    this.element.setAttribute("aria-label", title);
  }

  show(printed: Printed | null): void {
    this.element.hidden = printed == null;
    if (!printed) return;
    const shape = printed.rows.map((row) => `${row.name}/${row.cells.length}`).join();
    if (shape !== this.shape) this.build(printed, shape);
    printed.rows.forEach((row, k) => row.cells.forEach((cell, i) => {
      const to = this.cells[k]![i]!;
      if (to.textContent !== cell) to.textContent = cell;
    }));
  }

  private build(printed: Printed, shape: string): void {
    this.shape = shape;
    const [head, ...rows] = printed.rows;
    const heads = head!.cells.map((cell) => h("th", { scope: "col" }, cell));
    this.cells = [heads];
    const body = rows.map((row) => {
      const [name, unit] = named(row.name);
      const { quantity } = row;
      const open = quantity == null ? h("span", {}, name) : button(name, () => this.explain(name, quantity), { class: "word", title: "The equation behind it" });
      const cells = row.cells.map(() => h("td", {}));
      this.cells.push(cells);
      const indented = row.name.startsWith(" ");
      return h("tr", indented ? { class: "of" } : {}, h("th", { scope: "row" }, open, unit ? h("span", { class: "unit" }, ` ${unit}`) : null), ...cells);
    });
    this.element.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, h("td", {}), ...heads)), h("tbody", {}, ...body)));
  }
}

/** Saves text or bytes as a file. */
export function save(name: string, content: string | Uint8Array<ArrayBuffer>, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Text with a button that copies it. */
export function copied(title: string, text: string): HTMLElement {
  const pre = h("pre", { tabindex: "0", role: "group", "aria-label": title }, text);
  const copy = button("Copy", () => void copyText(text, pre, copy), { class: "quiet", "aria-label": `Copy ${title.toLowerCase()}` });
  return h("div", { class: "code" }, pre, copy);
}

export async function copyText(text: string, shown: HTMLElement, on: HTMLElement): Promise<void> {
  const before = on.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the right to write, what is selected can be copied.
    getSelection()?.selectAllChildren(shown);
    document.execCommand("copy");
  }
  on.textContent = "Copied";
  setTimeout(() => (on.textContent = before), 1500);
}

/** One of several panels; arrow keys go from tab to tab. */
export function tabs(names: string[], panels: HTMLElement[], act: (k: number) => void): { bar: HTMLElement; select: (k: number) => void } {
  const bar = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
  const buttons = names.map((name, k) => {
    const id = unique("tab");
    const panel = panels[k]!;
    panel.id = `${id}-panel`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", id);
    const one = button(name, () => select(k), { role: "tab", id, "aria-controls": panel.id });
    one.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -k, End: names.length - 1 - k }[event.key];
      if (step == null) return;
      event.preventDefault();
      const next = (k + step + names.length) % names.length;
      select(next);
      buttons[next]!.focus();
    });
    return one;
  });
  bar.append(...buttons);
  const select = (k: number) => {
    buttons.forEach((one, i) => {
      one.setAttribute("aria-selected", String(i === k));
      one.tabIndex = i === k ? 0 : -1;
      panels[i]!.hidden = i !== k;
    });
    act(k);
  };
  return { bar, select };
}
