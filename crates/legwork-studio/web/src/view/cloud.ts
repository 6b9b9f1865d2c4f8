/** Points in a plane: poles and zeros, torques over speeds. A box drawn with the pointer zooms. */

import { Chart, type Box } from "./chart";
import { colour } from "./colours";
import { label, numbers, type Cloud } from "./document";
import { button, css, h, onRelease, onTheme, onWidth, show } from "./dom";

export function cloud(block: Cloud, small = false): HTMLElement {
  const groups = block.groups.map((group) => ({ ...group, x: numbers(group.x), y: numbers(group.y), shown: true }));
  const chart = new Chart(label(block.x), label(block.y), small);
  const all = extent(groups.map((group) => [group.x, group.y]));
  chart.box = all;
  const readout = h("output", { class: "readout" });
  const reset = button("Show all", () => zoom(all), { class: "quiet", hidden: "" });
  const holder = h("div", { class: "plot" }, chart.canvas);
  const legend = h("div", { class: "legend" });
  groups.forEach((group, k) => {
    const mark = h("i", { class: `mark ${group.marker}`, style: `--mark: var(--c${k % 7})` });
    const one = h("button", { type: "button", "aria-pressed": "true" }, mark, group.name);
    one.addEventListener("click", () => {
      group.shown = !group.shown;
      one.setAttribute("aria-pressed", String(group.shown));
      draw();
    });
    legend.append(one);
  });
  const figure = h("figure", { class: small ? "small cloud" : "card cloud" }, h("figcaption", {}, h("span", {}, block.title), readout, reset), holder, legend);

  let from: [number, number] | null = null;
  let to: [number, number] | null = null;
  const draw = () => {
    if (block.equal) equalise(chart);
    chart.draw(() => {
      const { pen } = chart;
      const { left, top, width, height } = chart.inner;
      pen.strokeStyle = css("--soft");
      pen.lineWidth = 0.8;
      pen.beginPath();
      pen.moveTo(chart.toX(0), top);
      pen.lineTo(chart.toX(0), top + height);
      pen.moveTo(left, chart.toY(0));
      pen.lineTo(left + width, chart.toY(0));
      pen.stroke();
      groups.forEach((group, k) => {
        if (!group.shown) return;
        pen.strokeStyle = pen.fillStyle = colour(k);
        pen.lineWidth = 1.8;
        const many = group.x.length > 400;
        pen.globalAlpha = many && group.marker === "dot" ? 0.45 : 1;
        pen.beginPath();
        for (let i = 0; i < group.x.length; i++) {
          const [x, y] = [chart.toX(group.x[i]!), chart.toY(group.y[i]!)];
          if (Number.isNaN(x + y)) continue;
          if (group.marker === "line") {
            if (i === 0) pen.moveTo(x, y);
            else pen.lineTo(x, y);
          } else if (group.marker === "cross") {
            pen.moveTo(x - 4, y - 4);
            pen.lineTo(x + 4, y + 4);
            pen.moveTo(x + 4, y - 4);
            pen.lineTo(x - 4, y + 4);
          } else {
            const radius = group.marker === "dot" ? (many ? 1.6 : 3) : 4.5;
            pen.moveTo(x + radius, y);
            pen.arc(x, y, radius, 0, 2 * Math.PI);
          }
        }
        if (group.marker === "dot") pen.fill();
        else pen.stroke();
        pen.globalAlpha = 1;
      });
      if (from && to) {
        pen.strokeStyle = css("--soft");
        pen.lineWidth = 1;
        pen.strokeRect(from[0], from[1], to[0] - from[0], to[1] - from[1]);
      }
    });
  };
  const zoom = (box: Box) => {
    chart.box = box;
    reset.hidden = box === all;
    draw();
  };
  const { canvas } = chart;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${block.title}: ${groups.map((group) => `${group.x.length} ${group.name}`).join(", ")}. Plus and minus zoom, 0 shows all.`);
  canvas.style.touchAction = "pan-y";
  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") from = [event.offsetX, event.offsetY];
  });
  canvas.addEventListener("pointermove", (event) => {
    if (from) {
      to = [event.offsetX, event.offsetY];
      draw();
    }
    readout.textContent = near(groups, chart, event.offsetX, event.offsetY);
  });
  canvas.addEventListener("pointerleave", () => (readout.textContent = ""));
  onRelease(() => {
    const [a, b] = [from, to];
    from = to = null;
    if (a && b && Math.abs(a[0] - b[0]) > 5 && Math.abs(a[1] - b[1]) > 5) {
      const order = (p: number, q: number): [number, number] => (p < q ? [p, q] : [q, p]);
      zoom({ x: order(chart.fromX(a[0]), chart.fromX(b[0])), y: order(chart.fromY(a[1]), chart.fromY(b[1])) });
    } else if (a && b) draw();
  });
  canvas.addEventListener("dblclick", () => zoom(all));
  canvas.addEventListener("keydown", (event) => {
    const factor = { "+": 0.7, "=": 0.7, "-": 1.4 }[event.key];
    if (factor) {
      const scaled = ([low, high]: [number, number]): [number, number] => [(low + high) / 2 - ((high - low) / 2) * factor, (low + high) / 2 + ((high - low) / 2) * factor];
      zoom({ x: scaled(chart.box.x), y: scaled(chart.box.y) });
    } else if (event.key === "0") zoom(all);
    else return;
    event.preventDefault();
  });
  onWidth(holder, (width) => {
    chart.resize(width, small ? Math.round(width * 0.75) : Math.round(Math.min(Math.max(0.6 * width, 240), 420)));
    draw();
  });
  onTheme(draw);
  return figure;
}

/** A little more than all points. */
function extent(groups: [ArrayLike<number>, ArrayLike<number>][]): Box {
  const ends = (k: 0 | 1): [number, number] => {
    let [low, high] = [Infinity, -Infinity];
    for (const group of groups)
      for (let i = 0; i < group[k].length; i++) {
        const x = group[k][i]!;
        if (x < low) low = x;
        if (x > high) high = x;
      }
    if (!(low <= high)) return [-1, 1];
    const room = high > low ? 0.08 * (high - low) : Math.max(0.1 * Math.abs(low), 1e-9);
    return [low - room, high + room];
  };
  return { x: ends(0), y: ends(1) };
}

/** Widens the box until both axes have the same scale. */
function equalise(chart: Chart): void {
  const { width, height } = chart.inner;
  if (width <= 0 || height <= 0) return;
  const { x, y } = chart.box;
  const scale = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
  const wide = ([low, high]: [number, number], length: number): [number, number] => [(low + high - scale * length) / 2, (low + high + scale * length) / 2];
  chart.box = { x: wide(x, width), y: wide(y, height) };
}

/** The point next to the pointer in words. */
function near(groups: { name: string; shown: boolean; x: ArrayLike<number>; y: ArrayLike<number> }[], chart: Chart, left: number, top: number): string {
  let [best, text] = [144, ""];
  for (const group of groups) {
    if (!group.shown) continue;
    for (let i = 0; i < group.x.length; i++) {
      const distance = (chart.toX(group.x[i]!) - left) ** 2 + (chart.toY(group.y[i]!) - top) ** 2;
      if (distance < best) [best, text] = [distance, `${group.name}: ${show(group.x[i])}, ${show(group.y[i])}`];
    }
  }
  return text;
}
