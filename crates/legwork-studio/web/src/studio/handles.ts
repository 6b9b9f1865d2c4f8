/** Handles at the platform: a ball to drag it, an arrow for each way it can go, a ring for each way it can turn. */

import * as THREE from "three";
import { css } from "../view/dom";
import type { PlatformCoordinate } from "./messages";

export type Grip = { kind: "ball" } | { kind: "arrow" | "ring"; coordinate: number; axis: THREE.Vector3 };

/** The axis of a coordinate. */
const AXES: Record<string, [letter: string, x: number, y: number, z: number]> = {
  x: ["x", 1, 0, 0],
  y: ["y", 0, 1, 0],
  z: ["z", 0, 0, 1],
  roll: ["x", 1, 0, 0],
  pitch: ["y", 0, 1, 0],
  yaw: ["z", 0, 0, 1],
  angle: ["z", 0, 0, 1],
};

/** Share of the picture's height that an arrow is long. */
const LENGTH = 0.13;

export class Handles {
  readonly group = new THREE.Group();
  private hits: THREE.Mesh[] = [];
  private held: Grip | null = null;

  /** Makes the handles of a robot anew. */
  build(coordinates: PlatformCoordinate[]): void {
    this.dispose();
    if (coordinates.some((one) => !one.turns && one.is_free)) {
      const ball = this.solid(new THREE.SphereGeometry(0.13, 24, 16), css("--accent"));
      this.hit(new THREE.SphereGeometry(0.24, 12, 8), { kind: "ball" }, ball);
    }
    coordinates.forEach((one, coordinate) => {
      const found = AXES[one.name];
      if (!found || !one.is_free) return;
      const [letter, ...direction] = found;
      const axis = new THREE.Vector3(...direction);
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
      const tint = css(`--${letter}`);
      const place = (geometry: THREE.BufferGeometry, along: number) => geometry.rotateX(Math.PI / 2).translate(0, 0, along).applyQuaternion(turn);
      if (one.turns) {
        const ring = this.solid(new THREE.TorusGeometry(0.78, 0.022, 8, 64).applyQuaternion(turn), tint);
        this.hit(new THREE.TorusGeometry(0.78, 0.085, 6, 32).applyQuaternion(turn), { kind: "ring", coordinate, axis }, ring);
      } else {
        const bar = this.solid(place(new THREE.CylinderGeometry(0.02, 0.02, 0.8, 8), 0.6), tint);
        const tip = this.solid(place(new THREE.ConeGeometry(0.075, 0.24, 16), 1.1), tint);
        this.hit(place(new THREE.CylinderGeometry(0.11, 0.11, 0.95, 8), 0.75), { kind: "arrow", coordinate, axis }, bar, tip);
      }
    });
  }

  /** Stays as large on the screen as it is, wherever the camera goes. */
  place(at: THREE.Vector3, camera: THREE.PerspectiveCamera): void {
    this.group.position.copy(at);
    this.group.scale.setScalar(2 * LENGTH * camera.position.distanceTo(at) * Math.tan((camera.fov * Math.PI) / 360));
  }

  /** What a ray meets first. */
  pick(ray: THREE.Raycaster): Grip | null {
    if (!this.group.visible) return null;
    const found = ray.intersectObjects(this.hits, false);
    // The ball is in the middle of everything and wins over what is behind it or just before it.
    const ball = found.find((one) => (one.object.userData.grip as Grip).kind === "ball");
    return ((ball ?? found[0])?.object.userData.grip as Grip | undefined) ?? null;
  }

  /** Shows which handle is held or pointed at; says whether that changed. */
  mark(grip: Grip | null): boolean {
    if (this.held === grip) return false;
    this.held = grip;
    for (const hit of this.hits) {
      const on = hit.userData.grip === grip;
      for (const mesh of hit.userData.shown as THREE.Mesh[]) (mesh.material as THREE.MeshBasicMaterial).opacity = on ? 1 : 0.75;
    }
    return true;
  }

  private solid(geometry: THREE.BufferGeometry, tint: string): THREE.Mesh {
    const material = new THREE.MeshBasicMaterial({ color: new THREE.Color(tint), transparent: true, opacity: 0.75, depthTest: false });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.renderOrder = 10;
    this.group.add(mesh);
    return mesh;
  }

  private hit(geometry: THREE.BufferGeometry, grip: Grip, ...shown: THREE.Mesh[]): void {
    const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ visible: false }));
    mesh.userData = { grip, shown };
    this.hits.push(mesh);
    this.group.add(mesh);
  }

  private dispose(): void {
    for (const one of this.group.children as THREE.Mesh[]) {
      one.geometry.dispose();
      (one.material as THREE.Material).dispose();
    }
    this.group.clear();
    this.hits = [];
    this.held = null;
  }
}
