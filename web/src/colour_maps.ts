// Colour maps of even lightness steps, computed in OKLab (Ottosson 2020): a sequential one for
// amounts, a diverging one for ratios around 1. Values are linear sRGB, as the renderer wants them.

const kSize = 256;

export type Rgb = [number, number, number];

// Grey-violet, on neither map: a value that is no number.
export const kNoValue: Rgb = [0.13, 0.06, 0.16];

// Lightness L in [0, 1], chroma C, hue in degrees -> linear sRGB, perhaps outside of [0, 1].
function oklchToLinear(L: number, C: number, hue: number): Rgb {
  const a = C * Math.cos((hue * Math.PI) / 180);
  const b = C * Math.sin((hue * Math.PI) / 180);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

// Takes away chroma, never lightness, until the screen can show the colour.
function showable(L: number, C: number, hue: number): Rgb {
  for (let chroma = C; chroma > 0; chroma -= 0.002) {
    const rgb = oklchToLinear(L, chroma, hue);
    if (rgb.every((v) => v >= 0 && v <= 1)) return rgb;
  }
  return oklchToLinear(L, 0, hue).map((v) => Math.min(1, Math.max(0, v))) as Rgb;
}

function sequentialAt(t: number): Rgb {
  return showable(0.27 + 0.65 * t, 0.11 + 0.05 * t, 305 - 205 * t);
}

function divergingAt(t: number): Rgb {
  const away = Math.abs(2 * t - 1);
  return showable(0.93 - 0.45 * away, 0.17 * away, t < 0.5 ? 255 : 35);
}

// From slate over pale to red, as teran2003 draws activation: what rests is seen on the dark stage.
function excitationAt(t: number): Rgb {
  const pale = 0.35; // where the two hues meet
  return t < pale
    ? showable(0.52 + 0.26 * (t / pale), 0.09 * (1 - t / pale), 250)
    : showable(0.78 - 0.18 * ((t - pale) / (1 - pale)), (0.22 * (t - pale)) / (1 - pale), 33);
}

function table(at: (t: number) => Rgb): Float32Array {
  const out = new Float32Array(3 * kSize);
  for (let i = 0; i < kSize; ++i) out.set(at(i / (kSize - 1)), 3 * i);
  return out;
}

export class ColourMap {
  private readonly table: Float32Array;

  constructor(at: (t: number) => Rgb) {
    this.table = table(at);
  }

  // Writes the colour of each value in [low, high] (clamped) into `out` (num_values x 3).
  fill(values: Float32Array, low: number, high: number, out: Float32Array): void {
    const scale = (kSize - 1) / Math.max(high - low, 1e-30);
    for (let i = 0, o = 0; i < values.length; ++i, o += 3) {
      const x = (values[i]! - low) * scale;
      const known = x === x; // false for NaN only
      const entry = 3 * (x > 0 ? Math.min(kSize - 1, Math.round(x)) : 0);
      out[o] = known ? this.table[entry]! : kNoValue[0];
      out[o + 1] = known ? this.table[entry + 1]! : kNoValue[1];
      out[o + 2] = known ? this.table[entry + 2]! : kNoValue[2];
    }
  }

  // For the legend: a CSS colour.
  css(t: number): string {
    const entry = 3 * Math.round(Math.min(1, Math.max(0, t)) * (kSize - 1));
    const byte = (v: number) =>
      Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
    return `rgb(${[0, 1, 2].map((c) => byte(this.table[entry + c]!)).join(' ')})`;
  }
}

export const sequential = new ColourMap(sequentialAt);
export const diverging = new ColourMap(divergingAt);
export const excitation = new ColourMap(excitationAt);
