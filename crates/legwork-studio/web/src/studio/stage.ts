/** The robot in 3D, live: handles to move it, ghosts of its modes, ellipsoids, runs, slices and volumes. */

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { fill, lookFrom, orbitAbout, type Side } from "../view/camera";
import type { Moving, Part } from "../view/document";
import { css, onTheme } from "../view/dom";
import { Body, Outline, Track, axes, ground, lights, surfaces, type Surface } from "../view/robot";
import { Handles, type Grip } from "./handles";
import type { EllipsoidShape, SkeletonShape } from "./messages";
import type { Session } from "./session";

/** A ghost that can be clicked. */
export interface Ghost {
  skeleton: SkeletonShape;
  act: () => void;
}

/** Where the camera is, for a link. */
export type Sight = [...position: [number, number, number], ...target: [number, number, number]];

export class Stage {
  readonly canvas: HTMLCanvasElement;
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  private controls: OrbitControls;
  private handles = new Handles();
  private live: Body | null = null;
  private ghosts: { body: Body; ghost: Ghost }[] = [];
  private runs: Body[] = [];
  private outlines: Outline[] = [];
  private moving: [runs: Moving[], references: Moving[]] = [[], []];
  private wished = true;
  private hidden = new Set<number>();
  private round: THREE.Mesh[] = [];
  private extras = new THREE.Group();
  private fixed: THREE.Object3D[] = [];
  private way: THREE.Line | null = null;
  private target = new THREE.Group();
  private paints: Record<Surface, THREE.Material>[] = [];
  private tints: Record<Surface, THREE.Material>[] = [];
  private middle = new THREE.Vector3();
  /** What must be in the picture. */
  private corners: THREE.Vector3[] = [];
  private radius = 1;
  private floor = 0;
  private flat = false;
  private time = 0;
  private shape = "";
  private shown = new Set<string>();
  private grabbed: (() => void)[] = [];

  /** Throws if the browser has no WebGL. */
  constructor(private readonly session: Session) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    this.camera.up.set(0, 0, 1);
    this.listen();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => session.picture());
    this.scene.add(this.handles.group, this.extras, this.target);
    session.onRobot(() => this.open());
    session.onState(() => this.follow());
    session.onFrame(() => this.draw());
    onTheme(() => {
      const hidden = new Set(this.hidden);
      this.dress();
      this.play(...this.moving);
      this.hidden = hidden;
      this.seek(this.time);
      this.follow();
    });
  }

  /** Called when a person takes the robot in hand. */
  onGrab(act: () => void): void {
    this.grabbed.push(act);
  }

  get sight(): Sight {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()] as unknown as Sight;
  }

  set sight(sight: Sight) {
    this.camera.position.set(sight[0], sight[1], sight[2]);
    this.controls.target.set(sight[3], sight[4], sight[5]);
    this.controls.update();
  }

  resize(width: number, height: number): void {
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.session.picture();
  }

  /** A view from one side that shows all of it. */
  look(side: Side, share = 0.8): void {
    lookFrom(side, this.camera, this.controls, this.middle, this.radius, this.flat);
    fill(this.camera, this.controls, this.corners, share);
    this.session.picture();
  }

  /** Turns the camera about the robot [rad] and goes nearer by a factor. */
  orbit(around: number, up: number, nearer = 1): void {
    orbitAbout(this.camera, this.controls, around, up, nearer);
    this.session.picture();
  }

  /** Another robot is seen from the front; one that was edited stays in sight as it is. */
  private open(): void {
    const { robot, state } = this.session;
    const shape = JSON.stringify([robot.family, state.skeleton.parts, robot.coordinates.map((one) => one.name), this.session.version.name]);
    const other = this.live == null || (shape !== this.shape && !this.session.isEdit);
    this.shape = shape;
    this.measure();
    this.dress();
    if (!other) return;
    this.play([]);
    this.path(null);
    this.clear();
    this.look("free");
  }

  /** Makes everything anew in the present colours. */
  private dress(): void {
    const { robot, state } = this.session;
    const { skeleton } = state;
    this.live?.dispose();
    if (this.live) this.scene.remove(this.live.group);
    this.scene.remove(...this.fixed);
    for (const one of this.fixed) one.traverse((part) => part instanceof THREE.Mesh && part.geometry.dispose());
    this.fixed = [...lights(), ground(this.radius, this.middle, this.floor), axes(0.18 * this.radius)];
    this.scene.add(...this.fixed);
    for (const paint of this.paints) for (const one of Object.values(paint)) one.dispose();
    this.paints = [surfaces(null)];
    this.live = this.body(skeleton, this.paints[0]!);
    this.scene.add(this.live.group);
    this.handles.build(robot.coordinates);
    this.ghost([]);
    this.seek(this.time);
  }

  private body(skeleton: SkeletonShape, material: Record<Surface, THREE.Material>, slim = 1): Body {
    const shape = { ...skeleton, parts: skeleton.parts as Part[], count: skeleton.points.length };
    const body = new Body(new Track(shape, [0], skeleton.points.flat()), 2 * this.radius, material, slim);
    body.seek(0);
    return body;
  }

  private measure(): void {
    const { robot, state } = this.session;
    const box = new THREE.Box3();
    for (const point of state.skeleton.points) box.expandByPoint(new THREE.Vector3(...point));
    const home = new THREE.Vector3(...robot.home.position);
    for (const one of robot.coordinates) {
      if (one.turns || !one.is_free) continue;
      const axis = one.name as "x" | "y" | "z";
      // Half of the way: the ends of all ways together are far outside.
      for (const end of [one.from, one.to]) box.expandByPoint(home.clone().setComponent({ x: 0, y: 1, z: 2 }[axis], one.home + 0.5 * (end - one.home)));
    }
    this.corners = [];
    for (const point of state.skeleton.points) this.corners.push(new THREE.Vector3(...point));
    for (const x of [box.min.x, box.max.x]) for (const y of [box.min.y, box.max.y]) for (const z of [box.min.z, box.max.z]) if (robot.coordinates.some((one) => !one.turns && one.is_free)) this.corners.push(new THREE.Vector3(x, y, z).lerp(home, 0.5));
    const size = box.getSize(new THREE.Vector3());
    box.getCenter(this.middle);
    this.radius = Math.max(0.5 * size.length(), 1e-3);
    this.flat = size.z < 1e-3 * this.radius;
    this.floor = box.min.z - 0.02 * this.radius;
  }

  /** The present state. */
  private follow(): void {
    const { skeleton, ellipsoids } = this.session.state;
    if (this.live) {
      skeleton.points.forEach((point, k) => this.live!.track.now[k]?.set(point[0], point[1], point[2]));
      this.live.move();
    }
    this.ellipsoids(ellipsoids);
    this.aim();
  }

  /** Where the platform should be and cannot be: a ball there, and a line to it from the last place in reach. */
  private aim(): void {
    const { sought } = this.session;
    this.target.visible = sought != null;
    if (!sought) return;
    if (this.target.children.length === 0) {
      const material = new THREE.LineBasicMaterial({ color: new THREE.Color(css("--bad")), depthTest: false, transparent: true });
      const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), new THREE.MeshBasicMaterial({ color: material.color, wireframe: true, depthTest: false, transparent: true }));
      this.target.add(ball, new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]), material));
    }
    const [ball, line] = this.target.children as [THREE.Mesh, THREE.Line];
    const to = new THREE.Vector3(...sought);
    ball.position.copy(to);
    ball.scale.setScalar(0.03 * this.radius);
    const ends = line.geometry.getAttribute("position") as THREE.BufferAttribute;
    [this.center(), to].forEach((point, k) => ends.setXYZ(k, point.x, point.y, point.z));
    ends.needsUpdate = true;
    line.frustumCulled = ball.frustumCulled = false;
  }

  /** Which ellipsoids are drawn. */
  showEllipsoid(name: string, on: boolean): void {
    if (on) this.shown.add(name);
    else this.shown.delete(name);
    this.ellipsoids(this.session.state.ellipsoids);
    this.session.picture();
  }

  private ellipsoids(all: EllipsoidShape[]): void {
    const tints: Record<string, string> = { velocity: "--c2", force: "--c1", inertia: "--c3" };
    while (this.round.length < all.length) {
      const material = new THREE.MeshStandardMaterial({ transparent: true, opacity: 0.32, roughness: 0.6, depthWrite: false });
      const mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 20), material);
      mesh.matrixAutoUpdate = false;
      this.round.push(mesh);
      this.scene.add(mesh);
    }
    const at = this.center();
    this.round.forEach((mesh, k) => {
      const one = all[k];
      mesh.visible = one != null && this.shown.has(one.name) && one.axes.length > 0;
      if (!mesh.visible) return;
      (mesh.material as THREE.MeshStandardMaterial).color.set(css(tints[one!.name] ?? "--c4"));
      // Drawn as large as can be seen: its longest half axis is a quarter of the robot. One that is flat stays a disc.
      const scale = (0.25 * this.radius) / Math.max(...one!.axes.map((axis) => axis.length), 1e-300);
      const columns = [0, 1, 2].map((i) => {
        const axis = one!.axes[i];
        return axis ? new THREE.Vector3(...axis.direction).multiplyScalar(Math.max(axis.length * scale, 0.004 * this.radius)) : new THREE.Vector3();
      });
      if (one!.axes.length < 3) columns[2]!.crossVectors(columns[0]!, columns[1] ?? columns[0]!).setLength(0.004 * this.radius);
      mesh.matrix.makeBasis(columns[0]!, columns[1]!, columns[2]!).setPosition(at);
    });
  }

  private center(): THREE.Vector3 {
    const { points, platform } = this.session.state.skeleton;
    return new THREE.Vector3(...(points[platform] ?? [0, 0, 0]));
  }

  /** Other ways to stand; a click on one goes there. */
  ghost(ghosts: Ghost[]): void {
    if (ghosts.length === 0 && this.ghosts.length === 0) return;
    for (const { body } of this.ghosts) {
      this.scene.remove(body.group);
      body.dispose();
    }
    const paint = this.paints[1] ?? surfaces(null);
    this.paints[1] = paint;
    for (const one of Object.values(paint)) Object.assign(one, { transparent: true, opacity: 0.16, depthWrite: false });
    this.ghosts = ghosts.map((ghost) => ({ body: this.body(ghost.skeleton, paint, 0.9), ghost }));
    for (const { body } of this.ghosts) this.scene.add(body.group);
    this.session.picture();
  }

  /** Runs that are played instead of the live robot; none: the live robot again. */
  play(runs: Moving[], references: Moving[] = []): void {
    for (const one of [...this.runs, ...this.outlines]) {
      this.scene.remove(one.group);
      one.dispose();
    }
    this.moving = [runs, references];
    this.wished = true;
    this.hidden.clear();
    for (const paint of this.tints) for (const one of Object.values(paint)) one.dispose();
    this.tints = runs.map((_, k) => surfaces(runs.length === 1 ? null : k));
    this.runs = runs.map((run, k) => new Body(Track.of(run), 2 * this.radius, this.tints[k]!, 0.86 ** k));
    this.outlines = references.map((run) => new Outline(Track.of(run)));
    for (const one of [...this.runs, ...this.outlines]) this.scene.add(one.group);
    this.seek(this.time);
  }

  /** From when to when each run goes. */
  get spans(): [number, number][] {
    return this.runs.filter((body) => body.track.times.length > 0).map(({ track }) => [track.times[0]!, track.times[track.times.length - 1]!]);
  }

  seek(time: number): void {
    this.time = time;
    this.runs.forEach((body, k) => {
      body.seek(time);
      body.group.visible &&= !this.hidden.has(k);
    });
    for (const one of this.outlines) {
      one.seek(time);
      one.group.visible &&= this.wished;
    }
    const playing = this.runs.length > 0;
    if (this.live) this.live.group.visible = !playing;
    this.target.visible = !playing && this.session.sought != null;
    this.handles.group.visible = !playing;
    for (const { body } of this.ghosts) body.group.visible = !playing;
    this.session.picture();
  }

  hideReferences(on: boolean): void {
    this.wished = !on;
    this.seek(this.time);
  }

  hide(run: number, on: boolean): void {
    if (on) this.hidden.add(run);
    else this.hidden.delete(run);
    this.seek(this.time);
  }

  /** A line through space. */
  path(points: [number, number, number][] | null): void {
    if (this.way) {
      this.scene.remove(this.way);
      this.way.geometry.dispose();
      (this.way.material as THREE.Material).dispose();
      this.way = null;
    }
    if (points) {
      const geometry = new THREE.BufferGeometry().setFromPoints(points.map((point) => new THREE.Vector3(...point)));
      this.way = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: new THREE.Color(css("--c1")) }));
      this.scene.add(this.way);
    }
    this.session.picture();
  }

  /** Puts something into the scene besides the robot: slices, volumes. */
  add(one: THREE.Object3D): void {
    this.extras.add(one);
    this.session.picture();
  }

  /** The same, and the camera goes away until all of it is seen. */
  addWhole(one: THREE.Object3D): void {
    this.add(one);
    const { min, max } = new THREE.Box3().setFromObject(one);
    const ends = [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new THREE.Vector3(x, y, z))));
    fill(this.camera, this.controls, [...this.corners, ...ends], 0.95);
  }

  /** Takes all of that away. */
  clear(): void {
    this.extras.traverse((one) => {
      if (!(one instanceof THREE.Mesh)) return;
      one.geometry.dispose();
      const material = one.material as THREE.MeshBasicMaterial;
      material.map?.dispose();
      material.dispose();
    });
    this.extras.clear();
    this.session.picture();
  }

  private draw(): void {
    if (this.live && this.handles.group.visible) this.handles.place(this.center(), this.camera);
    this.renderer.render(this.scene, this.camera);
    if (!this.live) return;
    // Where the platform is on the screen, for who looks for it without eyes.
    const seen = (point: THREE.Vector3) => {
      const at = point.project(this.camera);
      return `${((at.x + 1) / 2) * this.canvas.clientWidth} ${((1 - at.y) / 2) * this.canvas.clientHeight}`;
    };
    this.canvas.dataset.platform = seen(this.center());
    // And of each ghost a joint in the middle of a leg.
    this.canvas.dataset.ghosts = this.ghosts.map(({ body: { track } }) => seen(track.now[track.run.joints[0]?.[1] ?? track.run.platform]!.clone())).join(",");
  }

  private ray(event: PointerEvent): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((event.offsetX / this.canvas.clientWidth) * 2 - 1, 1 - (event.offsetY / this.canvas.clientHeight) * 2), this.camera);
    return ray;
  }

  /** Pointers; these listeners come before those of the camera. */
  private listen(): void {
    const { canvas, session } = this;
    let drag: ((event: PointerEvent) => void) | null = null;
    let pressed: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (event) => {
      pressed = [event.clientX, event.clientY];
      const grip = this.handles.pick(this.ray(event));
      if (!grip || drag) return;
      this.controls.enabled = false;
      canvas.setPointerCapture(event.pointerId);
      for (const act of this.grabbed) act();
      this.handles.mark(grip);
      drag = this.drag(grip, event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (drag) return drag(event);
      if (event.buttons) return;
      const grip = this.handles.pick(this.ray(event));
      canvas.style.cursor = grip ? "move" : "";
      if (this.handles.mark(grip)) session.picture();
    });
    const end = (event: PointerEvent) => {
      const still = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 4;
      pressed = null;
      if (drag) {
        drag = null;
        this.controls.enabled = true;
        this.handles.mark(null);
        session.picture();
      } else if (still && event.type === "pointerup") this.click(event);
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  private click(event: PointerEvent): void {
    const ray = this.ray(event);
    const found = this.ghosts
      .map(({ body, ghost }) => ({ ghost, hit: ray.intersectObject(body.group, true)[0]?.distance ?? Infinity }))
      .sort((a, b) => a.hit - b.hit)[0];
    if (found && found.hit < Infinity) found.ghost.act();
  }

  /** What a pointer does with a handle, from where it took it. */
  private drag(grip: Grip, event: PointerEvent): (event: PointerEvent) => void {
    const { session } = this;
    const start = this.center();
    const { values, pose } = session.state;
    const { coordinates } = session.robot;
    if (grip.kind === "ball") {
      const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new THREE.Vector3()), start);
      const from = this.ray(event).ray.intersectPlane(plane, new THREE.Vector3()) ?? start.clone();
      return (event) => {
        const to = this.ray(event).ray.intersectPlane(plane, new THREE.Vector3());
        if (!to) return;
        const way = { x: to.x - from.x, y: to.y - from.y, z: to.z - from.z };
        session.move({ values: values.map((value, k) => value + (coordinates[k]!.turns || !coordinates[k]!.is_free ? 0 : (way[coordinates[k]!.name as "x" | "y" | "z"] ?? 0))) }, event.timeStamp);
      };
    }
    const { axis, coordinate } = grip;
    if (grip.kind === "arrow") {
      const along = (event: PointerEvent) => {
        // Where the ray passes the axis: in the plane that holds the axis and faces the camera most.
        const normal = this.camera.position.clone().sub(start);
        normal.addScaledVector(axis, -normal.dot(axis)).normalize();
        const at = this.ray(event).ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, start), new THREE.Vector3());
        return at ? at.sub(start).dot(axis) : null;
      };
      const from = along(event) ?? 0;
      return (event) => {
        const to = along(event);
        if (to != null) session.move({ values: values.map((value, k) => (k === coordinate ? value + to - from : value)) }, event.timeStamp);
      };
    }
    const side = new THREE.Vector3(axis.y, axis.z, axis.x);
    const other = axis.clone().cross(side);
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(axis, start);
    const angle = (event: PointerEvent) => {
      const at = this.ray(event).ray.intersectPlane(plane, new THREE.Vector3())?.sub(start);
      return at ? Math.atan2(at.dot(other), at.dot(side)) : null;
    };
    let before = angle(event) ?? 0;
    let turned = 0;
    const spherical = coordinates.filter((one) => one.turns && one.is_free).length === 3;
    return (event) => {
      const now = angle(event);
      if (now == null) return;
      turned += Math.atan2(Math.sin(now - before), Math.cos(now - before));
      before = now;
      if (spherical) session.move({ pose, turn: axis.clone().multiplyScalar(turned).toArray() }, event.timeStamp);
      else session.move({ values: values.map((value, k) => (k === coordinate ? value + turned : value)) }, event.timeStamp);
    };
  }
}
