/** Robots in 3D (three.js), drawn from points and parts; draws only when something changed. */

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { lookFrom, orbitAbout, type Side } from "./camera";
import { colour } from "./colours";
import { numbers, type Moving, type Part, type Shape } from "./document";
import { css } from "./dom";

const UP = new THREE.Vector3(0, 1, 0);

/** Points of one run over time. */
export class Track {
  readonly now: THREE.Vector3[];

  constructor(readonly run: Shape, readonly times: ArrayLike<number>, readonly points: ArrayLike<number>) {
    this.now = Array.from({ length: run.count }, () => new THREE.Vector3());
  }

  static of(run: Moving): Track {
    return new Track(run, numbers(run.times), numbers(run.points));
  }

  /** A point in a frame. */
  at(frame: number, point: number, into: THREE.Vector3): THREE.Vector3 {
    const place = 3 * (frame * this.run.count + point);
    return into.set(this.points[place]!, this.points[place + 1]!, this.points[place + 2]!);
  }

  /** Goes to a time; straight lines between frames. Gives the frame, or -1 where nothing can be drawn. */
  seek(time: number): number {
    const { times } = this;
    let [low, high] = [0, times.length - 1];
    if (high < 0) return -1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= time) low = middle;
      else high = middle;
    }
    const span = times[high]! - times[low]!;
    const share = span > 0 ? Math.min(Math.max((time - times[low]!) / span, 0), 1) : 0;
    const next = new THREE.Vector3();
    for (let k = 0; k < this.run.count; k++) {
      this.at(low, k, this.now[k]!);
      if (share > 0) this.now[k]!.lerp(this.at(high, k, next), share);
    }
    return this.now.every((point) => !Number.isNaN(point.x)) ? low : -1;
  }
}

/** What a surface belongs to. */
export type Surface = "arm" | "rod" | "joint" | "motor" | "plate" | "base" | "trail";

/** What the colours and shapes of a robot mean, as they occur in it; parts that have the colour of their run are grey. */
export function meanings(run: Shape, several: boolean): { name: string; shape: "box" | "thick" | "thin" | "area" | "dot" | "line"; tint: string }[] {
  const has = (kind: Part["kind"]) => run.parts.some((part) => part.kind === kind);
  const pairs = run.parts.flatMap((part) => (part.kind === "link" ? part.points.slice(1).map((_, k) => isArm(run, part, k)) : []));
  const own = (tint: string) => (several ? "--soft" : tint);
  return [
    { name: "motor", shape: "box" as const, tint: "--motor", there: run.motors.length > 0 },
    { name: "arm", shape: "thick" as const, tint: own("--arm"), there: pairs.some((arm) => arm) },
    { name: "cylinder", shape: "thick" as const, tint: own("--arm"), there: has("slide") },
    { name: "rod", shape: "thin" as const, tint: own("--metal"), there: has("slide") || pairs.some((arm) => !arm) },
    { name: "joint", shape: "dot" as const, tint: "--joint", there: run.joints.flat().length > 0 },
    { name: "platform", shape: "area" as const, tint: own("--c0"), there: has("platform") },
    { name: "base", shape: "area" as const, tint: "--joint", there: has("base") },
    { name: "way of the platform", shape: "line" as const, tint: own("--c1"), there: true },
  ].filter((one) => one.there);
}

/** Whether the k-th bar of a link hangs on a motor. */
function isArm(run: Shape, part: Part, k: number): boolean {
  return k === 0 && run.motors.includes(part.points[0]!);
}

/** One run as meshes. */
export class Body {
  readonly group = new THREE.Group();
  private movers: (() => void)[] = [];
  private plates: THREE.Material[] = [];
  private trail: THREE.Line;

  constructor(
    readonly track: Track,
    size: number,
    material: Record<Surface, THREE.Material>,
    /** Of several robots in one place the later ones are thinner, so that no two surfaces coincide. */
    slim: number,
  ) {
    const { run, now } = track;
    const thin = 0.0062 * size * slim;
    for (const part of run.parts) this.part(part, thin, material);
    const joints = new Set(run.joints.flat());
    for (const motor of run.motors) {
      joints.delete(motor);
      this.block(now[motor]!, 4.2 * thin, material.motor);
    }
    for (const joint of joints) this.ball(now[joint]!, 1.45 * thin, material.joint);
    this.ball(now[run.platform]!, 1.7 * thin, material.trail);

    // The whole way of the platform point; drawn up to now.
    const path = new Float32Array(3 * track.times.length);
    const point = new THREE.Vector3();
    for (let frame = 0; frame < track.times.length; frame++) track.at(frame, run.platform, point).toArray(path, 3 * frame);
    const finite = path.every((x) => !Number.isNaN(x));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(finite ? path : new Float32Array(0), 3));
    this.trail = new THREE.Line(geometry, material.trail);
    this.trail.frustumCulled = false;
    this.group.add(this.trail);
  }

  seek(time: number): void {
    const frame = this.track.seek(time);
    this.group.visible = frame >= 0;
    if (frame < 0) return;
    this.move();
    this.trail.geometry.setDrawRange(0, frame + 1);
  }

  /** Goes where the points are now. */
  move(): void {
    for (const move of this.movers) move();
  }

  /** Gives back what the graphics card holds; the materials are of the one who made them. */
  dispose(): void {
    this.group.traverse((one) => {
      if (one instanceof THREE.Mesh || one instanceof THREE.Line) one.geometry.dispose();
    });
    for (const plate of this.plates) plate.dispose();
    this.group.clear();
  }

  private part(part: Part, thin: number, material: Record<Surface, THREE.Material>): void {
    const { now, run } = this.track;
    const points = part.points.map((point) => now[point]!);
    const pairs = points.slice(1).map((point, k) => [points[k]!, point] as const);
    switch (part.kind) {
      case "link":
        pairs.forEach(([a, b], k) => {
          // What a motor turns is an arm, thick and dark; what it pushes and pulls is a rod.
          if (isArm(run, part, k)) this.bar(a, b, 1.7 * thin, material.arm);
          else this.bar(a, b, 0.9 * thin, material.rod);
        });
        break;
      case "slide":
        for (const [a, b] of pairs) {
          // The cylinder keeps its length, the rod comes out of it.
          const length = 0.62 * this.shortest(part);
          const end = new THREE.Vector3();
          this.movers.push(() => end.copy(b).sub(a).setLength(length).add(a));
          this.bar(a, end, 1.9 * thin, material.arm);
          this.bar(a, b, 0.9 * thin, material.rod);
        }
        break;
      case "rail":
        for (const [a, b] of pairs) this.bar(a, b, 0.7 * thin, material.base);
        break;
      default: {
        const is = part.kind === "base" ? material.base : material.plate;
        points.forEach((a, k) => this.bar(a, points[(k + 1) % points.length]!, 0.8 * thin, is));
        if (points.length > 2) this.plate(points, is);
      }
    }
  }

  private shortest(part: Part): number {
    const [a, b] = [new THREE.Vector3(), new THREE.Vector3()];
    let found = Infinity;
    for (let frame = 0; frame < this.track.times.length; frame++) {
      const length = this.track.at(frame, part.points[0]!, a).distanceTo(this.track.at(frame, part.points[1]!, b));
      if (length < found) found = length;
    }
    return Number.isFinite(found) ? found : 0;
  }

  private bar(a: THREE.Vector3, b: THREE.Vector3, radius: number, material: THREE.Material): void {
    const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 1, 14), material);
    const along = new THREE.Vector3();
    this.movers.push(() => {
      along.copy(b).sub(a);
      const length = along.length();
      mesh.visible = length > 1e-9;
      if (!mesh.visible) return;
      mesh.scale.set(1, length, 1);
      mesh.position.copy(a).addScaledVector(along, 0.5);
      mesh.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
    });
    this.group.add(mesh);
  }

  private ball(at: THREE.Vector3, radius: number, material: THREE.Material): void {
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 20, 14), material);
    this.movers.push(() => mesh.position.copy(at));
    this.group.add(mesh);
  }

  private block(at: THREE.Vector3, side: number, material: THREE.Material): void {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(side, side, side), material);
    this.movers.push(() => mesh.position.copy(at));
    this.group.add(mesh);
  }

  /** A plate between points in order, as a fan about their middle. */
  private plate(points: THREE.Vector3[], material: THREE.Material): void {
    const geometry = new THREE.BufferGeometry();
    const position = new THREE.BufferAttribute(new Float32Array(3 * (points.length + 1)), 3);
    geometry.setAttribute("position", position);
    geometry.setIndex(points.flatMap((_, k) => [0, k + 1, ((k + 1) % points.length) + 1]));
    const plate = (material as THREE.MeshStandardMaterial).clone();
    plate.transparent = true;
    plate.opacity = (material.name === "base" ? 0.16 : 0.35) * material.opacity;
    plate.side = THREE.DoubleSide;
    plate.depthWrite = false;
    this.plates.push(plate);
    const mesh = new THREE.Mesh(geometry, plate);
    mesh.frustumCulled = false;
    this.movers.push(() => {
      const middle = new THREE.Vector3();
      for (const point of points) middle.addScaledVector(point, 1 / points.length);
      position.setXYZ(0, middle.x, middle.y, middle.z);
      points.forEach((point, k) => position.setXYZ(k + 1, point.x, point.y, point.z));
      position.needsUpdate = true;
      geometry.computeVertexNormals();
    });
    this.group.add(mesh);
  }
}

/** Where a robot should be: lines instead of surfaces, so that what is there is seen through what should be, and the whole
 * of its way. */
export class Outline {
  readonly group = new THREE.Group();
  private ends: [from: number, to: number][];
  private lines: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;

  constructor(readonly track: Track) {
    const { run } = track;
    this.ends = run.parts
      .filter((part) => part.kind !== "base" && part.kind !== "rail")
      .flatMap(({ kind, points }) => {
        const pairs = points.slice(1).map((point, k): [number, number] => [points[k]!, point]);
        return kind === "platform" && points.length > 2 ? [...pairs, [points.at(-1)!, points[0]!] as [number, number]] : pairs;
      });
    const material = new THREE.LineBasicMaterial({ color: new THREE.Color(css("--ink")), transparent: true, opacity: 0.75, depthTest: false });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * this.ends.length), 3));
    this.lines = new THREE.LineSegments(geometry, material);
    const way: THREE.Vector3[] = [];
    for (let frame = 0; frame < track.times.length; frame++) {
      const point = track.at(frame, run.platform, new THREE.Vector3());
      if (!Number.isNaN(point.x)) way.push(point);
    }
    this.group.add(this.lines, new THREE.Line(new THREE.BufferGeometry().setFromPoints(way), material));
    for (const one of this.group.children) Object.assign(one, { frustumCulled: false, renderOrder: 1 });
  }

  seek(time: number): void {
    this.group.visible = this.track.seek(time) >= 0;
    const position = this.lines.geometry.getAttribute("position") as THREE.BufferAttribute;
    this.ends.forEach((pair, k) => pair.forEach((point, i) => this.track.now[point]!.toArray(position.array, 6 * k + 3 * i)));
    position.needsUpdate = true;
  }

  dispose(): void {
    this.lines.material.dispose();
    for (const one of this.group.children) (one as THREE.Line).geometry.dispose();
    this.group.clear();
  }
}

export class RobotView {
  readonly canvas: HTMLCanvasElement;
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  private controls: OrbitControls;
  private tracks: Track[];
  private bodies: Body[] = [];
  private wishes: Track[];
  private outlines: Outline[] = [];
  private shown: boolean[];
  private wished = true;
  private middle = new THREE.Vector3();
  private radius = 1;
  private flat = false;
  private time = 0;
  private waiting = false;

  /** Throws if the browser has no WebGL. */
  constructor(runs: Moving[], references: Moving[] = []) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    this.tracks = runs.map((run) => Track.of(run));
    this.wishes = references.map((run) => Track.of(run));
    this.shown = runs.map(() => true);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.canvas.style.touchAction = "pan-y";
    this.measure();
    this.build();
    this.look("free");
  }

  /** From the first to the last time of all runs. */
  get ends(): [number, number] {
    const all = this.tracks.filter((track) => track.times.length > 0);
    return [Math.min(...all.map((track) => track.times[0]!)), Math.max(...all.map((track) => track.times[track.times.length - 1]!))];
  }

  seek(time: number): void {
    this.time = time;
    this.bodies.forEach((body, k) => {
      body.seek(time);
      body.group.visible &&= this.shown[k]!;
    });
    for (const one of this.outlines) {
      one.seek(time);
      one.group.visible &&= this.wished;
    }
    this.draw();
  }

  /** Shows or hides where the robots should be. */
  showReference(on: boolean): void {
    this.wished = on;
    this.seek(this.time);
  }

  show(run: number, on: boolean): void {
    this.shown[run] = on;
    this.seek(this.time);
  }

  resize(width: number, height: number): void {
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /** Colours of the present theme. */
  repaint(): void {
    this.build();
    this.seek(this.time);
  }

  /** A view from one side that shows all of the way. */
  look(side: Side): void {
    lookFrom(side, this.camera, this.controls, this.middle, 0.98 * this.radius, this.flat);
    this.draw();
  }

  /** Turns the camera about the robot [rad] and goes nearer by a factor. */
  orbit(around: number, up: number, nearer = 1): void {
    orbitAbout(this.camera, this.controls, around, up, nearer);
    this.draw();
  }

  private measure(): void {
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (const track of this.tracks) {
      for (let k = 0; k < track.times.length * track.run.count; k++) {
        point.set(track.points[3 * k]!, track.points[3 * k + 1]!, track.points[3 * k + 2]!);
        if (!Number.isNaN(point.x)) box.expandByPoint(point);
      }
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const size = box.getSize(new THREE.Vector3());
    box.getCenter(this.middle);
    this.radius = Math.max(0.5 * size.length(), 1e-3);
    this.flat = size.z < 1e-6 * this.radius;
    this.floor = box.min.z - 0.02 * this.radius;
  }

  private floor = 0;

  private build(): void {
    for (const body of this.bodies) body.group.clear();
    this.scene.clear();
    const { radius } = this;
    this.scene.add(...lights(), ground(radius, this.middle, this.floor), axes(0.22 * radius));

    this.bodies = this.tracks.map((track, k) => {
      // One run alone has a colour for each kind of part, several have a colour each. All are opaque: surfaces that
      // are seen through each other are sorted anew in every picture, and flicker.
      return new Body(track, 2 * radius, surfaces(this.tracks.length === 1 ? null : k), 0.86 ** k);
    });
    this.outlines.forEach((one) => one.dispose());
    this.outlines = this.wishes.map((track) => new Outline(track));
    for (const one of [...this.bodies, ...this.outlines]) this.scene.add(one.group);
    this.seek(this.time);
  }

  private draw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.renderer.render(this.scene, this.camera);
    });
  }
}

/** The colours of a robot: one for each kind of part, or of several runs that of run number k. */
export function surfaces(run: number | null): Record<Surface, THREE.Material> {
  const k = run ?? 0;
  const paint = (name: string) =>
    new THREE.MeshStandardMaterial({ color: new THREE.Color(name), roughness: 0.55, metalness: 0.1, polygonOffset: k > 0, polygonOffsetFactor: k, polygonOffsetUnits: k });
  const own = (name: string) => (run == null ? css(name) : colour(k));
  return {
    arm: paint(own("--arm")),
    rod: paint(own("--metal")),
    joint: paint(css("--joint")),
    motor: paint(css("--motor")),
    plate: paint(own("--c0")),
    base: Object.assign(paint(css("--joint")), { name: "base" }),
    trail: new THREE.LineBasicMaterial({ color: new THREE.Color(own("--c1")) }),
  };
}

export function lights(): THREE.Light[] {
  const sun = new THREE.DirectionalLight(0xffffff, 1.8);
  sun.position.set(1, -1.5, 2.5);
  return [new THREE.HemisphereLight(0xffffff, 0x777788, 2.2), sun];
}

/** The ground: squares of a round length. */
export function ground(radius: number, middle: THREE.Vector3, floor: number): THREE.GridHelper {
  const step = 10 ** Math.floor(Math.log10(radius)) * (radius / 10 ** Math.floor(Math.log10(radius)) > 4 ? 1 : 0.5);
  const count = 2 * Math.ceil((1.3 * radius) / step);
  const line = new THREE.Color(css("--grid"));
  const grid = new THREE.GridHelper(count * step, count, line, line);
  grid.rotation.x = Math.PI / 2;
  grid.position.set(Math.round(middle.x / step) * step, Math.round(middle.y / step) * step, floor);
  return grid;
}

/** x, y and z from the origin of the base, with their letters. */
export function axes(length: number): THREE.Group {
  const group = new THREE.Group();
  const directions = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;
  Object.entries(directions).forEach(([name, to]) => {
    const direction = new THREE.Vector3(...to);
    const tint = css(`--${name}`);
    group.add(new THREE.ArrowHelper(direction, new THREE.Vector3(), length, new THREE.Color(tint), 0.16 * length, 0.08 * length));
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const pen = canvas.getContext("2d")!;
    pen.font = "italic 600 46px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = tint;
    pen.fillText(name, 32, 30);
    const letter = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false }));
    letter.scale.setScalar(0.26 * length);
    letter.position.copy(direction).multiplyScalar(1.16 * length);
    group.add(letter);
  });
  return group;
}
