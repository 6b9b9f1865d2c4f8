/** Where a robot is seen from: shared by the moving robot of a report and the studio. */
import * as THREE from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type Side = "free" | "top" | "front" | "side";

/** Looks at `middle` from one side, so far away that a ball of this radius [m] fills the picture. */
export function lookFrom(side: Side, camera: THREE.PerspectiveCamera, controls: OrbitControls, middle: THREE.Vector3, radius: number, isFlat: boolean): void {
  const from = { free: isFlat ? [0.25, -0.9, 1.6] : [1.25, -1.15, 0.6], top: [0, -0.001, 1], front: [0, -1, 0], side: [1, 0, 0] }[side];
  const distance = radius / Math.sin((camera.fov * Math.PI) / 360);
  camera.position.set(from[0]!, from[1]!, from[2]!).setLength(distance).add(middle);
  camera.near = distance / 100;
  camera.far = distance * 10;
  camera.updateProjectionMatrix();
  controls.target.copy(middle);
  controls.update();
}

/** Moves the camera until these points fill so much of the picture and are in its middle, seen from the same side. */
export function fill(camera: THREE.PerspectiveCamera, controls: OrbitControls, points: THREE.Vector3[], share: number): void {
  camera.updateMatrixWorld();
  const [right, up, back] = [0, 1, 2].map((column) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, column)) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
  const high = share * Math.tan((camera.fov * Math.PI) / 360);
  const wide = high * camera.aspect;
  // A point is in the picture if it is so far from the camera as it is from its axis, by the opening: for each side the point
  // that needs most of it says where the side is.
  const most = (axis: THREE.Vector3, opening: number, sign: number) => Math.max(...points.map((point) => sign * axis.dot(point) + opening * back.dot(point)));
  const [left, onRight, low, top] = [most(right, wide, -1), most(right, wide, 1), most(up, high, -1), most(up, high, 1)];
  const distance = Math.max((left + onRight) / (2 * wide), (low + top) / (2 * high));
  const target = controls.target.clone();
  const position = right.clone().multiplyScalar((onRight - left) / 2).addScaledVector(up, (top - low) / 2).addScaledVector(back, distance);
  // What it turns about stays as far away as it was, along the way it looks.
  controls.target.copy(position).addScaledVector(back, back.dot(target) - distance);
  camera.position.copy(position);
  controls.update();
}

/** Turns the camera about what it looks at [rad] and goes nearer by a factor. */
export function orbitAbout(camera: THREE.PerspectiveCamera, controls: OrbitControls, around: number, up: number, nearer: number): void {
  const offset = camera.position.clone().sub(controls.target);
  const s = new THREE.Spherical().setFromVector3(new THREE.Vector3(offset.x, offset.z, -offset.y));
  s.theta += around;
  s.phi = Math.min(Math.max(s.phi - up, 0.02), Math.PI - 0.02);
  s.radius /= nearer;
  const y = new THREE.Vector3().setFromSpherical(s);
  camera.position.set(y.x, -y.z, y.y).add(controls.target);
  controls.update();
}
