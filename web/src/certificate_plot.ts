// The certificate over time under the timeline: up to three measures or sets of them, a line at the
// current frame, a click to go there.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import type { Certificate, Field } from './api';
import { element, fillOptions } from './dom';
import { prettyNumber } from './names';
import {
  curvesOf,
  favourites,
  isSet,
  kAxisColours,
  listChoices,
  shownAs,
  type Curve,
} from './plot_curves';

const kFont = '11px system-ui, sans-serif';
// How curves of each axis are drawn where there are sets, and the class of their key.
const kDashes = [[], [6, 4], [2, 3]];
const kKeys = ['', 'dashed', 'dotted'];

function axisOf(axis: number): uPlot.Axis {
  return {
    scale: `y${axis}`,
    side: axis === 0 ? 3 : 1,
    stroke: kAxisColours[axis]!,
    font: kFont,
    size: axis === 0 ? 62 : 48,
    gap: 4,
    ticks: { show: false },
    grid: { show: axis === 0, stroke: '#2a3037', width: 1 },
    values: (_, ticks) => ticks.map(prettyNumber),
  };
}

function timeAxis(): uPlot.Axis {
  return {
    stroke: '#8a949f',
    font: kFont,
    size: 26,
    gap: 3,
    ticks: { show: false },
    grid: { stroke: '#242a30', width: 1 },
    values: (_, ticks) => ticks.map((t) => `${prettyNumber(t)} s`),
  };
}

export class CertificatePlot {
  private readonly host = element('plot');
  private readonly legend = element('plot-legend');
  private readonly selects = [
    element<HTMLSelectElement>('plot-first'),
    element<HTMLSelectElement>('plot-second'),
    element<HTMLSelectElement>('plot-third'),
  ] as const;
  private readonly cursor = document.createElement('div');
  private readonly columns: (number | null)[][]; // as shown
  private readonly factors: number[];
  readonly times: number[] = []; // s, of every frame known
  private axes: Curve[][] = []; // of each select's axis
  private plot: uPlot | undefined;
  private frame = 0;

  constructor(
    private readonly fields: Field[],
    private readonly onSeek: (frame: number) => void,
  ) {
    this.columns = fields.map(() => []);
    this.factors = fields.map((field) => shownAs(field).factor);
    this.cursor.className = 'plot-cursor';
    this.fillSelects();
    new ResizeObserver(() => this.plot?.setSize(this.size())).observe(this.host);
    this.build();
  }

  append(certificate: Certificate): void {
    this.add(certificate);
    this.plot?.setData(this.data());
    this.show(this.frame);
  }

  // Draws what was added, the last frame as the present one.
  refresh(): void {
    this.frame = this.times.length - 1;
    this.plot?.setData(this.data());
    this.show(this.frame);
  }

  // Without drawing: for frames that come faster than a plot can be drawn.
  add(certificate: Certificate): void {
    this.times.length = certificate.from;
    this.times.push(...certificate.times);
    certificate.columns.forEach((values, c) => {
      const factor = this.factors[c]!;
      this.columns[c]!.length = certificate.from;
      this.columns[c]!.push(...values.map((v) => (v === null ? null : v * factor)));
    });
  }

  // Forgets all but the last `count` frames, or everything.
  keepLast(count: number): void {
    const extra = Math.max(0, this.times.length - count);
    this.times.splice(0, extra);
    for (const column of this.columns) column.splice(0, extra);
  }

  show(frame: number): void {
    this.frame = frame;
    const time = this.times[frame];
    this.cursor.hidden = time === undefined;
    if (!this.plot || time === undefined) return;
    this.cursor.style.transform = `translateX(${this.plot.valToPos(time, 'x')}px)`;
    const texts = this.curves().map(
      ({ column, unit }) => `${prettyNumber(this.columns[column]![frame])} ${unit}`,
    );
    if (this.hasSets()) {
      this.legend.querySelectorAll('output').forEach((out, i) => (out.textContent = texts[i]!));
    }
    element('plot-values').textContent = this.hasSets() ? '' : texts.join('   ');
  }

  private fillSelects(): void {
    const options = listChoices(this.fields);
    const chosen = favourites(this.fields);
    this.selects.forEach((select, axis) => {
      const nothing = axis > 0 ? [{ value: '', text: 'nothing else' }] : [];
      fillOptions(select, [...nothing, ...options], chosen[axis] ?? '');
      select.addEventListener('change', () => this.build());
    });
  }

  private curves(): Curve[] {
    return this.axes.flat();
  }

  private hasSets(): boolean {
    return this.selects.some(({ value }) => isSet(value));
  }

  private data(): uPlot.AlignedData {
    return [this.times, ...this.curves().map(({ column }) => this.columns[column]!)];
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(120, this.host.clientWidth), height: this.host.clientHeight };
  }

  // Those of the axes to the right are broken where colours alone would not tell.
  private dashOf(axis: number): number[] {
    return this.hasSets() ? kDashes[axis]! : [];
  }

  private build(): void {
    this.plot?.destroy();
    this.axes = [];
    this.selects.forEach(({ value }, axis) => {
      this.axes.push(curvesOf(value, this.fields, axis, this.curves().length));
    });
    this.fillLegend();
    const used = this.axes.flatMap(({ length }, axis) => (length > 0 ? [axis] : []));
    this.plot = new uPlot(
      {
        ...this.size(),
        legend: { show: false },
        padding: [8, used.length > 1 ? 0 : 16, 0, 0],
        scales: { x: { time: false } },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
        axes: [timeAxis(), ...used.map(axisOf)],
        series: [
          {},
          ...this.axes.flatMap((shown, axis) =>
            shown.map(({ name, colour }) => ({
              label: name,
              scale: `y${axis}`,
              stroke: colour,
              width: 1.5,
              dash: this.dashOf(axis),
              points: { show: false },
            })),
          ),
        ],
        hooks: { setSize: [() => this.show(this.frame)] },
      },
      this.data(),
      this.host,
    );
    this.plot.over.append(this.cursor);
    this.plot.over.addEventListener('click', () => this.seekToPointer());
    this.show(this.frame);
  }

  private fillLegend(): void {
    this.legend.hidden = !this.hasSets();
    const rows = this.axes.flatMap((curves, axis) =>
      curves.map(({ name, colour }) => {
        const row = document.createElement('li');
        const key = document.createElement('i');
        key.className = `key ${this.hasSets() ? kKeys[axis] : ''}`;
        key.style.color = colour;
        const text = document.createElement('span');
        text.textContent = name;
        text.title = name;
        row.append(key, text, document.createElement('output'));
        return row;
      }),
    );
    this.legend.replaceChildren(...rows);
  }

  private seekToPointer(): void {
    const index = this.plot?.cursor.idx;
    if (index !== null && index !== undefined) this.onSeek(index);
  }
}
