// The mesh tool on the page of a model: bricks around one muscle at a time, how many of them, and
// where the levels between them are. Each change is wrapped anew by the server; what it refuses
// changes nothing.

import { element, fillOptions, fillTerms, showTrouble } from './dom';
import { LevelHandles } from './level_handles';
import { getBricks, postBricks, type BrickData, type Model } from './model_api';
import type { ModelPart } from './model_part';
import { prettyNumber } from './names';
import { Newest } from './newest';
import { input } from './panel';
import type { Stage } from './stage';

const kGap = 0.02; // that the page leaves between levels
const kStandard: [number, number, number] = [1, 1, 4];
const kCountIds = ['bricks-a', 'bricks-b', 'bricks-along'];

// What the server was asked for last.
interface Wanted {
  what: 'wrap' | 'save';
  muscle: number;
  counts: number[];
  levels: number[];
}

export class BrickTool {
  private readonly handles: LevelHandles;
  private readonly newest = new Newest(showTrouble);
  private readonly found = new Map<number, BrickData>(); // by muscle
  private readonly saved: boolean[]; // whether the model has them as they are shown
  private readonly asked = new Set<number>();
  private muscle = 0;
  private wanted: Wanted | undefined; // until it was answered
  private sliders: HTMLInputElement[] = []; // of the levels between the first and the last
  private isShown = false;

  constructor(
    stage: Stage,
    private readonly model: Model,
    private readonly parts: ModelPart[],
    private readonly onChange: () => void,
  ) {
    this.saved = model.muscles.map((muscle) => muscle.has_bricks);
    this.handles = new LevelHandles(stage, (level, value) => this.moveLevel(level, value));
    parts[0]?.group.parent?.add(this.handles.group);
    const options = model.muscles.map(({ name }, m) => ({ value: String(m), text: name }));
    fillOptions(element<HTMLSelectElement>('bricks-muscle'), options, '0');
    element('bricks-muscle').addEventListener('change', () => this.select());
    for (const id of kCountIds) element(id).addEventListener('change', () => this.ask('wrap', []));
    element('bricks-auto').addEventListener('click', () => this.ask('wrap', []));
    element('bricks-save').addEventListener('click', () => this.ask('save', this.levels()));
  }

  // Draws the bricks of the muscles that are seen, and handles on those of the chosen one.
  show(shown: boolean): void {
    this.isShown = shown;
    element('bricks-tool').hidden = !shown;
    this.parts.forEach((part, m) => {
      part.showBricks(shown);
      const isWanted = m === this.muscle || part.group.visible;
      if (shown && isWanted && !this.asked.has(m)) this.load(m);
    });
    this.handles.show(shown ? this.found.get(this.muscle) : undefined);
  }

  private select(): void {
    this.setWanted(undefined);
    this.muscle = Number(element<HTMLSelectElement>('bricks-muscle').value);
    const data = this.found.get(this.muscle);
    if (data) this.take(this.muscle, data, this.saved[this.muscle]!);
    else this.onChange();
  }

  // Of a muscle without bricks only what the tool needs is made, where it is the chosen one.
  private load(m: number): void {
    if (!this.model.muscles[m]!.has_bricks && m !== this.muscle) return;
    this.asked.add(m);
    const bricks = this.saved[m] ? getBricks(m) : postBricks('wrap', m, kStandard, []);
    bricks.then((data) => this.take(m, data, this.saved[m]!)).catch(showTrouble);
  }

  private take(m: number, data: BrickData, saved: boolean): void {
    this.found.set(m, data);
    this.saved[m] = saved;
    this.parts[m]!.setBricks(data);
    if (m === this.muscle && !this.wanted) this.fill(data);
    this.onChange();
  }

  private fill(data: BrickData): void {
    kCountIds.forEach((id, a) => (element<HTMLInputElement>(id).value = String(data.counts[a])));
    const inner = data.levels.slice(1, -1);
    if (this.sliders.length !== inner.length) this.makeSliders(inner.length);
    inner.forEach((level, k) => this.setSlider(k, level));
    const saved = this.saved[this.muscle]!;
    element<HTMLButtonElement>('bricks-save').disabled = saved;
    fillTerms(element('bricks-facts'), [
      ['bricks', String(data.counts.reduce((a, b) => a * b))],
      ['smallest Jacobian', `${prettyNumber(Number(data.quality.toPrecision(3)))} × mean`],
      ['volume', `${prettyNumber(Number(data.volume_ratio.toPrecision(3)))} × muscle`],
      ['vertices outside', data.outside === 0 ? 'none' : String(data.outside)],
      ['in the model', saved ? 'yes' : 'not saved'],
    ]);
    element('bricks-toml').textContent = data.toml;
  }

  private makeSliders(count: number): void {
    this.sliders = Array.from({ length: count }, (_, k) => {
      const slider = input('range', `Level ${k + 1}`, 'control');
      Object.assign(slider, { min: '0', max: '1', step: 'any' });
      slider.addEventListener('input', () => this.moveLevel(k + 1, Number(slider.value)));
      return slider;
    });
    element('bricks-levels').replaceChildren(
      ...this.sliders.map((slider) => {
        const row = document.createElement('li');
        row.append(slider);
        return row;
      }),
    );
  }

  private setSlider(k: number, level: number): void {
    const slider = this.sliders[k]!;
    slider.value = String(level);
    slider.style.setProperty('--done', `${100 * level}%`);
  }

  private levels(): number[] {
    return [0, ...this.sliders.map((slider) => Number(slider.value)), 1];
  }

  // Between its neighbours; the others stay.
  private moveLevel(level: number, value: number): void {
    if (this.wanted?.what === 'save') return;
    const levels = this.levels();
    const [low, high] = [levels[level - 1]! + kGap, levels[level + 1]! - kGap];
    if (low > high) return this.fill(this.found.get(this.muscle)!);
    levels[level] = Math.min(high, Math.max(low, value));
    this.setSlider(level - 1, levels[level]!);
    this.ask('wrap', levels);
  }

  // While more is asked for, sliders and numbers are left to the hand.
  private ask(what: 'wrap' | 'save', levels: number[]): void {
    const { muscle } = this;
    const counts = kCountIds.map((id) => Number(element<HTMLInputElement>(id).value));
    const wanted: Wanted = { what, muscle, counts, levels };
    this.setWanted(wanted);
    this.newest.run(`bricks ${muscle}`, async () => {
      try {
        const data = await postBricks(what, muscle, counts, levels);
        if (this.wanted === wanted) this.setWanted(undefined);
        this.take(muscle, data, what === 'save');
        element('trouble').hidden = true;
      } catch (error) {
        showTrouble(error);
        if (this.wanted === wanted) this.showAsBefore();
      }
    });
  }

  // Nothing can be changed until a save was answered: what came after it would take its place.
  private setWanted(wanted: Wanted | undefined): void {
    this.wanted = wanted;
    const tool = element('bricks-tool');
    tool.setAttribute('aria-busy', String(wanted !== undefined));
    tool.inert = wanted?.what === 'save';
  }

  private showAsBefore(): void {
    this.setWanted(undefined);
    const data = this.found.get(this.muscle);
    if (data && this.isShown) this.fill(data);
  }
}
