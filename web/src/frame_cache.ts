// Frames fetched ahead of the player and kept up to a bounded amount of memory; the ones used
// longest ago go first.

import { frameBytes, getBodyFrame, type BodyFrame, type BodyInfo } from './api';

const kCapacityBytes = 384 * 1024 * 1024;
const kMaxFrames = 2000;
const kMaxInFlight = 4;
const kAhead = 24; // frames wished for beyond the current one

export class FrameCache {
  private readonly frames = new Map<number, BodyFrame[]>(); // in order of use
  private readonly inFlight = new Set<number>();
  private readonly capacity: number;
  private wished: number[] = [];
  private retryAt = 0; // ms; after a failure the server is left alone for a moment

  constructor(
    private readonly bodies: BodyInfo[],
    private readonly onFrame: (frame: number, bodies: BodyFrame[]) => void,
    private readonly onTrouble: (error: unknown) => void,
  ) {
    const bytes = bodies.reduce((sum, body) => sum + frameBytes(body), 1);
    const fitting = Math.floor(kCapacityBytes / bytes);
    // Fewer than what is fetched ahead would be thrown away before they are shown.
    this.capacity = Math.min(kMaxFrames, Math.max(2 * kAhead, fitting));
  }

  get(frame: number): BodyFrame[] | undefined {
    const found = this.frames.get(frame);
    if (found) {
      this.frames.delete(frame);
      this.frames.set(frame, found);
    }
    return found;
  }

  // Wishes for `frame` now and for those that follow it while playing.
  want(frame: number, numFrames: number, loop: boolean): void {
    this.wished = [];
    for (let i = 0; i <= Math.min(kAhead, numFrames - 1); ++i) {
      const ahead = frame + i;
      if (ahead < numFrames) this.wished.push(ahead);
      else if (loop) this.wished.push(ahead % numFrames);
    }
    this.pump();
  }

  async load(frame: number): Promise<BodyFrame[]> {
    const found = this.get(frame);
    if (found) return found;
    const loaded = await Promise.all(this.bodies.map((body, b) => getBodyFrame(b, body, frame)));
    this.keep(frame, loaded);
    return loaded;
  }

  private pump(): void {
    if (performance.now() < this.retryAt) return;
    for (const frame of this.wished) {
      if (this.inFlight.size >= kMaxInFlight) return;
      if (this.frames.has(frame) || this.inFlight.has(frame)) continue;
      this.inFlight.add(frame);
      this.load(frame)
        .catch((error) => {
          this.retryAt = performance.now() + 1000;
          this.onTrouble(error);
        })
        .finally(() => {
          this.inFlight.delete(frame);
          this.pump();
        });
    }
  }

  private keep(frame: number, bodies: BodyFrame[]): void {
    this.frames.set(frame, bodies);
    for (const oldest of this.frames.keys()) {
      if (this.frames.size <= this.capacity) break;
      this.frames.delete(oldest);
    }
    this.onFrame(frame, bodies);
  }
}
