/** Small helpers for the page. */

type Content = Node | string | null | undefined;

/** An element with attributes and content. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...content: Content[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const part of content) if (part != null) element.append(part);
  return element;
}

/** A button that says what it does. */
export function button(text: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", act);
  return element;
}

/** The value of a CSS variable now. */
export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** How long what is made now listens to the page; without it as long as the page lives. */
let life: AbortSignal | undefined;

/** Makes something that listens to the page until the signal. */
export function during<T>(signal: AbortSignal, make: () => T): T {
  const before = life;
  life = signal;
  try {
    return make();
  } finally {
    life = before;
  }
}

/** Calls back when the reader's taste changes from light to dark or back. */
export function onTheme(act: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", act, { signal: life });
}

/** Calls back when a pointer is let go anywhere. */
export function onRelease(act: () => void): void {
  addEventListener("pointerup", act, { signal: life });
}

/** Calls back when a key is pressed anywhere. */
export function onKey(act: (event: KeyboardEvent) => void): void {
  addEventListener("keydown", act, { signal: life });
}

/** Calls back with the width of an element, now and when it changes. */
export function onWidth(element: HTMLElement, act: (width: number) => void): void {
  let last = 0;
  const observer = new ResizeObserver(() => {
    const width = Math.floor(element.clientWidth);
    if (width > 0 && width !== last) {
      last = width;
      act(width);
    }
  });
  observer.observe(element);
  life?.addEventListener("abort", () => observer.disconnect());
}

/** A number for people: about five digits. */
export function show(x: number | null | undefined): string {
  if (x == null || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e6) return x.toExponential(3);
  return String(Number(x.toPrecision(5)));
}

/** Round places between two numbers, about so many. */
export function ticks(low: number, high: number, about: number): number[] {
  const span = high - low;
  if (!(span > 0) || about < 1) return [low];
  const raw = span / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw * 0.999) ?? raw;
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++) found.push(Number((k * step).toPrecision(12)));
  // One number alone is no scale.
  return found.length < 2 && about < 8 ? ticks(low, high, about + 1) : found;
}
