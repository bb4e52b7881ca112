// The mouse as a hand: pressed on a body it grips the nearest vertex, and draws it along in the
// plane that faces the camera. Beside the bodies, or with Alt, a drag turns the view as ever.

import * as THREE from 'three';

import type { BodyInfo } from './api';
import type { BodySet } from './body_set';
import type { Pull } from './live_api';
import type { Stage } from './stage';

export interface HandEvents {
  onPull: (body: number, vertex: number, target: number[], at: number) => void;
  onRelease: () => void;
}

interface Grip {
  pointer: number;
  body: number;
  vertex: number;
  plane: THREE.Plane;
}

export class Hand {
  private readonly ray = new THREE.Raycaster();
  private grip: Grip | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly bodies: BodySet,
    private readonly infos: BodyInfo[],
    private readonly events: HandEvents,
  ) {
    const { canvas } = stage;
    // Before the camera's own listeners, which must not turn the view while something is held.
    canvas.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, (event) => this.release(event));
    }
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || event.altKey || event.shiftKey || event.ctrlKey || this.grip) return;
    const hit = this.find(event);
    if (!hit) return;
    this.stage.setTurning(false);
    this.stage.canvas.setPointerCapture(event.pointerId);
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point);
    this.grip = { pointer: event.pointerId, body: hit.body, vertex: hit.vertex, plane };
    this.move(event);
  }

  private move(event: PointerEvent): void {
    if (!this.grip || event.pointerId !== this.grip.pointer) return;
    this.stage.aim(this.ray, event);
    const target = this.ray.ray.intersectPlane(this.grip.plane, new THREE.Vector3());
    if (!target) return;
    const { body, vertex } = this.grip;
    const point = this.bodies.upright.worldToLocal(target).toArray();
    this.events.onPull(body, vertex, point, event.timeStamp);
  }

  private release(event: PointerEvent): void {
    if (!this.grip || event.pointerId !== this.grip.pointer) return;
    this.grip = undefined;
    this.stage.setTurning(true);
    this.events.onRelease();
  }

  // The nearest tissue under the pointer, and the corner of the triangle nearest to it.
  private find(event: PointerEvent): { body: number; vertex: number; point: THREE.Vector3 } | undefined {
    this.stage.aim(this.ray, event);
    const meshes = this.bodies.meshes.map(({ mesh }) => mesh);
    const tissue = meshes.filter((mesh, b) => mesh.visible && this.infos[b]!.kind === 'tissue');
    // Bounds of an earlier shape would hide this one from the ray.
    for (const { geometry } of tissue) geometry.boundingSphere = geometry.boundingBox = null;
    const hit = this.ray.intersectObjects(tissue, false)[0];
    if (!hit?.face) return undefined;
    const body = meshes.indexOf(hit.object as (typeof meshes)[number]);
    const positions = meshes[body]!.geometry.getAttribute('position');
    const local = meshes[body]!.worldToLocal(hit.point.clone());
    const corners = [hit.face.a, hit.face.b, hit.face.c].map((vertex) => ({
      vertex,
      away: new THREE.Vector3().fromBufferAttribute(positions, vertex).distanceTo(local),
    }));
    corners.sort((p, q) => p.away - q.away);
    return { body, vertex: corners[0]!.vertex, point: hit.point };
  }
}

// Lines from the gripped vertices to the hands, also those of other pages.
export class PullLines {
  private readonly geometry = new THREE.BufferGeometry();
  private readonly lines: THREE.LineSegments;
  private count = 0;

  constructor(private readonly bodies: BodySet) {
    const material = new THREE.LineBasicMaterial({ color: '#f2c14e', depthTest: false });
    this.lines = new THREE.LineSegments(this.geometry, material);
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 2;
    bodies.upright.add(this.lines);
  }

  show(pulls: Pull[]): void {
    if (pulls.length === 0 && this.count === 0) return;
    this.count = pulls.length;
    const points = pulls.flatMap(({ body, vertex, target }) => {
      const positions = this.bodies.meshes[body]!.mesh.geometry.getAttribute('position');
      return [new THREE.Vector3().fromBufferAttribute(positions, vertex), new THREE.Vector3(...target)];
    });
    this.lines.visible = pulls.length > 0;
    if (pulls.length > 0) this.geometry.setFromPoints(points);
  }
}
