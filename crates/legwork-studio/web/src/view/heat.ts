/** A map of a plane in colours, with the value under the pointer and a bar that says what the colours mean. */

import { Chart } from "./chart";
import { viridis } from "./colours";
import { label, numbers, type HeatMap } from "./document";
import { css, h, onTheme, onWidth, show, ticks } from "./dom";

/** With a readout in common the map is one of several, and the bar of colours is theirs. `go` is told which place of the plane
 * was clicked, or chosen by the return key. */
export function heat(block: HeatMap, small = false, common?: HTMLOutputElement, go?: (x: number, y: number) => void): HTMLElement {
  const [columns, rows, cells] = [numbers(block.columns), numbers(block.rows), numbers(block.cells)];
  const range = block.range;
  const chart = new Chart(label(block.x), label(block.y), small);
  const readout = common ?? h("output", { class: "readout" });
  const holder = h("div", { class: "plot" }, chart.canvas);
  const figure = h("figure", { class: small ? "small heat" : "card heat" }, h("figcaption", {}, h("span", {}, block.title), common ? null : readout), holder);
  if (!range) {
    holder.replaceChildren(h("p", { class: "note" }, "No cell of this map has a value."));
    return figure;
  }
  const [low, high] = range;
  const half = (list: ArrayLike<number>) => (list.length > 1 ? Math.abs(list[list.length - 1]! - list[0]!) / (list.length - 1) / 2 : 0.5);
  const [dx, dy] = [half(columns), half(rows)];
  chart.box = {
    x: [columns[0]! - dx, columns[columns.length - 1]! + dx],
    y: [rows[0]! - dy, rows[rows.length - 1]! + dy],
  };

  // One pixel for each cell, drawn large.
  const image = document.createElement("canvas");
  image.width = columns.length;
  image.height = rows.length;
  const pixels = new ImageData(columns.length, rows.length);
  for (let row = 0; row < rows.length; row++) {
    for (let column = 0; column < columns.length; column++) {
      const value = cells[row * columns.length + column]!;
      if (row * columns.length + column >= block.computed) {
        pixels.data.set([90, 90, 90, 255], 4 * ((rows.length - 1 - row) * columns.length + column));
        continue;
      }
      if (Number.isNaN(value)) continue;
      const [r, g, b] = viridis(high > low ? (value - low) / (high - low) : 0.5);
      pixels.data.set([r, g, b, 255], 4 * ((rows.length - 1 - row) * columns.length + column));
    }
  }
  image.getContext("2d")!.putImageData(pixels, 0, 0);

  let at: [number, number] | null = null;
  const draw = () =>
    chart.draw(() => {
      const { pen } = chart;
      const { left, top, width, height } = chart.inner;
      // Cells without a value: hatched.
      pen.fillStyle = css("--paper-2");
      pen.fillRect(left, top, width, height);
      pen.strokeStyle = css("--line");
      pen.beginPath();
      for (let k = -height; k < width; k += 7) {
        pen.moveTo(left + k, top + height);
        pen.lineTo(left + k + height, top);
      }
      pen.stroke();
      pen.imageSmoothingEnabled = false;
      pen.drawImage(image, left, top, width, height);
      if (!at) return;
      pen.strokeStyle = "#fff";
      pen.lineWidth = 2;
      const [column, row] = at;
      const [x, y] = [chart.toX(columns[column]! - dx), chart.toY(rows[row]! + dy)];
      pen.strokeRect(x, y, width / columns.length, height / rows.length);
    });
  const point = (column: number, row: number) => {
    const inside = column >= 0 && row >= 0 && column < columns.length && row < rows.length;
    at = inside ? [column, row] : null;
    const value = inside ? cells[row * columns.length + column]! : NaN;
    readout.textContent = inside
      ? `${common ? `${block.title}: ` : ""}${block.x.name} ${show(columns[column])}, ${block.y.name} ${show(rows[row])}: ${row * columns.length + column >= block.computed ? "not computed" : Number.isNaN(value) ? "no value" : `${show(value)} ${block.value.unit}`}`
      : "";
    draw();
  };
  const { canvas } = chart;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${block.title}: ${label(block.value)} over ${label(block.x)} and ${label(block.y)}, from ${show(low)} to ${show(high)}. Arrow keys read its cells.`);
  canvas.addEventListener("pointermove", (event) =>
    point(Math.floor((chart.fromX(event.offsetX) - chart.box.x[0]) / (2 * dx)), Math.floor((chart.fromY(event.offsetY) - chart.box.y[0]) / (2 * dy))),
  );
  canvas.addEventListener("pointerleave", () => point(-1, -1));
  const choose = () => at && go?.(columns[at[0]]!, rows[at[1]]!);
  canvas.addEventListener("click", choose);
  canvas.addEventListener("keydown", (event) => {
    if (go && event.key === "Enter") choose();
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [column, row] = at ?? [columns.length >> 1, rows.length >> 1];
    const keep = (k: number, count: number) => Math.min(Math.max(k, 0), count - 1);
    point(keep(column + step[0]!, columns.length), keep(row + step[1]!, rows.length));
  });
  const ratio = (chart.box.y[1] - chart.box.y[0]) / (chart.box.x[1] - chart.box.x[0]);
  const same = block.x.unit === block.y.unit;
  const natural = same ? ratio : 0.75;
  onWidth(holder, (width) => {
    const [wide, high] = chart.around(width);
    // Beside a robot that moves there is less room: the scale of the colours should be seen too.
    const room = matchMedia("(min-width: 52rem)").matches ? (holder.closest(".dock-body")?.clientHeight ?? Infinity) - 110 : Infinity;
    const most = Math.min(small ? 420 : 520, Math.max(room, 180));
    const height = Math.max((width - wide) * natural + high, small ? 30 : 200);
    // A square of the workspace is a square here: a map that is too high becomes narrower.
    const narrow = same && height > most ? Math.max((most - high) / natural + wide, 120) : width;
    chart.resize(Math.round(Math.min(narrow, width)), Math.round(Math.min(height, most)));
    draw();
  });
  onTheme(draw);
  if (!common) figure.append(bar(block, range, small));
  return figure;
}

/** What the colours mean. */
export function bar(block: HeatMap, [low, high]: [number, number], small: boolean, common?: string): HTMLElement {
  const stops = Array.from({ length: 11 }, (_, k) => `rgb(${viridis(k / 10).join(",")})`);
  const scale = h("div", { class: "scale" });
  const marks = high > low ? (small ? [low, high] : ticks(low, high, 5)) : [low];
  for (const value of marks) {
    const share = high > low ? (value - low) / (high - low) : 0.5;
    const mark = h("span", { style: `left: ${100 * share}%` }, show(value));
    if (share < 0.06) mark.classList.add("first");
    if (share > 0.94) mark.classList.add("last");
    scale.append(mark);
  }
  const text = small ? null : h("div", { class: "unit" }, common ?? label(block.value));
  return h("div", { class: "colours" }, h("div", { class: "ramp", style: `background: linear-gradient(to right, ${stops.join(", ")})` }), scale, text);
}
