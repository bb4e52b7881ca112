// The API of a live session: what it simulates, the stream of snapshots, messages that steer it.
// docs/live.md has the layouts.

import { ApiError, get, postJson, type BodyFrame, type BodyInfo, type Field } from './api';

export interface Control {
  name: string;
  unit: string;
  low: number;
  high: number;
  value: number; // when the session began
  logarithmic: boolean;
  whole: boolean;
}

export interface LiveInfo {
  session: string; // tells one session from another
  scene_name: string;
  version: string;
  up: string;
  frame_rate: number;
  bounds: [number[], number[]]; // m, at the start
  bodies: BodyInfo[];
  certificate: Field[];
  controls: Control[];
}

export interface Pull {
  page: number;
  body: number;
  vertex: number;
  target: [number, number, number]; // m
}

export interface Snapshot {
  frame: number; // frames made so far
  applied: number; // the newest message that it obeys
  time: number; // s, simulated
  paused: boolean;
  recording: string; // folder; empty: none
  recorded_frames: number;
  trouble: string;
  frames_per_second: number;
  steps_per_second: number;
  real_time: number; // simulated seconds a second
  latency_ms: number; // within the server
  controls: number[];
  pulls: Pull[];
  certificate: (number | null)[];
  bodies: BodyFrame[];
}

export type Message =
  | { do: 'set'; control: number; value: number }
  | { do: 'pull'; page: number; body: number; vertex: number; target: number[] }
  | { do: 'release'; page: number }
  | { do: 'seen'; page: number; messages: number }
  | { do: 'step'; frames: number }
  | { do: 'pause' | 'resume' | 'restart' | 'record' | 'end-recording' };

export async function getLive(): Promise<LiveInfo> {
  return (await get('/api/live')).json();
}

// Returns the message's number: snapshots whose `applied` has reached it obey it.
export async function post(message: Message): Promise<number> {
  return (await postJson('/api/live/command', message)).number;
}

function readBodies(bodies: BodyInfo[], buffer: ArrayBuffer, start: number): BodyFrame[] {
  let at = start;
  const take = (count: number) => {
    const values = new Float32Array(buffer, at, count);
    at += 4 * count;
    return values;
  };
  return bodies.map(({ num_vertices: n, fields }) => ({
    positions: take(3 * n),
    fields: fields.map(() => take(n)),
  }));
}

// Bytes that arrived in pieces of any size.
class Bytes {
  private pieces: Uint8Array[] = [];
  length = 0;

  push(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  // The first `count`, which stay. Precondition: there are so many.
  peek(count: number): Uint8Array {
    const out = new Uint8Array(count);
    let done = 0;
    for (const piece of this.pieces) {
      out.set(piece.subarray(0, count - done), done);
      done += Math.min(piece.length, count - done);
      if (done === count) break;
    }
    return out;
  }

  drop(count: number): void {
    this.length -= count;
    while (count > 0) {
      const first = this.pieces[0]!;
      const part = Math.min(first.length, count);
      if (part === first.length) this.pieces.shift();
      else this.pieces[0] = first.subarray(part);
      count -= part;
    }
  }
}

// Listens until the stream ends or breaks; then it throws.
export async function listen(
  bodies: BodyInfo[],
  onPage: (page: number) => void,
  onSnapshot: (snapshot: Snapshot) => void,
): Promise<never> {
  const reader = (await get('/api/live/stream')).body!.getReader();
  const bytes = new Bytes();
  const text = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new ApiError('The session has ended. Start `sinew live` again.');
    bytes.push(value);
    while (bytes.length >= 8) {
      const head = new DataView(bytes.peek(8).buffer);
      const [jsonSize, dataSize] = [head.getUint32(0, true), head.getUint32(4, true)];
      if (bytes.length < 8 + jsonSize + dataSize) break;
      const whole = bytes.peek(8 + jsonSize + dataSize);
      bytes.drop(whole.length);
      const message = JSON.parse(text.decode(whole.subarray(8, 8 + jsonSize)));
      if (message.page !== undefined) {
        onPage(message.page);
        continue;
      }
      message.bodies = readBodies(bodies, whole.buffer as ArrayBuffer, 8 + jsonSize);
      onSnapshot(message);
    }
  }
}
