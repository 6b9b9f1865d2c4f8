/** A report as `legwork::report` writes it, and how its numbers are unpacked. */

export interface Axis {
  name: string;
  unit: string;
}

/** Little-endian floats in base64. */
export type Packed = { f64: string } | { f32: string };

export interface Lines {
  kind: "lines";
  title: string;
  x: Axis;
  y: Axis;
  grids: Packed[];
  curves: { name: string; run: string | null; grid: number; y: Packed }[];
  /** What the curves should stay between, in the unit of the axis. */
  bands?: { low: number | null; high: number | null; name: string }[];
}

export interface HeatMap {
  kind: "heat";
  title: string;
  x: Axis;
  columns: Packed;
  y: Axis;
  rows: Packed;
  value: Axis;
  cells: Packed;
  range: [number, number] | null;
  /** How many cells, from the first on, were computed. */
  computed: number;
}

export interface Cloud {
  kind: "cloud";
  title: string;
  x: Axis;
  y: Axis;
  groups: { name: string; marker: "dot" | "cross" | "circle" | "line"; x: Packed; y: Packed }[];
  equal: boolean;
}

export interface Part {
  kind: "base" | "rail" | "link" | "slide" | "platform";
  leg: number | null;
  points: number[];
}

/** How the points of a robot belong together. */
export interface Shape {
  count: number;
  parts: Part[];
  joints: number[][];
  motors: number[];
  platform: number;
}

export interface Moving extends Shape {
  name: string;
  times: Packed;
  points: Packed;
}

export interface Animation {
  kind: "animation";
  title: string;
  runs: Moving[];
  /** Where the robots should be; reports of older programs have none. */
  references?: Moving[];
}

export interface Table {
  kind: "table";
  title: string;
  columns: Axis[];
  rows: string[][];
}

export type Block =
  | { kind: "text"; text: string }
  | Table
  | Lines
  | HeatMap
  | Cloud
  | { kind: "multiples"; title: string; columns: number; blocks: Block[] }
  | Animation
  | { kind: "attachment"; name: string; media_type: string; size: number; base64: string };

export interface Report {
  format: number;
  title: string;
  command: string | null;
  robot: { name: string; text: string } | null;
  program: string;
  date: string | null;
  sections: { title: string; blocks: Block[] }[];
}

export function bytes(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) out[k] = text.charCodeAt(k);
  return out;
}

export function numbers(packed: Packed): Float64Array | Float32Array {
  return "f64" in packed ? new Float64Array(bytes(packed.f64).buffer) : new Float32Array(bytes(packed.f32).buffer);
}

/** `x [m]` */
export function label(axis: Axis): string {
  // A unit stays on one line.
  return axis.unit ? `${axis.name} [${axis.unit.replaceAll(" ", "\u00a0")}]` : axis.name;
}
