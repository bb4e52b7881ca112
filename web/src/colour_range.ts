// The automatic range of a field: percentiles of a bounded sample over all frames seen so far, so
// that one wild vertex does not wash out the picture.

const kCapacity = 32768;
const kPerFrame = 512;

export interface Range {
  low: number;
  high: number;
}

export class RangeTracker {
  private readonly sample = new Float32Array(kCapacity);
  private readonly frames = new Set<number>();
  private seen = 0;
  private random = 12345; // the same frames in the same order give the same colours
  private cached: Range | undefined;

  // `centre`: the value that the range lies around evenly, for a diverging map.
  constructor(private readonly centre: number | undefined) {}

  add(frame: number, values: Float32Array[]): void {
    if (this.frames.has(frame)) return;
    this.frames.add(frame);
    const total = values.reduce((sum, v) => sum + v.length, 0);
    const stride = Math.max(1, Math.floor(total / kPerFrame));
    for (const body of values) {
      for (let i = 0; i < body.length; i += stride) this.keep(body[i]!);
    }
    this.cached = undefined;
  }

  range(): Range {
    this.cached ??= this.compute();
    return this.cached;
  }

  // Reservoir sampling: each finite value seen is kept with the same chance.
  private keep(value: number): void {
    if (!Number.isFinite(value)) return;
    let slot = this.seen++;
    if (slot >= kCapacity) {
      this.random = (Math.imul(this.random, 1664525) + 1013904223) >>> 0;
      slot = Math.floor((this.random / 2 ** 32) * this.seen);
    }
    if (slot < kCapacity) this.sample[slot] = value;
  }

  private compute(): Range {
    const sorted = this.sample.slice(0, Math.min(this.seen, kCapacity)).sort();
    if (sorted.length === 0) return { low: 0, high: 1 };
    const at = (p: number) => sorted[Math.round(p * (sorted.length - 1))]!;
    if (this.centre !== undefined) {
      const half = Math.max(Math.abs(at(0.98) - this.centre), Math.abs(at(0.02) - this.centre));
      const width = Math.max(half, 1e-3);
      return { low: this.centre - width, high: this.centre + width };
    }
    const low = at(0) >= 0 ? 0 : at(0.02); // amounts are read from zero
    const high = at(0.98);
    return { low, high: high > low ? high : low + Math.max(1e-12, Math.abs(low) * 1e-3) };
  }
}
