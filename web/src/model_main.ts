// The page of a built model: parts, tissue and ends, activation regions, fibres, lattice and bricks.

import './style.css';

import * as THREE from 'three';

import { paletteColour } from './body_mesh';
import { BrickTool } from './brick_tool';
import { element, fillTerms, setPressed, showTitle, showTrouble } from './dom';
import { connectTop, listenToKeys, openHelp, shortcut } from './keyboard';
import {
  getLattice,
  getModel,
  getMuscle,
  getTissue,
  type EndInfo,
  type Model,
  type MuscleInfo,
} from './model_api';
import { ModelPart, kTissueColours, type ColourBy } from './model_part';
import { prettyNumber } from './names';
import { fillBodies, type BodyLook } from './panel';
import { saveScreenshot } from './screenshot';
import { Stage } from './stage';
import { makeUpright } from './upright';

const kOpacities = { bone: 1, cartilage: 0.8, ligament: 0.8, fat: 0.12 };

function describeEnd(end: EndInfo): string {
  const where = end.sibling ? `${end.sibling} (beside ${end.bone})` : end.bone || 'none';
  return `${where}, ${prettyNumber(1e4 * end.area)} cm²`;
}

class ModelPage {
  private readonly stage = new Stage(element<HTMLCanvasElement>('canvas'));
  private readonly upright = makeUpright('z'); // as patients stand
  private readonly muscles: ModelPart[] = [];
  private readonly tissues: ModelPart[] = [];
  private readonly muscleLooks: BodyLook[];
  private readonly tissueLooks: BodyLook[];
  private bricks: BrickTool | undefined;
  private chosen = 0;

  constructor(private readonly model: Model) {
    this.muscleLooks = model.muscles.map((_, m) => ({
      visible: true,
      opacity: 1,
      colour: paletteColour(m),
    }));
    this.tissueLooks = model.tissues.map((tissue) => ({
      visible: tissue.kind !== 'fat',
      opacity: kOpacities[tissue.kind],
      colour: '#cecabe',
    }));
    this.stage.scene.add(this.upright);
  }

  async load(): Promise<void> {
    const { model } = this;
    const tissues = await Promise.all(model.tissues.map((info, i) => getTissue(i, info)));
    const muscles = await Promise.all(model.muscles.map((info, i) => getMuscle(i, info)));
    for (const data of tissues) this.tissues.push(new ModelPart(data, undefined));
    for (const data of muscles) this.muscles.push(new ModelPart(data, data));
    for (const part of [...this.tissues, ...this.muscles]) this.upright.add(part.group);
    // On the floor, in the middle.
    const bounds = new THREE.Box3().setFromObject(this.upright);
    const centre = bounds.getCenter(new THREE.Vector3());
    this.upright.position.set(-centre.x, -bounds.min.y, -centre.z);
    this.upright.updateMatrixWorld(true);
    const spacing = this.stage.setBounds(new THREE.Box3().setFromObject(this.upright));
    element('grid-note').textContent = `grid ${prettyNumber(spacing)} m`;
  }

  connect(): void {
    this.bricks = new BrickTool(this.stage, this.model, this.muscles, () => this.refresh());
    fillBodies(element('muscles'), this.model.muscles, this.muscleLooks, (m) => this.choose(m));
    fillBodies(element('tissues'), this.model.tissues, this.tissueLooks, () => this.refresh());
    element('muscles').querySelectorAll('li').forEach((row, m) => {
      row.addEventListener('pointerenter', () => this.choose(m));
    });
    element('colour-by').addEventListener('change', () => this.refresh());
    const frameAll = () => this.stage.frameAll();
    const save = () =>
      saveScreenshot(this.stage, this.model.name, this.model.name).catch(showTrouble);
    const togglePanel = connectTop(frameAll, save);
    const toggle = (id: string) => {
      const button = element(id);
      setPressed(button, !this.isOn(id));
      this.refresh();
    };
    for (const id of ['fibres', 'lattice', 'bricks', 'solo']) {
      element(id).addEventListener('click', () => toggle(id));
    }
    listenToKeys([
      shortcut(['i', 'I'], 'I', 'fibres', () => toggle('fibres')),
      shortcut(['l', 'L'], 'L', 'lattice', () => toggle('lattice')),
      shortcut(['b', 'B'], 'B', 'bricks and their tool', () => toggle('bricks')),
      shortcut(['o', 'O'], 'O', 'only the chosen muscle', () => toggle('solo')),
      shortcut(['f', 'F'], 'F', 'frame everything', frameAll),
      shortcut(['p', 'P'], 'P', 'show or hide the panel', togglePanel),
      shortcut(['s', 'S'], 'S', 'save a screenshot', save),
      shortcut(['?'], '?', 'this help', openHelp),
    ], [['drag a yellow ball', 'move a level of the bricks']]);
  }

  refresh(): void {
    const by = element<HTMLSelectElement>('colour-by').value as ColourBy;
    const bone = kTissueColours.find(([name]) => name === 'bone')![1];
    this.tissues.forEach((part, i) => {
      const look = this.tissueLooks[i]!;
      part.group.visible = look.visible;
      part.setOpacity(look.opacity);
      part.paint('part', by === 'part' ? look.colour : bone);
    });
    this.muscles.forEach((part, m) => {
      const look = this.muscleLooks[m]!;
      part.group.visible = look.visible && (!this.isOn('solo') || m === this.chosen);
      // What is inside: the surface lets it through.
      const isOpen = ['fibres', 'lattice', 'bricks'].some((id) => this.isOn(id));
      part.setOpacity(isOpen ? Math.min(look.opacity, 0.45) : look.opacity);
      part.paint(by, look.colour);
      part.showFibres(this.isOn('fibres'));
      part.showLattice(this.isOn('lattice'));
      if (this.isOn('lattice') && part.group.visible && !part.hasLattice) this.loadLattice(m);
    });
    this.bricks?.show(this.isOn('bricks'));
    element('key').hidden = by !== 'tissue';
    this.stage.invalidate();
  }

  update(): void {
    this.stage.update();
  }

  private isOn(id: string): boolean {
    return element(id).getAttribute('aria-pressed') === 'true';
  }

  private loadLattice(m: number): void {
    getLattice(m, this.model.muscles[m]!)
      .then((data) => {
        if (!this.muscles[m]!.hasLattice) this.muscles[m]!.addLattice(data);
        this.refresh();
      })
      .catch(showTrouble);
  }

  private choose(m: number): void {
    this.chosen = m;
    this.showFacts(this.model.muscles[m]!);
    this.refresh();
  }

  private showFacts(muscle: MuscleInfo): void {
    fillTerms(element('facts'), [
      ['muscle', muscle.name],
      ['origin', describeEnd(muscle.origin)],
      ['insertion', describeEnd(muscle.insertion)],
      ['regions', muscle.regions.join(', ')],
      ['tetrahedra', String(muscle.num_tets)],
      ['nodes', String(muscle.num_nodes)],
      ['surface', `${muscle.num_triangles} triangles`],
    ]);
  }
}

function fillKey(): void {
  element('key').replaceChildren(
    ...kTissueColours.map(([name, colour]) => {
      const row = document.createElement('li');
      const swatch = document.createElement('i');
      swatch.style.background = colour;
      row.append(swatch, name);
      return row;
    }),
  );
}

async function main(): Promise<void> {
  const model = await getModel();
  showTitle(model.name, 'Sinew');
  const page = new ModelPage(model);
  fillKey();
  await page.load();
  page.connect();
  page.refresh();
  element('loading').hidden = true;
  document.body.dataset.ready = 'true';
  const tick = () => {
    page.update();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

main().catch(showTrouble);
