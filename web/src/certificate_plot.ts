// The certificate over time under the timeline: one or two measures, a line at the current frame,
// a click to go there.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import type { Certificate, Field } from './api';
import { element, fillOptions } from './dom';
import { label, prettyName, prettyNumber, prettyUnit } from './names';

const kColours = ['#e8895c', '#6fb3d2'];
const kFont = '11px system-ui, sans-serif';
const kFavourites = ['min_volume_ratio', 'kinetic_energy'];

function axisOf(series: number): uPlot.Axis {
  return {
    scale: `y${series}`,
    side: series === 0 ? 3 : 1,
    stroke: kColours[series]!,
    font: kFont,
    size: 62,
    gap: 4,
    ticks: { show: false },
    grid: { show: series === 0, stroke: '#2a3037', width: 1 },
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
  private readonly selects = [
    element<HTMLSelectElement>('plot-first'),
    element<HTMLSelectElement>('plot-second'),
  ] as const;
  private readonly cursor = document.createElement('div');
  private readonly columns: (number | null)[][];
  readonly times: number[] = []; // s, of every frame known
  private plot: uPlot | undefined;
  private frame = 0;

  constructor(
    private readonly fields: Field[],
    private readonly onSeek: (frame: number) => void,
  ) {
    this.columns = fields.map(() => []);
    this.cursor.className = 'plot-cursor';
    this.fillSelects();
    new ResizeObserver(() => this.plot?.setSize(this.size())).observe(this.host);
    this.build();
  }

  append(certificate: Certificate): void {
    this.times.length = certificate.from;
    this.times.push(...certificate.times);
    certificate.columns.forEach((values, c) => {
      this.columns[c]!.length = certificate.from;
      this.columns[c]!.push(...values);
    });
    this.plot?.setData(this.data());
    this.show(this.frame);
  }

  show(frame: number): void {
    this.frame = frame;
    const time = this.times[frame];
    this.cursor.hidden = time === undefined;
    if (!this.plot || time === undefined) return;
    this.cursor.style.transform = `translateX(${this.plot.valToPos(time, 'x')}px)`;
    element('plot-values').textContent = this.chosen()
      .map((c) => `${prettyNumber(this.columns[c]![frame])} ${prettyUnit(this.fields[c]!.unit)}`)
      .join('   ');
  }

  private fillSelects(): void {
    const options = this.fields.map((field, c) => ({ value: String(c), text: label(field) }));
    const favourite = (i: number) =>
      String(Math.max(0, this.fields.findIndex(({ name }) => name === kFavourites[i])));
    const [first, second] = this.selects;
    fillOptions(first, options, favourite(0));
    fillOptions(second, [{ value: '', text: 'nothing else' }, ...options], favourite(1));
    if (second.value === first.value) second.value = '';
    for (const select of this.selects) select.addEventListener('change', () => this.build());
  }

  private chosen(): number[] {
    return this.selects.filter(({ value }) => value !== '').map(({ value }) => Number(value));
  }

  private data(): uPlot.AlignedData {
    return [this.times, ...this.chosen().map((c) => this.columns[c]!)];
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(120, this.host.clientWidth), height: this.host.clientHeight };
  }

  private build(): void {
    this.plot?.destroy();
    const chosen = this.chosen();
    this.plot = new uPlot(
      {
        ...this.size(),
        legend: { show: false },
        padding: [8, chosen.length > 1 ? 0 : 16, 0, 0],
        scales: { x: { time: false } },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
        axes: [timeAxis(), ...chosen.map((_, s) => axisOf(s))],
        series: [
          {},
          ...chosen.map((c, s) => ({
            label: prettyName(this.fields[c]!.name),
            scale: `y${s}`,
            stroke: kColours[s]!,
            width: 1.5,
            points: { show: false },
          })),
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

  private seekToPointer(): void {
    const index = this.plot?.cursor.idx;
    if (index !== null && index !== undefined) this.onSeek(index);
  }
}
