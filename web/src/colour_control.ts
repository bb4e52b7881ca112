// "Colour by": which field the bodies show, its range, and the legend for it.

import type { BodyFrame, BodyInfo, Field } from './api';
import type { Colouring } from './body_mesh';
import { diverging, excitation, sequential, type ColourMap } from './colour_maps';
import { RangeTracker, type Range } from './colour_range';
import { element, fillOptions } from './dom';
import { label, prettyNumber } from './names';

interface FieldColours {
  field: Field;
  map: ColourMap;
  tracker: RangeTracker;
}

// A ratio of volumes is read against 1; activation goes from rest to red; all else is an amount.
function makeColours(field: Field): FieldColours {
  const isRatio = field.name === 'volume_ratio';
  return {
    field,
    map: isRatio ? diverging : field.name === 'activation' ? excitation : sequential,
    tracker: new RangeTracker(isRatio ? 1 : undefined),
  };
}

export class ColourControl {
  private readonly fields = new Map<string, FieldColours>();
  private readonly by = element<HTMLSelectElement>('colour-by');
  private readonly mode = element<HTMLSelectElement>('range-mode');
  private readonly low = element<HTMLInputElement>('range-low');
  private readonly high = element<HTMLInputElement>('range-high');

  constructor(
    private readonly bodies: BodyInfo[],
    onChange: () => void,
  ) {
    for (const field of bodies.flatMap((body) => body.fields)) {
      if (!this.fields.has(field.name)) this.fields.set(field.name, makeColours(field));
    }
    const options = [...this.fields.values()].map(({ field }) => ({
      value: field.name,
      text: label(field),
    }));
    fillOptions(this.by, [{ value: '', text: 'body' }, ...options], '');
    const changed = () => {
      this.showLegend();
      onChange();
    };
    this.mode.addEventListener('change', changed);
    this.by.addEventListener('change', () => {
      this.mode.value = 'auto'; // a fixed range means nothing for another field
      changed();
    });
    for (const bound of [this.low, this.high]) {
      bound.addEventListener('change', () => {
        this.mode.value = 'fixed';
        changed();
      });
    }
    this.showLegend();
  }

  // Takes note of a fetched frame. Returns whether the shown colours changed by it.
  see(frame: number, bodies: BodyFrame[]): boolean {
    const before = this.range();
    for (const { field, tracker } of this.fields.values()) {
      const values = bodies.flatMap((body, b) => body.fields[this.indexOf(b, field.name)] ?? []);
      tracker.add(frame, values);
    }
    const after = this.range();
    if (before.low === after.low && before.high === after.high) return false;
    this.showLegend();
    return this.current() !== undefined;
  }

  // How body `b` is coloured now; undefined: by its own colour.
  colouring(b: number): Colouring | undefined {
    const colours = this.current();
    const field = colours ? this.indexOf(b, colours.field.name) : -1;
    return colours && field >= 0 ? { field, map: colours.map, range: this.range() } : undefined;
  }

  next(): void {
    this.by.selectedIndex = (this.by.selectedIndex + 1) % this.by.options.length;
    this.by.dispatchEvent(new Event('change'));
  }

  // Draws the legend into a picture, `scale` pixels a CSS pixel.
  drawLegend(context: CanvasRenderingContext2D, scale: number): void {
    const colours = this.current();
    if (!colours) return;
    const [x, y, width, height] = [20 * scale, 44 * scale, 12 * scale, 160 * scale];
    for (let i = 0; i < height; ++i) {
      context.fillStyle = colours.map.css(1 - i / height);
      context.fillRect(x, y + i, width, 1);
    }
    context.fillStyle = '#d7dde4';
    context.font = `${12 * scale}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    context.fillText(label(colours.field), x, y - 16 * scale);
    this.ticks().forEach((tick, i, all) => {
      const at = y + (height * i) / (all.length - 1);
      context.fillText(prettyNumber(tick), x + width + 8 * scale, at);
    });
  }

  private current(): FieldColours | undefined {
    return this.fields.get(this.by.value);
  }

  private indexOf(body: number, field: string): number {
    return this.bodies[body]!.fields.findIndex(({ name }) => name === field);
  }

  private range(): Range {
    const fixed = { low: this.low.valueAsNumber, high: this.high.valueAsNumber };
    if (this.mode.value === 'fixed' && fixed.low < fixed.high) return fixed;
    return this.current()?.tracker.range() ?? { low: 0, high: 1 };
  }

  private ticks(): number[] {
    const { low, high } = this.range();
    return [1, 0.75, 0.5, 0.25, 0].map((t) => low + t * (high - low));
  }

  private showLegend(): void {
    const colours = this.current();
    element('legend').hidden = !colours;
    element('range').hidden = !colours;
    if (!colours) return;
    const range = this.range();
    if (this.mode.value === 'auto') {
      this.low.value = String(Number(range.low.toPrecision(4)));
      this.high.value = String(Number(range.high.toPrecision(4)));
    }
    const isBad = !(this.low.valueAsNumber < this.high.valueAsNumber);
    this.low.setCustomValidity(isBad ? 'the lowest value must be below the highest' : '');
    element('legend-title').textContent = label(colours.field);
    const bar = element<HTMLCanvasElement>('legend-bar');
    const context = bar.getContext('2d')!;
    for (let i = 0; i < bar.height; ++i) {
      context.fillStyle = colours.map.css(1 - i / (bar.height - 1));
      context.fillRect(0, i, 1, 1);
    }
    element('legend-ticks').replaceChildren(
      ...this.ticks().map((tick) => {
        const text = document.createElement('span');
        text.textContent = prettyNumber(tick);
        return text;
      }),
    );
  }
}
