/** A form that fills a request of the library. Empty fields are left out, so that the library's defaults hold; what is typed
 * goes to the library as it is. */

import { h } from "../view/dom";
import type { Failure } from "./messages";
import { inWords } from "./session";
import { Row, choice, field, tick, type Choice } from "./ui";

/** How a text becomes a value of the request. */
type Reads = (text: string) => unknown;

/** A number, or a text with its unit that the library reads. */
const plain: Reads = (text) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
/** Several of them, with commas or spaces between. */
const list: Reads = (text) => text.split(/[,;]\s*|\s+(?=[-+.\d])/).filter((word) => word !== "").map(plain);
/** Per cent as a share. */
const share: Reads = (text) => (Number.isFinite(Number(text.replace("%", ""))) ? Number(text.replace("%", "")) / 100 : text);
/** Places, with semicolons between. */
const places: Reads = (text) => text.split(";").map((place) => list(place.trim()));
const READS = { plain, list, places, share };

export class Form {
  private readers: ((request: Record<string, unknown>) => void)[] = [];
  private rows = new Map<string, Row>();

  /** A field of the request at a dotted path. */
  text(label: string, path: string, unit: string, hint: string, kind: keyof typeof READS = "plain", value = ""): HTMLElement {
    const input = field(hint);
    input.value = value;
    const row = new Row(label, input, unit, hint);
    this.rows.set(path, row);
    this.readers.push((request) => {
      const typed = input.value.trim();
      if (typed !== "") put(request, path, READS[kind](typed));
    });
    return row.element;
  }

  select(label: string, path: string, choices: Choice[], usual: string | null, value = ""): HTMLElement {
    const select = choice(choices, usual);
    if (value) select.value = value;
    const row = new Row(label, select);
    const meaning = h("p", { class: "hint meaning" });
    const about = () => (meaning.textContent = choices.find((one) => one.name === select.value)?.meaning ?? "");
    select.addEventListener("change", about);
    about();
    row.fault.before(meaning);
    this.rows.set(path, row);
    this.readers.push((request) => {
      if (select.value !== "") put(request, path, select.value);
    });
    return row.element;
  }

  flag(label: string, path: string, hint = "", on = false): HTMLElement {
    const box = tick(label, on, () => {}, hint);
    const input = box.querySelector("input")!;
    this.readers.push((request) => {
      if (input.checked) put(request, path, true);
    });
    return box;
  }

  /** Any number of a list. */
  several(label: string, path: string, choices: Choice[], on: string[]): HTMLElement {
    const chosen = new Set(on);
    this.readers.push((request) => {
      const names = choices.map((one) => one.name).filter((name) => chosen.has(name));
      if (names.length > 0) put(request, path, names);
    });
    const boxes = choices.map(({ name, meaning }) =>
      tick(name, chosen.has(name), (on) => {
        if (on) chosen.add(name);
        else chosen.delete(name);
      }, "", meaning),
    );
    return h("div", { class: "ticks", role: "group", "aria-label": label }, ...boxes);
  }

  /** What was filled in. */
  read(request: Record<string, unknown>): Record<string, unknown> {
    for (const one of this.rows.values()) one.refuse(null);
    for (const act of this.readers) act(request);
    return request;
  }

  /** Puts a value into a field. */
  fill(path: string, value: string): void {
    const row = this.rows.get(path);
    if (row) row.input.value = value;
  }

  /** Says at its field what was refused; gives back what belongs to no field. */
  refuse(failure: Failure): string | null {
    // A value inside a list belongs to the field of the list.
    const { field } = failure;
    const path = [...this.rows.keys()].find((path) => field === path || field?.startsWith(`${path}.`));
    if (path == null) return inWords(failure);
    const row = this.rows.get(path)!;
    row.refuse(inWords(failure));
    for (let one: HTMLElement | null = row.element; one; one = one.parentElement) if (one instanceof HTMLDetailsElement) one.open = true;
    row.element.scrollIntoView({ block: "nearest" });
    return null;
  }
}

/** Puts a value at a dotted path. */
function put(request: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop()!;
  let at = request;
  for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>;
  at[last] = value;
}
