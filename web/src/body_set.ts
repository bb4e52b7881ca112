// The bodies of a scene in the view: their meshes, looks and colours, and the panel's lists for
// them. What the pages of recordings and of live sessions share.

import * as THREE from 'three';

import type { BodyFrame, BodyInfo, Topology } from './api';
import { fillGroups, startLooks } from './body_groups';
import { BodyMesh } from './body_mesh';
import { ColourControl } from './colour_control';
import { element, setPressed } from './dom';
import { prettyNumber } from './names';
import type { BodyLook } from './panel';
import type { Stage } from './stage';
import { makeUpright } from './upright';

const kOpacityOverLines = 0.35; // of muscles, so that the lines inside are seen

export class BodySet {
  readonly meshes: BodyMesh[];
  readonly colours: ColourControl;
  readonly upright: THREE.Group; // turns what is simulated to the stage's y up
  private readonly looks: BodyLook[];
  private showsLines = false;
  private shown: BodyFrame[] | undefined;
  private recolour = false;

  constructor(
    private readonly stage: Stage,
    private readonly bodies: BodyInfo[],
    topologies: Topology[],
    up: string,
  ) {
    this.looks = startLooks(bodies);
    this.meshes = topologies.map(
      (topology, b) =>
        new BodyMesh(
          topology,
          this.looks[b]!.colour,
          bodies[b]!.kind === 'lines',
          stage.economical,
        ),
    );
    this.upright = makeUpright(up);
    for (const { mesh } of this.meshes) this.upright.add(mesh);
    stage.scene.add(this.upright);
    this.colours = new ColourControl(bodies, () => (this.recolour = true));
    fillGroups(element('bodies'), bodies, this.looks, (b) => this.applyLook(b));
    element('lines').hidden = !bodies.some(({ kind }) => kind === 'lines');
    element('lines').addEventListener('click', () => this.toggleLines());
  }

  // Takes note of a frame for the colours' ranges.
  see(frame: number, bodies: BodyFrame[]): void {
    if (this.colours.see(frame, bodies)) this.recolour = true;
  }

  show(bodies: BodyFrame[]): void {
    this.shown = bodies;
    this.recolour = false;
    this.meshes.forEach((mesh, b) => mesh.show(bodies[b]!, this.colours.colouring(b)));
    this.stage.invalidate();
  }

  readonly drawLegend = (context: CanvasRenderingContext2D, scale: number): void =>
    this.colours.drawLegend(context, scale);

  // Once a screen refresh: colours that were chosen since the last frame.
  update(): void {
    if (!this.recolour || !this.shown) return;
    this.recolour = false;
    this.meshes.forEach((mesh, b) => mesh.colour(this.shown![b]!, this.colours.colouring(b)));
    this.stage.invalidate();
  }

  // Muscles let the lines of action inside them through, or hide them.
  toggleLines(): void {
    this.showsLines = !this.showsLines;
    setPressed(element('lines'), this.showsLines);
    this.meshes.forEach((_, b) => this.applyLook(b));
  }

  // Looks at a box of what is simulated.
  frameBox(low: number[], high: number[]): void {
    const corners = new Float32Array([...low, ...high]);
    this.frame([[{ positions: corners, fields: [] }]]);
  }

  // Looks at all that these frames show; at the bodies at rest where there are none.
  frame(frames: BodyFrame[][]): void {
    const bounds = new THREE.Box3();
    // Bones rest in frames of their own: what was recorded tells where things are.
    if (frames.length === 0) for (const { mesh } of this.meshes) bounds.expandByObject(mesh);
    for (const { positions } of frames.flat()) expand(bounds, positions, this.upright.matrixWorld);
    element('grid-note').textContent = `grid ${prettyNumber(this.stage.setBounds(bounds))} m`;
  }

  private applyLook(b: number): void {
    const mesh = this.meshes[b]!;
    const look = this.looks[b]!;
    mesh.mesh.visible = look.visible;
    const isOpen = this.showsLines && this.bodies[b]!.kind === 'tissue';
    mesh.setOpacity(isOpen ? Math.min(look.opacity, kOpacityOverLines) : look.opacity);
    mesh.setPlainColour(look.colour);
    this.recolour = true;
    this.stage.invalidate();
  }
}

// Grows the box by points, turned as they are shown.
function expand(bounds: THREE.Box3, positions: Float32Array, turn: THREE.Matrix4): void {
  const point = new THREE.Vector3();
  for (let i = 0; i < positions.length; i += 3) {
    point.fromArray(positions, i).applyMatrix4(turn);
    // A NaN in a damaged frame must not take the camera away.
    if (Number.isFinite(point.x + point.y + point.z)) bounds.expandByPoint(point);
  }
}
