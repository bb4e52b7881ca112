// A slider for each control of a live session. It follows what the session says, also what other
// pages set, unless a hand is on it.

import type { Control } from './live_api';
import { prettyName, prettyNumber, prettyUnit } from './names';
import { input } from './panel';

const kPositions = 1000;
const kHandLeft = 600; // ms after the last movement

// Between a slider's position in [0, 1] and the control's value.
export function valueAt(control: Control, position: number): number {
  const { low, high } = control;
  const value = control.logarithmic
    ? low * (high / low) ** position
    : low + position * (high - low);
  return Math.min(high, Math.max(low, control.whole ? Math.round(value) : value));
}

export function positionOf(control: Control, value: number): number {
  const { low, high } = control;
  if (high === low) return 0;
  return control.logarithmic
    ? Math.log(value / low) / Math.log(high / low)
    : (value - low) / (high - low);
}

class Slider {
  readonly row = document.createElement('li');
  private readonly range: HTMLInputElement;
  private readonly output = document.createElement('output');
  private movedAt = -Infinity;

  constructor(
    private readonly control: Control,
    onMove: (value: number, at: number) => void,
  ) {
    const name = document.createElement('span');
    name.className = 'body-name';
    name.textContent = prettyName(control.name);
    name.title = control.name;
    this.range = input('range', control.name, 'control');
    Object.assign(this.range, { min: '0', max: String(kPositions), step: 'any' });
    this.range.addEventListener('input', (event) => {
      this.movedAt = performance.now();
      const value = valueAt(control, Number(this.range.value) / kPositions);
      this.write(value);
      onMove(value, event.timeStamp);
    });
    this.row.append(name, this.output, this.range);
    this.show(control.value);
  }

  show(value: number): void {
    if (performance.now() - this.movedAt < kHandLeft) return;
    const position = String(kPositions * positionOf(this.control, value));
    if (this.range.value !== position) this.range.value = position;
    this.write(value);
  }

  private write(value: number): void {
    const text = `${prettyNumber(Number(value.toPrecision(3)))} ${prettyUnit(this.control.unit)}`;
    if (this.output.textContent !== text) this.output.textContent = text;
    const done = `${100 * positionOf(this.control, value)}%`;
    this.range.style.setProperty('--done', done);
  }
}

export class Sliders {
  private readonly sliders: Slider[];

  constructor(
    list: HTMLElement,
    controls: Control[],
    onMove: (control: number, value: number, at: number) => void,
  ) {
    this.sliders = controls.map(
      (control, c) => new Slider(control, (value, at) => onMove(c, value, at)),
    );
    list.replaceChildren(...this.sliders.map(({ row }) => row));
  }

  show(values: number[]): void {
    this.sliders.forEach((slider, c) => slider.show(values[c]!));
  }
}
