/** Curves over one axis (uPlot): linked cursor, linked zoom, a legend of buttons that shows the values. The
 * curves of several runs have the colours of the runs, and dashes tell x from y. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Clock, Hub, Shared } from "./clock";
import { colour, dash } from "./colours";
import { label, numbers, type Lines } from "./document";
import { button, css, h, onTheme, onWidth, show } from "./dom";

/** Between two moves of the cursor while the clock runs [ms]. */
const PATIENCE = 50;

export function lines(block: Lines, hub: Hub, height = 210): HTMLElement {
  const shared = hub.of(block.x.name, block.x.unit);
  const runs = [...new Set(block.curves.map((curve) => curve.run))];
  const names = [...new Set(block.curves.map((curve) => curve.name))];
  const data = joined(block);
  const x = data[0] as number[];
  if (x.length) shared.include(x[0]!, x[x.length - 1]!);

  const several = runs.length > 1;
  const title = several ? (curve: Lines["curves"][0]) => `${curve.name} · ${curve.run}` : (curve: Lines["curves"][0]) => curve.name;
  const plot = h("div", { class: "plot", tabindex: "0", role: "img" });
  plot.setAttribute(
    "aria-label",
    `${block.title}: ${names.join(", ")} over ${label(block.x)}. Arrow keys move the cursor, plus and minus zoom, 0 shows all.`,
  );
  const reset = button("Show all", () => shared.zoom(null), { class: "quiet", hidden: "" });
  const figure = h(
    "figure",
    { class: "card lines" },
    h("figcaption", {}, h("span", {}, block.title), h("span", { class: "unit" }, label(block.y)), reset),
    plot,
  );

  const options: uPlot.Options = {
    width: 300,
    height,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 7 }, focus: { prox: -1 } },
    scales: { x: { time: false }, ...(block.bands?.length ? { y: { range: (_: uPlot, low: number, high: number) => room(block, low, high) } } : {}) },
    axes: [axis(label(block.x), 26), axis(undefined, undefined)],
    series: [
      {},
      ...block.curves.map((curve) => ({
        label: title(curve),
        stroke: () => colour(several ? runs.indexOf(curve.run) : names.indexOf(curve.name)),
        width: 1.6,
        dash: several ? dash(names.indexOf(curve.name)) : undefined,
        spanGaps: several,
        points: { show: false },
      })),
    ],
    hooks: {
      drawClear: [(u) => limits(u, block)],
      setSelect: [
        (u) => {
          if (u.select.width > 3) shared.zoom([u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")]);
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
  const chart = new uPlot(options, data, plot);

  // The legend: each curve is a button with its value at the cursor; of several runs a table.
  const values = block.curves.map(() => h("output", {}));
  const off = new Set<string>();
  const buttons: (() => void)[] = [];
  const apply = () => {
    block.curves.forEach((curve, k) => {
      const on = !off.has(curve.name) && hub.isShown(curve.run);
      if (chart.series[k + 1]!.show !== on) chart.setSeries(k + 1, { show: on });
    });
    for (const update of buttons) update();
  };
  const toggle = (text: string, mark: Element, isOn: () => boolean, act: () => void, hint = "Hide or show") => {
    const one = h("button", { type: "button", "aria-pressed": "true", title: hint }, mark, text);
    one.addEventListener("click", act);
    buttons.push(() => one.setAttribute("aria-pressed", String(isOn())));
    return one;
  };
  const ofName = (name: string, mark: Element) =>
    toggle(name, mark, () => !off.has(name), () => {
      if (!off.delete(name)) off.add(name);
      apply();
    });
  const ofRun = (run: string) => {
    const one = toggle(run, sample(`var(--c${runs.indexOf(run) % 7})`), () => hub.isShown(run), () => hub.toggle(run), "Hide or show this run everywhere");
    one.classList.add("run");
    return one;
  };
  const legend = h("div", { class: "legend" });
  if (!several) {
    block.curves.forEach((curve, k) => {
      const one = ofName(curve.name, sample(`var(--c${names.indexOf(curve.name) % 7})`));
      one.append(values[k]!);
      legend.append(one);
    });
  } else {
    legend.classList.add("runs");
    legend.classList.toggle("many", names.length > 1);
    legend.style.setProperty("--names", String(names.length));
    if (names.length > 1) legend.append(h("span", {}), ...names.map((name, k) => ofName(name, sample("var(--soft)", dash(k)))));
    for (const run of runs) {
      legend.append(ofRun(run ?? ""));
      for (const name of names) {
        const k = block.curves.findIndex((curve) => curve.run === run && curve.name === name);
        legend.append(values[k] ?? h("span", {}));
      }
    }
    hub.onRuns(apply);
  }
  figure.append(legend);

  // Where the others point, this one points.
  const place = () => {
    if (shared.value == null) return;
    const left = chart.valToPos(shared.value, "x");
    chart.setCursor({ left: left >= 0 && left <= chart.bbox.width / devicePixelRatio ? left : -10, top: 0 }, false);
    const row = nearest(x, shared.value);
    values.forEach((value, k) => (value.textContent = show(at(data[k + 1] as (number | null)[], row))));
  };
  let due = 0;
  let waiting = false;
  const follow = () => {
    if (waiting) return;
    const wait = isClock(shared) && shared.playing ? due - performance.now() : 0;
    if (wait <= 0) {
      due = performance.now() + PATIENCE;
      place();
    } else {
      waiting = true;
      setTimeout(() => {
        waiting = false;
        due = performance.now() + PATIENCE;
        place();
      }, wait);
    }
  };
  const zoom = () => {
    const [min, max] = shared.shown;
    if (min < max) chart.setScale("x", { min, max });
    reset.hidden = shared.range == null;
    place();
  };
  shared.onMove(follow);
  shared.onZoom(zoom);
  chart.over.addEventListener("pointermove", (event) => {
    if (isClock(shared) && shared.playing) return;
    shared.seek(chart.posToVal(event.offsetX, "x"));
  });
  chart.over.addEventListener("click", (event) => shared.seek(chart.posToVal(event.offsetX, "x")));
  chart.over.addEventListener("dblclick", () => shared.zoom(null));
  // uPlot forgets its cursor when the pointer leaves; the place stays.
  chart.over.addEventListener("pointerleave", () => setTimeout(place));
  plot.addEventListener("keydown", (event) => {
    const [low, high] = shared.shown;
    const step = ((high - low) / 100) * (event.shiftKey ? 10 : 1);
    const now = shared.value ?? low;
    const act: Record<string, () => void> = {
      ArrowLeft: () => shared.seek(now - step),
      ArrowRight: () => shared.seek(now + step),
      Home: () => shared.seek(low),
      End: () => shared.seek(high),
      "+": () => shared.magnify(2),
      "=": () => shared.magnify(2),
      "-": () => shared.magnify(0.5),
      "0": () => shared.zoom(null),
    };
    if (act[event.key]) {
      event.preventDefault();
      act[event.key]!();
    }
  });
  onWidth(plot, (width) => {
    chart.setSize({ width, height });
    zoom();
  });
  onTheme(() => chart.redraw());
  return figure;
}

/** The height of a plot with limits: those that are near are seen. */
function room(block: Lines, low: number, high: number): [number, number] {
  const size = Math.max(Math.abs(low), Math.abs(high), 1e-12);
  for (const band of block.bands ?? []) {
    if (band.high != null && band.high < 1.8 * size) high = Math.max(high, band.high);
    if (band.low != null && band.low > -1.8 * size) low = Math.min(low, band.low);
  }
  const more = high > low ? 0.06 * (high - low) : 0.1 * size;
  return [low - more, high + more];
}

/** What is beyond a limit is shaded, and the limit is a line. */
function limits(u: uPlot, block: Lines): void {
  if (!block.bands?.length) return;
  const { ctx } = u;
  const { left, top, width, height } = u.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  for (const { low, high } of block.bands) {
    for (const [limit, up] of [[high, true], [low, false]] as const) {
      if (limit == null) continue;
      const y = u.valToPos(limit, "y", true);
      ctx.fillStyle = css("--unstable");
      if (up) ctx.fillRect(left, top, width, y - top);
      else ctx.fillRect(left, y, width, top + height - y);
      ctx.strokeStyle = css("--bad");
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(left, y);
      ctx.lineTo(left + width, y);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** A piece of a curve. */
function sample(stroke: string, dashes?: number[]): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("class", "sample");
  const line = document.createElementNS(space, "line");
  const numbers = { x1: "0", x2: "24", y1: "3", y2: "3", "stroke-dasharray": dashes?.join(" ") ?? "none" };
  for (const [name, value] of Object.entries(numbers)) line.setAttribute(name, value);
  line.style.stroke = stroke;
  picture.append(line);
  return picture;
}

function isClock(shared: Shared): shared is Clock {
  return "playing" in shared;
}

function axis(text: string | undefined, size: number | undefined): uPlot.Axis {
  return {
    label: text,
    labelSize: 18,
    labelFont: "12px system-ui, sans-serif",
    font: "11px system-ui, sans-serif",
    size: size ?? width,
    gap: 4,
    stroke: () => css("--soft"),
    grid: { stroke: () => css("--line"), width: 1 },
    ticks: { show: false },
    values: (_, splits) => splits.map(short),
  };
}

/** As wide as its longest number. */
const width: uPlot.Axis.Size = (_, values) => {
  const longest = Math.max(3, ...(values ?? []).map((value) => value?.length ?? 0));
  return 12 + 6.4 * longest;
};

function short(x: number | null): string {
  if (x == null) return "";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e5)) return x.toExponential().replace(/\.(\d{2})\d*e/, ".$1e");
  return String(Number(x.toPrecision(6)));
}

/** All curves over one axis, with gaps where a curve has no point. */
function joined(block: Lines): uPlot.AlignedData {
  const grids = block.grids.map((grid) => Array.from(numbers(grid)));
  const tables = grids.map((grid, k): uPlot.AlignedData => {
    const mine = block.curves.filter((curve) => curve.grid === k);
    return [grid, ...mine.map((curve) => Array.from(numbers(curve.y), (y) => (Number.isFinite(y) ? y : null)))];
  });
  if (tables.length === 0) return [[]];
  const all = tables.length === 1 ? tables[0]! : uPlot.join(tables, tables.map((table) => table.map(() => 1 as const)));
  // Joined tables are in the order of their grids; the curves have their own.
  const order = block.curves.map((_, k) => k).sort((a, b) => block.curves[a]!.grid - block.curves[b]!.grid || a - b);
  const sorted: uPlot.AlignedData[number][] = [all[0]];
  order.forEach((curve, place) => (sorted[curve + 1] = all[place + 1]!));
  return sorted as unknown as uPlot.AlignedData;
}

/** The row whose x is nearest. */
function nearest(x: number[], value: number): number {
  let [low, high] = [0, x.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x[middle]! <= value) low = middle;
    else high = middle;
  }
  return Math.abs((x[high] ?? 0) - value) < Math.abs((x[low] ?? 0) - value) ? high : low;
}

/** The value in a row, or the nearest one before it that is there. */
function at(column: (number | null)[], row: number): number | null | undefined {
  for (let k = row; k >= 0 && k > row - 8; k--) if (column[k] != null) return column[k];
  return null;
}
