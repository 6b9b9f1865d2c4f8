/** The panel of the workspace: fields as slices and stacks of slices, and the size of the workspace as a body. */

import * as THREE from "three";
import { viridis } from "../view/colours";
import { bytes, numbers, type HeatMap, type Packed } from "../view/document";
import { button, h, show } from "../view/dom";
import { bar, heat } from "../view/heat";
import type { Dock } from "./dock";
import { Refusal } from "./engine";
import type { FieldGrid, MapRequest, PlatformCoordinate } from "./messages";
import { inWords, type Session } from "./session";
import type { Stage } from "./stage";
import { Row, choice, field, meter, part, tick } from "./ui";

const COUNTS = ["21", "41", "81", "161", "317"];

/** One slice that was computed. */
interface Slice {
  grid: FieldGrid;
  request: MapRequest;
  columns: { name: string; unit: string; cells: Float64Array }[];
}

export class SpacePanel {
  readonly element = h("div", { class: "panel" });
  /** The last request, to take away. */
  request: ({ task: "map" } & MapRequest) | null = null;
  private shape = "";
  private stop: AbortController | null = null;
  private progress = h("div", { class: "progress", hidden: "" });
  private fault = h("p", { class: "fault", role: "alert", hidden: "" });
  private slices: Slice[] = [];
  private isShown = 0;

  constructor(private readonly session: Session, private readonly stage: Stage | null, private readonly dock: Dock, private readonly hands: () => void) {
    session.onRobot(() => this.build());
  }

  private build(): void {
    const { robot } = this.session;
    const shape = JSON.stringify([robot.name, robot.coordinates, robot.quantities]);
    if (shape === this.shape) return;
    this.shape = shape;
    this.stop?.abort();
    this.slices = [];
    this.request = null;
    const quantity = choice(robot.quantities, null);
    const plane = h("select", {});
    const coordinates = robot.coordinates.filter((one) => one.is_free);
    coordinates.forEach((one, i) => coordinates.slice(i + 1).forEach((other) => plane.append(h("option", { value: `${one.name} ${other.name}` }, `${one.name}, ${other.name}`))));
    const count = h("select", {}, ...COUNTS.map((text) => h("option", { value: text }, `${text} × ${text}`)));
    count.value = "41";
    const stack = h("select", {}, ...["1", "3", "5", "9"].map((text) => h("option", { value: text }, text === "1" ? "one slice" : `${text} slices`)));
    const fixed = field("where the platform is");
    const at = new Row("at", fixed, "", "The third coordinate: where the platform is, or a number with its unit");
    const through = () => {
      const third = thirdOf(coordinates, plane.value);
      at.element.hidden = third == null;
      at.element.querySelector("label")!.textContent = `at ${third?.name ?? ""}`;
    };
    plane.addEventListener("change", through);
    let limits = true;
    const meaning = h("p", { class: "hint" });
    const about = () => (meaning.textContent = robot.quantities.find((one) => one.name === quantity.value)?.meaning ?? "");
    quantity.addEventListener("change", about);
    about();
    const compute = button("Compute", () => {
      const [a, b] = plane.value.split(" ") as [string, string];
      void this.compute(quantity.value, a, b, Number(count.value), Number(stack.value), fixed.value.trim(), limits, at);
    }, { class: "main" });
    const volume = button("Size of the workspace", () => void this.volume(), { title: "Its volume, and its boundary as a body" });
    const clear = button("Clear", () => {
      this.stage?.clear();
      this.dock.close();
    }, { class: "quiet" });
    const [first, second] = [coordinates[0]?.name, coordinates[1]?.name];
    if (first && second) plane.value = `${first} ${second}`;
    through();
    this.element.replaceChildren(
      part(
        "Field",
        true,
        new Row("quantity", quantity).element,
        meaning,
        new Row("plane", plane).element,
        at.element,
        new Row("poses", count).element,
        new Row("stack", stack, "", "Several slices along the third coordinate, drawn in 3D").element,
        tick("Within the limits of the motors", true, (on) => (limits = on)),
        coordinates.length < 2 ? h("p", { class: "hint" }, "This robot has one freedom: there is no plane to map.") : null,
      ),
      h("div", { class: "acts" }, compute, volume, clear),
      this.progress,
      this.fault,
    );
  }

  private begin(words: string): { stop: AbortController; share: (part: number) => void } {
    this.stop?.abort();
    const stop = new AbortController();
    this.stop = stop;
    this.fault.hidden = true;
    return { stop, share: meter(this.progress, words, () => stop.abort()) };
  }

  private refuse(error: unknown, at?: Row, path?: string): void {
    if (!(error instanceof Refusal)) throw error;
    const { failure } = error;
    if (at && path != null && failure.field === path) return at.refuse(inWords(failure));
    this.fault.hidden = false;
    this.fault.textContent = inWords(failure);
  }

  /** A slice, or several, in pieces on all workers. */
  private async compute(quantity: string, a: string, b: string, count: number, stack: number, typed: string, limits: boolean, at: Row): Promise<void> {
    const { session } = this;
    const { coordinates } = session.robot;
    const { stop, share } = this.begin(`${quantity}: ${(count * count * stack).toLocaleString("en")} poses`);
    at.refuse(null);
    const third = thirdOf(coordinates, `${a} ${b}`);
    try {
      const range = (one: PlatformCoordinate) => ({ from: one.from, to: one.to, count });
      const base: Record<string, unknown> = { quantities: [quantity], ...(limits ? {} : { ignore_limits: true }) };
      coordinates.forEach((one, k) => one.is_free && (base[key(one)] = one.name === a || one.name === b ? range(one) : session.state.values[k]!));
      if (third && typed !== "") base[key(third)] = Number.isFinite(Number(typed)) ? Number(typed) : typed;
      const levels = third && stack > 1 ? Array.from({ length: stack }, (_, k) => third.from + ((k + 0.5) / stack) * (third.to - third.from)) : [null];
      const requests = levels.map((level) => (level == null ? base : { ...base, [key(third!)]: level }));
      const grids = requests.map((request) => ({ request, grid: session.engine.ask({ ask: "grid", request }) }));
      this.request = { task: "map", ...requests[0]! };
      const total = grids.reduce((sum, { grid }) => sum + grid.rows, 0);
      let done = 0;
      const slices = grids.map(({ grid, request }): Slice => ({ grid, request, columns: grid.columns.map((one) => ({ ...one, cells: new Float64Array(grid.poses).fill(NaN) })) }));
      this.slices = slices;
      this.isShown = 0;
      // Pieces of a tenth of a second or so: all workers have something to do, and a stop is quick.
      const pieces = slices.flatMap((slice) => {
        const rows = Math.max(1, Math.ceil(slice.grid.rows / (4 * session.engine.workers)));
        return Array.from({ length: Math.ceil(slice.grid.rows / rows) }, (_, k) => ({ slice, from: k * rows, to: Math.min((k + 1) * rows, slice.grid.rows) }));
      });
      await Promise.all(
        pieces.map(async ({ slice, from, to }) => {
          const answer = await session.engine.run({ ask: "field", request: slice.request, from, to }, stop.signal);
          const wide = slice.grid.poses / slice.grid.rows;
          answer.columns.forEach((column, k) => slice.columns[k]!.cells.set(numbers(column.values as Packed), from * wide));
          done += to - from;
          share(done / total);
        }),
      );
      this.show();
    } catch (error) {
      stop.abort();
      this.refuse(error, at, third && key(third));
    } finally {
      if (this.stop === stop) this.progress.hidden = true;
    }
  }

  /** The map beside its numbers, and the slices in the picture. */
  private show(): void {
    const [first] = this.slices;
    if (!first) return;
    const column = Math.min(this.isShown, first.columns.length - 1);
    const { name, unit } = first.columns[column]!;
    const { range, beyond } = extent(this.slices.map((slice) => slice.columns[column]!.cells));
    const choose = h("select", { "aria-label": "Which of its numbers" }, ...first.columns.map((one, k) => h("option", { value: String(k) }, one.name)));
    choose.value = String(column);
    choose.addEventListener("change", () => {
      this.isShown = Number(choose.value);
      this.show();
    });
    const maps = this.slices.map((slice) => block(slice, column, range));
    const several = maps.length > 1;
    const readout = h("output", { class: "readout" });
    const title = `${name}${unit && unit !== "1" ? ` [${unit}]` : ""}`;
    this.dock.show(
      title,
      () => [
        h("div", { class: several ? "multiples maps slices" : "map-alone", style: `--columns: ${Math.min(maps.length, 5)}` }, ...maps.map((map, k) => heat(map, several, several ? readout : undefined, (x, y) => this.go(this.slices[k]!, x, y)))),
        ...(several && range ? [bar(maps[0]!, range, false, title)] : []),
      ],
      h("span", { class: "hint" }, `A click on the map takes the robot there. ${beyond}`),
      ...(several ? [readout] : []),
      ...(first.columns.length > 1 ? [choose] : []),
    );
    this.stage?.clear();
    if (range) for (const slice of this.slices) this.plate(slice, column, range);
  }

  /** Goes to a place of a map: the robot stands there, and all of its numbers are those of this place. */
  private go(slice: Slice, x: number, y: number): void {
    const [u, v] = slice.grid.ranges;
    const at: Record<string, number> = { ...slice.grid.fixed, [u!.coordinate]: x, [v!.coordinate]: y };
    const { robot, state } = this.session;
    this.hands();
    this.session.move({ values: robot.coordinates.map((one, k) => at[key(one)] ?? state.values[k]!) });
  }

  /** A slice as a picture in space, if its coordinates are places. */
  private plate(slice: Slice, column: number, [low, high]: [number, number]): void {
    const [u, v] = slice.grid.ranges;
    if (!u || !v || !this.stage || ![u, v].every((one) => ["x", "y", "z"].includes(one.coordinate))) return;
    const cells = slice.columns[column]!.cells;
    const data = new Uint8Array(4 * cells.length);
    cells.forEach((value, k) => {
      if (Number.isNaN(value)) return;
      data.set([...viridis(high > low ? (value - low) / (high - low) : 0.5), 255], 4 * k);
    });
    const texture = new THREE.DataTexture(data, u.count, v.count);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.needsUpdate = true;
    const at = (s: number, t: number): number[] => {
      const home = this.session.state.pose.position;
      const place = { x: home[0], y: home[1], z: home[2], ...slice.grid.fixed, [u.coordinate]: u.from + s * (u.to - u.from), [v.coordinate]: v.from + t * (v.to - v.from) };
      return [place.x, place.y, place.z];
    };
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute([at(0, 0), at(1, 0), at(1, 1), at(0, 1)].flat(), 3));
    geometry.setAttribute("uv", new THREE.Float32BufferAttribute([0, 0, 1, 0, 1, 1, 0, 1], 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const opacity = this.slices.length > 1 ? 0.55 : 0.8;
    this.stage.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ map: texture, transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false, alphaTest: 0.1 })));
  }

  private async volume(): Promise<void> {
    const { stop, share } = this.begin("Size of the workspace");
    try {
      const request: { task: "map" } & MapRequest = { task: "map", quantities: [], volume: true, mesh: "workspace.stl" };
      const answer = await this.session.engine.run({ ask: "task", request }, stop.signal, share);
      this.request = request;
      this.dock.show("Size of the workspace", () => [answer.printed ? h("pre", { class: "summary" }, answer.printed) : scalars(answer.result), ...answer.notes.map((note) => h("p", { class: "hint" }, note))]);
      const mesh = answer.files.find((file) => file.name.endsWith(".stl"));
      this.stage?.clear();
      if (mesh) this.stage?.addWhole(body(bytes(mesh.base64)));
    } catch (error) {
      this.refuse(error);
    } finally {
      if (this.stop === stop) this.progress.hidden = true;
    }
  }
}

/** The single numbers of a result as a table. */
function scalars(result: unknown): HTMLElement {
  const { units = {}, ...all } = result as { units?: Record<string, string> } & Record<string, unknown>;
  const rows = Object.entries(all)
    .filter(([, value]) => typeof value === "number")
    .map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name.replaceAll("_", " ")), h("td", { class: "number" }, show(value as number)), h("td", { class: "unit" }, units[name] ?? (["size", "error"].includes(name) && typeof all.unit === "string" ? all.unit : ""))));
  return h("table", { class: "scalars" }, h("tbody", {}, ...rows));
}

/** The coordinate that a stack goes along: the first free one beside those of the plane. */
function thirdOf(coordinates: PlatformCoordinate[], plane: string): PlatformCoordinate | undefined {
  return coordinates.find((one) => one.is_free && !plane.split(" ").includes(one.name));
}

/** What a coordinate is called in a request: the one angle of a plane is its yaw. */
function key(one: PlatformCoordinate): string {
  return one.name === "angle" ? "yaw" : one.name;
}

/** From where to where colours go. Near a singularity a few cells are so large that all others would have one colour: these
 * few are beyond the ends. */
function extent(all: Float64Array[]): { range: [number, number] | null; beyond: string } {
  const values = Float64Array.from(all.flatMap((cells) => [...cells.filter((value) => Number.isFinite(value))])).sort();
  if (values.length === 0) return { range: null, beyond: "" };
  const [low, high] = [values[0]!, values.at(-1)!];
  const [few, most] = [values[Math.floor(0.03 * values.length)]!, values[Math.floor(0.97 * values.length)]!];
  const isFar = (end: number, near: number) => Math.abs(end - near) > 2 * (most - few) && most > few;
  const range: [number, number] = [isFar(low, few) ? few : low, isFar(high, most) ? most : high];
  const beyond = [range[0] > low ? `the least is ${show(low)}` : "", range[1] < high ? `the largest is ${show(high)}` : ""].filter((text) => text !== "");
  return { range, beyond: beyond.length > 0 ? `Beyond the colours: ${beyond.join(", ")}.` : "" };
}

/** A slice as a block of a report. */
function block(slice: Slice, column: number, range: [number, number] | null): HeatMap {
  const [u, v] = slice.grid.ranges;
  const { name, unit, cells } = slice.columns[column]!;
  const places = (one: FieldGrid["ranges"][number]) => packed(Float64Array.from({ length: one.count }, (_, k) => one.from + (k / Math.max(one.count - 1, 1)) * (one.to - one.from)));
  const fixed = Object.entries(slice.grid.fixed).map(([coordinate, value]) => `${coordinate} ${Number(value.toPrecision(4))}`);
  return {
    kind: "heat",
    title: fixed.join(", "),
    x: { name: u!.coordinate, unit: u!.unit },
    columns: places(u!),
    y: { name: v!.coordinate, unit: v!.unit },
    rows: places(v!),
    value: { name, unit: unit === "1" ? "" : unit },
    cells: packed(cells),
    range,
    computed: cells.length,
  };
}

function packed(values: Float64Array): Packed {
  const all = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  let text = "";
  for (let k = 0; k < all.length; k += 8192) text += String.fromCharCode(...all.subarray(k, k + 8192));
  return { f64: btoa(text) };
}

/** The triangles of an STL file. */
function body(file: Uint8Array): THREE.Mesh {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const count = Math.min(view.getUint32(80, true), Math.floor((file.byteLength - 84) / 50));
  const points = new Float32Array(9 * count);
  for (let k = 0; k < count; k++) for (let i = 0; i < 9; i++) points[9 * k + i] = view.getFloat32(84 + 50 * k + 12 + 4 * i, true);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.computeVertexNormals();
  return new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0x4f9fd8, transparent: true, opacity: 0.28, side: THREE.DoubleSide, depthWrite: false, roughness: 0.8 }));
}
