// The server's API for built models; docs/viewer.md has the layouts.

import { get, getBytes, postJson } from './api';

export interface PartInfo {
  name: string;
  num_vertices: number;
  num_triangles: number;
}

export interface TissueInfo extends PartInfo {
  kind: 'bone' | 'cartilage' | 'ligament' | 'fat';
}

export interface EndInfo {
  bone: string;
  sibling: string;
  area: number; // m^2
}

export interface MuscleInfo extends PartInfo {
  num_lines: number;
  num_line_points: number;
  num_tets: number;
  num_nodes: number;
  regions: string[];
  has_bricks: boolean;
  origin: EndInfo;
  insertion: EndInfo;
}

export interface Model {
  name: string;
  tissues: TissueInfo[];
  muscles: MuscleInfo[];
}

export interface SurfaceData {
  positions: Float32Array<ArrayBuffer>; // (num_vertices x 3) m
  triangles: Uint32Array<ArrayBuffer>; // (num_triangles x 3)
}

export interface MuscleData extends SurfaceData {
  linePoints: Float32Array<ArrayBuffer>; // (num_line_points x 3) m
  lineStarts: Uint32Array<ArrayBuffer>; // (num_lines + 1)
  end: Uint8Array<ArrayBuffer>; // (num_vertices) 0 none, 1 origin, 2 insertion
  tissue: Uint8Array<ArrayBuffer>; // (num_vertices) 1 muscle, 2 tendon, 3 aponeurosis
  region: Uint8Array<ArrayBuffer>; // (num_vertices)
}

export interface LatticeData {
  nodes: Float32Array<ArrayBuffer>; // (num_nodes x 3) m
  edges: Uint32Array<ArrayBuffer>; // pairs of nodes
}

export async function getModel(): Promise<Model> {
  return (await get('/api/model')).json();
}

export async function getTissue(index: number, part: PartInfo): Promise<SurfaceData> {
  const { num_vertices: vertices, num_triangles: triangles } = part;
  const bytes = await getBytes(`/api/tissue/${index}`, 12 * (vertices + triangles));
  return {
    positions: new Float32Array(bytes, 0, 3 * vertices),
    triangles: new Uint32Array(bytes, 12 * vertices, 3 * triangles),
  };
}

export async function getMuscle(index: number, muscle: MuscleInfo): Promise<MuscleData> {
  const { num_vertices: v, num_triangles: t, num_line_points: p, num_lines: l } = muscle;
  const words = 3 * (v + t + p) + l + 1;
  const bytes = await getBytes(`/api/muscle/${index}`, 4 * words + 3 * v);
  return {
    positions: new Float32Array(bytes, 0, 3 * v),
    triangles: new Uint32Array(bytes, 12 * v, 3 * t),
    linePoints: new Float32Array(bytes, 12 * (v + t), 3 * p),
    lineStarts: new Uint32Array(bytes, 12 * (v + t + p), l + 1),
    end: new Uint8Array(bytes, 4 * words, v),
    tissue: new Uint8Array(bytes, 4 * words + v, v),
    region: new Uint8Array(bytes, 4 * words + 2 * v, v),
  };
}

export async function getLattice(index: number, muscle: MuscleInfo): Promise<LatticeData> {
  const bytes = await (await get(`/api/muscle/${index}/lattice`)).arrayBuffer();
  return {
    nodes: new Float32Array(bytes, 0, 3 * muscle.num_nodes),
    edges: new Uint32Array(bytes, 12 * muscle.num_nodes),
  };
}

// Bricks around a muscle, and what they are like.
export interface BrickData {
  counts: [number, number, number]; // across, across, along
  axis: [number, number, number]; // unit, along
  levels: number[]; // parts of the length, from 0 to 1
  quality: number; // smallest Jacobian over the mean, of all bricks
  volume_ratio: number; // of the bricks to the surface
  outside: number; // vertices of the surface
  nodes: number[]; // (num_nodes x 3) m
  edges: number[]; // corner, middle, corner
  toml: string; // the line of a model file that makes them
}

export async function getBricks(index: number): Promise<BrickData> {
  return (await get(`/api/muscle/${index}/bricks`)).json();
}

// No levels: the server finds them.
export async function postBricks(
  what: 'wrap' | 'save',
  muscle: number,
  counts: number[],
  levels: number[],
): Promise<BrickData> {
  return postJson('/api/model/bricks', { do: what, muscle, counts, levels });
}
