// One body in the view: its triangles, smooth normals and colours, renewed a frame at a time.

import * as THREE from 'three';

import type { BodyFrame, Topology } from './api';
import type { ColourMap } from './colour_maps';
import type { Range } from './colour_range';

// Muscle first, then tendon, bone and other tissues that sit well beside it.
const kPalette = ['#b5523f', '#d8b48a', '#7d9bb0', '#8f6f9e', '#7fa382', '#c98a4b'];

export function paletteColour(body: number): string {
  return kPalette[body % kPalette.length]!;
}

export interface Colouring {
  field: number;
  map: ColourMap;
  range: Range;
}

function addTo(out: Float32Array, at: number, x: number, y: number, z: number): void {
  out[at]! += x;
  out[at + 1]! += y;
  out[at + 2]! += z;
}

export class BodyMesh {
  readonly mesh: THREE.Mesh<
    THREE.BufferGeometry,
    THREE.MeshStandardMaterial | THREE.MeshLambertMaterial
  >;
  private readonly triangles: Uint32Array;
  private readonly positions: THREE.BufferAttribute;
  private readonly normals: THREE.BufferAttribute;
  private readonly colours: THREE.BufferAttribute;
  private plainColour: string;

  // `last`: drawn after all else, so that it shines through translucent bodies around it.
  constructor(
    topology: Topology,
    colour: string,
    private readonly last: boolean,
    economical: boolean, // without gloss
  ) {
    const size = topology.restPositions.length;
    this.triangles = topology.triangles;
    this.plainColour = colour;
    this.positions = new THREE.BufferAttribute(topology.restPositions.slice(), 3);
    this.normals = new THREE.BufferAttribute(new Float32Array(size), 3);
    this.colours = new THREE.BufferAttribute(new Float32Array(size).fill(1), 3);
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(topology.triangles, 1));
    for (const [name, values] of Object.entries({
      position: this.positions,
      normal: this.normals,
      color: this.colours,
    })) {
      geometry.setAttribute(name, values.setUsage(THREE.DynamicDrawUsage));
    }
    // Both sides: where elements are inverted the surface shows its back.
    const look = {
      side: THREE.DoubleSide,
      vertexColors: true,
      // Neighbours in a fold would shade each other through their shared bias otherwise.
      shadowSide: THREE.BackSide,
    };
    const material = economical
      ? new THREE.MeshLambertMaterial(look)
      : new THREE.MeshStandardMaterial({ ...look, metalness: 0 });
    this.mesh = new THREE.Mesh(geometry, material);
    material.transparent = last; // those are drawn after the others
    this.mesh.renderOrder = last ? 1 : 0;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false; // bounds change every frame
    this.computeNormals();
  }

  show(frame: BodyFrame, colouring: Colouring | undefined): void {
    this.positions.array.set(frame.positions);
    this.positions.needsUpdate = true;
    this.computeNormals();
    this.colour(frame, colouring);
  }

  colour(frame: BodyFrame, colouring: Colouring | undefined): void {
    const material = this.mesh.material;
    const values = colouring && frame.fields[colouring.field];
    // Data is read by its colour, so it is shown matt; tissue is moist.
    if ('roughness' in material) material.roughness = values ? 0.85 : 0.42;
    material.color.set(values ? '#ffffff' : this.plainColour);
    const colours = this.colours.array as Float32Array;
    if (values) colouring.map.fill(values, colouring.range.low, colouring.range.high, colours);
    else colours.fill(1);
    this.colours.needsUpdate = true;
  }

  setPlainColour(colour: string): void {
    this.plainColour = colour;
  }

  setOpacity(opacity: number): void {
    const material = this.mesh.material;
    material.opacity = opacity;
    const translucent = opacity < 1;
    if (material.depthWrite === translucent) {
      material.transparent = translucent || this.last;
      material.depthWrite = !translucent;
      material.needsUpdate = true;
    }
    this.mesh.castShadow = opacity > 0.3;
  }

  // Sums of the triangles' normals, weighted by area, at each vertex.
  private computeNormals(): void {
    const x = this.positions.array;
    const n = this.normals.array as Float32Array;
    n.fill(0);
    const t = this.triangles;
    for (let i = 0; i < t.length; i += 3) {
      const a = 3 * t[i]!;
      const b = 3 * t[i + 1]!;
      const c = 3 * t[i + 2]!;
      const ux = x[b]! - x[a]!;
      const uy = x[b + 1]! - x[a + 1]!;
      const uz = x[b + 2]! - x[a + 2]!;
      const vx = x[c]! - x[a]!;
      const vy = x[c + 1]! - x[a + 1]!;
      const vz = x[c + 2]! - x[a + 2]!;
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      addTo(n, a, nx, ny, nz);
      addTo(n, b, nx, ny, nz);
      addTo(n, c, nx, ny, nz);
    }
    for (let i = 0; i < n.length; i += 3) {
      const length = Math.hypot(n[i]!, n[i + 1]!, n[i + 2]!) || 1;
      n[i]! /= length;
      n[i + 1]! /= length;
      n[i + 2]! /= length;
    }
    this.normals.needsUpdate = true;
  }
}
