// One part of a built model in the view: its surface, and of a muscle its fibres, lattice and
// bricks.

import * as THREE from 'three';

import type { BrickData, LatticeData, MuscleData, SurfaceData } from './model_api';

export type ColourBy = 'tissue' | 'part' | 'region';

// By what a vertex is; the page's key shows the same.
export const kTissueColours: [string, string][] = [
  ['muscle', '#b5403a'],
  ['tendon', '#ecdebe'],
  ['aponeurosis', '#d6aa8c'],
  ['origin', '#2e86c1'],
  ['insertion', '#28a05a'],
  ['bone', '#cecabe'],
];
const kRegionColours = ['#b5403a', '#d8a53f', '#6f8fc0', '#7fa382', '#9a6fae', '#c97c4b'];

const kFibreColour = '#ffe2c4';
const kLatticeColour = '#7fb4d6';
const kBrickColour = '#f2c14e';
const kBrickPieces = 8; // straight ones that an edge is drawn by

function colourOf(name: string): THREE.Color {
  return new THREE.Color(kTissueColours.find(([known]) => known === name)![1]);
}

// Colours of a muscle's vertices by tissue: an end hides what is under it.
function tissueColours(data: MuscleData): THREE.Color[] {
  const tissues = [colourOf('muscle'), colourOf('muscle'), colourOf('tendon'), colourOf('aponeurosis')];
  const ends = [undefined, colourOf('origin'), colourOf('insertion')];
  return Array.from(data.end, (end, v) => ends[end] ?? tissues[data.tissue[v]!]!);
}

export class ModelPart {
  readonly group = new THREE.Group();
  private readonly surface: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  private readonly colours: THREE.BufferAttribute;
  private fibres: THREE.LineSegments | undefined;
  private lattice: THREE.LineSegments | undefined;
  private bricks: THREE.LineSegments | undefined;

  constructor(
    data: SurfaceData,
    private readonly muscle: MuscleData | undefined,
  ) {
    const geometry = new THREE.BufferGeometry();
    this.colours = new THREE.BufferAttribute(new Float32Array(data.positions.length).fill(1), 3);
    geometry.setIndex(new THREE.BufferAttribute(data.triangles, 1));
    geometry.setAttribute('position', new THREE.BufferAttribute(data.positions, 3));
    geometry.setAttribute('color', this.colours);
    geometry.computeVertexNormals();
    const material = new THREE.MeshStandardMaterial({
      vertexColors: true,
      metalness: 0,
      roughness: 0.55,
      side: THREE.DoubleSide,
    });
    this.surface = new THREE.Mesh(geometry, material);
    this.surface.castShadow = true;
    this.group.add(this.surface);
  }

  paint(by: ColourBy, partColour: string): void {
    const { muscle } = this;
    const plain = new THREE.Color(partColour);
    const byTissue = muscle && by === 'tissue' ? tissueColours(muscle) : undefined;
    const regions = kRegionColours.map((colour) => new THREE.Color(colour));
    for (let v = 0; v < this.colours.count; ++v) {
      let colour = byTissue ? byTissue[v]! : plain;
      if (muscle && by === 'region') colour = regions[muscle.region[v]! % regions.length]!;
      this.colours.setXYZ(v, colour.r, colour.g, colour.b);
    }
    this.colours.needsUpdate = true;
  }

  setOpacity(opacity: number): void {
    const { material } = this.surface;
    material.opacity = opacity;
    material.transparent = opacity < 1;
    material.depthWrite = opacity === 1;
    material.needsUpdate = true;
    this.surface.castShadow = opacity > 0.3;
  }

  showFibres(shown: boolean): void {
    if (shown && !this.fibres && this.muscle) {
      this.fibres = makeFibres(this.muscle);
      this.group.add(this.fibres);
    }
    if (this.fibres) this.fibres.visible = shown;
  }

  get hasLattice(): boolean {
    return this.lattice !== undefined;
  }

  addLattice(data: LatticeData): void {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(data.nodes, 3));
    geometry.setIndex(new THREE.BufferAttribute(data.edges, 1));
    this.lattice = new THREE.LineSegments(
      geometry,
      new THREE.LineBasicMaterial({ color: kLatticeColour, transparent: true, opacity: 0.35 }),
    );
    this.group.add(this.lattice);
  }

  showLattice(shown: boolean): void {
    if (this.lattice) this.lattice.visible = shown;
  }

  setBricks(data: BrickData): void {
    this.bricks?.geometry.dispose();
    this.bricks ??= new THREE.LineSegments(
      undefined,
      new THREE.LineBasicMaterial({ color: kBrickColour }),
    );
    this.bricks.geometry = makeBrickEdges(data);
    this.group.add(this.bricks);
  }

  showBricks(shown: boolean): void {
    if (this.bricks) this.bricks.visible = shown;
  }
}

// Edges as they bend: parabolas through corner, middle and corner.
function makeBrickEdges({ nodes, edges }: BrickData): THREE.BufferGeometry {
  const points: number[] = [];
  const at = (edge: number, t: number) => {
    const weights = [0.5 * t * (t - 1), 1 - t * t, 0.5 * t * (t + 1)];
    for (let axis = 0; axis < 3; ++axis) {
      points.push(weights.reduce((sum, w, n) => sum + w * nodes[3 * edges[edge + n]! + axis]!, 0));
    }
  };
  for (let edge = 0; edge < edges.length; edge += 3) {
    for (let piece = 0; piece < kBrickPieces; ++piece) {
      at(edge, (2 * piece) / kBrickPieces - 1);
      at(edge, (2 * (piece + 1)) / kBrickPieces - 1);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  return geometry;
}

// Lines as pairs of points, over the surface, so that those inside are seen through it.
function makeFibres(muscle: MuscleData): THREE.LineSegments {
  const pairs: number[] = [];
  for (let line = 0; line + 1 < muscle.lineStarts.length; ++line) {
    for (let p = muscle.lineStarts[line]!; p + 1 < muscle.lineStarts[line + 1]!; ++p) {
      pairs.push(p, p + 1);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(muscle.linePoints, 3));
  geometry.setIndex(pairs);
  const material = new THREE.LineBasicMaterial({
    color: kFibreColour,
    transparent: true,
    opacity: 0.7,
    depthTest: false,
  });
  const lines = new THREE.LineSegments(geometry, material);
  lines.renderOrder = 1;
  return lines;
}
