/** The frame of a plot on a canvas: axes with round numbers, and where a point of the plane is. */

import { css, ticks } from "./dom";

export interface Box {
  x: [number, number];
  y: [number, number];
}

export class Chart {
  readonly canvas = document.createElement("canvas");
  readonly pen = this.canvas.getContext("2d")!;
  /** What is shown. */
  box: Box = { x: [0, 1], y: [0, 1] };
  private width = 0;
  private height = 0;
  private left = 0;
  private top = 8;
  private bottom = 0;

  constructor(private xLabel: string, private yLabel: string, private small = false) {}

  /** About how much of a width and of a height is not plot. A tiny plot has no numbers. */
  around(width: number): [number, number] {
    if (this.isTiny(width)) return [4, 4];
    return this.small ? [48, 28] : [66, 46];
  }

  private isTiny(width: number): boolean {
    return this.small && width < 110;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    const tiny = this.isTiny(width);
    this.top = tiny ? 2 : 8;
    this.bottom = tiny ? 2 : this.small ? 20 : 38;
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  get inner(): { left: number; top: number; width: number; height: number } {
    return { left: this.left, top: this.top, width: this.width - this.left - (this.isTiny(this.width) ? 2 : 10), height: this.height - this.top - this.bottom };
  }

  toX(x: number): number {
    const [low, high] = this.box.x;
    return this.inner.left + ((x - low) / (high - low)) * this.inner.width;
  }

  toY(y: number): number {
    const [low, high] = this.box.y;
    return this.inner.top + (1 - (y - low) / (high - low)) * this.inner.height;
  }

  fromX(left: number): number {
    const [low, high] = this.box.x;
    return low + ((left - this.inner.left) / this.inner.width) * (high - low);
  }

  fromY(top: number): number {
    const [low, high] = this.box.y;
    return low + (1 - (top - this.inner.top) / this.inner.height) * (high - low);
  }

  /** Draws the frame, and what is inside by `paint`. */
  draw(paint: () => void): void {
    const { pen } = this;
    if (this.width === 0) return;
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = "11px system-ui, sans-serif";
    const ys = ticks(...this.box.y, Math.max(2, Math.floor(this.height / (this.small ? 40 : 55))));
    const names = ys.map(name);
    const tiny = this.isTiny(this.width);
    this.left = tiny ? 2 : Math.max(...names.map((text) => pen.measureText(text).width)) + (this.small ? 8 : 26);
    const { left, top, width, height } = this.inner;
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
    paint();
    pen.restore();
    pen.strokeStyle = css("--line");
    pen.lineWidth = 1;
    pen.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
    if (tiny) return;
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    ys.forEach((y, k) => pen.fillText(names[k]!, left - 6, this.toY(y)));
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const x of ticks(...this.box.x, Math.max(2, Math.floor(width / (this.small ? 50 : 80))))) {
      // Its whole name stays on the canvas, also at the edge.
      const half = pen.measureText(name(x)).width / 2 + 1;
      pen.fillText(name(x), Math.min(Math.max(this.toX(x), half), this.width - half), top + height + 6);
    }
    if (this.small) return;
    pen.font = "12px system-ui, sans-serif";
    pen.fillText(this.xLabel, left + width / 2, top + height + 22);
    pen.save();
    pen.translate(4, top + height / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(this.yLabel, 0, 0);
    pen.restore();
  }
}

function name(x: number): string {
  const size = Math.abs(x);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? x.toExponential() : String(Number(x.toPrecision(6)));
}
