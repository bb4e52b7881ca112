// Handles on the levels between the bricks of a muscle: balls in the view that are dragged along the
// bricks' axis.

import * as THREE from 'three';

import type { BrickData } from './model_api';
import type { Stage } from './stage';

const kColour = '#ffd97a';
const kRadius = 0.022; // of the bricks' length

interface Drag {
  pointer: number;
  level: number;
  start: number; // the level's, when it was gripped
  from: number; // m along the axis, where it was gripped
}

export class LevelHandles {
  readonly group = new THREE.Group();
  private readonly ray = new THREE.Raycaster();
  private data: BrickData | undefined;
  private length = 1; // m, along the axis
  private drag: Drag | undefined;

  // `onMove`: a level was dragged to a part of the length, which may be too far.
  constructor(
    private readonly stage: Stage,
    private readonly onMove: (level: number, value: number) => void,
  ) {
    const { canvas } = stage;
    // Before the camera's own listeners, which must not turn the view meanwhile.
    canvas.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, (event) => this.release(event));
    }
  }

  // Nothing: no handles.
  show(data: BrickData | undefined): void {
    this.data = data;
    this.group.visible = data !== undefined;
    if (!data) return;
    const axis = new THREE.Vector3(...data.axis);
    const nodes = Array.from({ length: data.nodes.length / 3 }, (_, n) =>
      new THREE.Vector3().fromArray(data.nodes, 3 * n),
    );
    const heights = nodes.map((node) => node.dot(axis));
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    this.length = high - low;
    const inner = data.levels.slice(1, -1);
    while (this.group.children.length > inner.length) this.group.remove(this.group.children.at(-1)!);
    while (this.group.children.length < inner.length) this.group.add(makeBall());
    inner.forEach((level, k) => {
      const height = low + level * this.length;
      const ring = nodes.filter((_, n) => Math.abs(heights[n]! - height) < 1e-4 * this.length);
      const middle = new THREE.Vector3();
      for (const node of ring) middle.addScaledVector(node, 1 / ring.length);
      this.group.children[k]!.position.copy(middle);
      this.group.children[k]!.scale.setScalar(kRadius * this.length);
    });
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || event.altKey || !this.data || this.drag) return;
    this.stage.aim(this.ray, event);
    const hit = this.ray.intersectObjects(this.group.children, false)[0];
    if (!hit) return;
    const level = 1 + this.group.children.indexOf(hit.object);
    this.stage.setTurning(false);
    this.stage.canvas.setPointerCapture(event.pointerId);
    const from = this.along(hit.object.position);
    this.drag = { pointer: event.pointerId, level, start: this.data.levels[level]!, from };
  }

  private move(event: PointerEvent): void {
    if (!this.drag || event.pointerId !== this.drag.pointer || !this.data) return;
    this.stage.aim(this.ray, event);
    const { level, start, from } = this.drag;
    this.onMove(level, start + (this.along(this.group.children[level - 1]!.position) - from) / this.length);
  }

  private release(event: PointerEvent): void {
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    this.drag = undefined;
    this.stage.setTurning(true);
  }

  // Where the ray passes nearest to the line along the axis through a point of the group, m.
  private along(point: THREE.Vector3): number {
    const axis = new THREE.Vector3(...this.data!.axis);
    const through = this.group.localToWorld(point.clone());
    const direction = this.group.localToWorld(point.clone().add(axis)).sub(through).normalize();
    const away = this.ray.ray.origin.clone().sub(through);
    const cosine = direction.dot(this.ray.ray.direction);
    const slope = Math.max(1 - cosine * cosine, 1e-6); // seen along the axis nothing moves far
    const t = (away.dot(direction) - cosine * away.dot(this.ray.ray.direction)) / slope;
    return point.dot(axis) + t;
  }
}

// Seen through the surface, as it is inside.
function makeBall(): THREE.Mesh {
  const material = new THREE.MeshBasicMaterial({ color: kColour, depthTest: false, transparent: true });
  const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), material);
  ball.renderOrder = 2;
  return ball;
}
