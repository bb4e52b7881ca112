// The server's API as typed calls; docs/viewer.md has the layouts.

export interface Field {
  name: string;
  unit: string;
}

export interface BodyInfo {
  name: string;
  kind: 'tissue' | 'bone' | 'lines';
  num_vertices: number;
  num_triangles: number;
  fields: Field[];
}

export interface Recording {
  scene_name: string;
  version: string;
  generation: number;
  up: string; // the axis that points up: x, y, z, -x, -y or -z
  frame_rate: number;
  planned_frames: number;
  num_frames: number;
  finished: boolean;
  idle_seconds: number; // since the file was last written
  bodies: BodyInfo[];
  certificate: Field[];
}

export interface Topology {
  restPositions: Float32Array<ArrayBuffer>; // (num_vertices x 3) m
  triangles: Uint32Array<ArrayBuffer>; // (num_triangles x 3)
}

export interface BodyFrame {
  positions: Float32Array<ArrayBuffer>; // (num_vertices x 3) m
  fields: Float32Array<ArrayBuffer>[]; // (num_fields)(num_vertices)
}

export interface Certificate {
  from: number;
  times: number[]; // s
  columns: (number | null)[][]; // null where the value was not finite
}

// What the server said against a request, in its own words.
export class ApiError extends Error {}

export async function get(path: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path);
  } catch {
    throw new ApiError('The server does not answer. Start `sinew view` again.');
  }
  if (!response.ok) throw new ApiError((await response.text()).trim());
  return response;
}

// A message, and what the server answers to it.
export async function postJson(path: string, message: object): Promise<any> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  });
  if (!response.ok) throw new ApiError((await response.text()).trim());
  return response.json();
}

export async function getBytes(path: string, expected: number): Promise<ArrayBuffer> {
  const bytes = await (await get(path)).arrayBuffer();
  if (bytes.byteLength !== expected) {
    throw new ApiError(`${path} has ${bytes.byteLength} bytes where ${expected} are expected`);
  }
  return bytes;
}

export async function getRecording(): Promise<Recording> {
  return (await get('/api/recording')).json();
}

export async function getCertificate(from: number): Promise<Certificate> {
  return (await get(`/api/certificate?from=${from}`)).json();
}

export async function getTopology(index: number, body: BodyInfo): Promise<Topology> {
  const { num_vertices: vertices, num_triangles: triangles } = body;
  const bytes = await getBytes(`/api/body/${index}/topology`, 12 * (vertices + triangles));
  return {
    restPositions: new Float32Array(bytes, 0, 3 * vertices),
    triangles: new Uint32Array(bytes, 12 * vertices, 3 * triangles),
  };
}

export async function getBodyFrame(
  index: number,
  body: BodyInfo,
  frame: number,
): Promise<BodyFrame> {
  const n = body.num_vertices;
  const bytes = await getBytes(`/api/body/${index}/frame/${frame}`, frameBytes(body));
  return {
    positions: new Float32Array(bytes, 0, 3 * n),
    fields: body.fields.map((_, f) => new Float32Array(bytes, 4 * n * (3 + f), n)),
  };
}

export function frameBytes(body: BodyInfo): number {
  return 4 * body.num_vertices * (3 + body.fields.length);
}
