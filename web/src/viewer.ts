// The viewer of one recording: ties the player, the frames, the stage and the controls together.

import * as THREE from 'three';

import { getCertificate, type BodyFrame, type Recording, type Topology } from './api';
import { BodyMesh } from './body_mesh';
import { fillGroups, startLooks } from './body_groups';
import { CertificatePlot } from './certificate_plot';
import { ColourControl } from './colour_control';
import { element, fillTerms, setPressed } from './dom';
import { FrameCache } from './frame_cache';
import { prettyNumber } from './names';
import type { BodyLook } from './panel';
import { Player } from './player';
import { Stage } from './stage';
import { Timeline } from './timeline';
import { makeUpright } from './upright';

const kSampledFrames = 6; // for the bounds of a whole recording
const kOpacityOverLines = 0.35; // of muscles, so that the lines inside are seen

export class Viewer {
  readonly player: Player;
  readonly stage: Stage;
  readonly colours: ColourControl;
  readonly timeline: Timeline;
  private readonly plot: CertificatePlot;
  private readonly cache: FrameCache;
  private readonly meshes: BodyMesh[];
  private readonly looks: BodyLook[];
  private readonly upright: THREE.Group;
  private showsLines = false;
  private shown: { frame: number; bodies: BodyFrame[] } | undefined;
  private recolour = false;

  constructor(
    private recording: Recording,
    topologies: Topology[],
    onTrouble: (error: unknown) => void,
  ) {
    this.stage = new Stage(element<HTMLCanvasElement>('canvas'));
    this.looks = startLooks(recording.bodies);
    this.meshes = topologies.map(
      (topology, b) =>
        new BodyMesh(topology, this.looks[b]!.colour, recording.bodies[b]!.kind === 'lines'),
    );
    this.upright = makeUpright(recording.up);
    for (const { mesh } of this.meshes) this.upright.add(mesh);
    this.stage.scene.add(this.upright);
    this.player = new Player(recording.frame_rate, () => this.refresh());
    this.timeline = new Timeline(this.player);
    this.plot = new CertificatePlot(recording.certificate, (frame) => {
      this.player.following = false;
      this.player.seek(frame);
    });
    this.colours = new ColourControl(recording.bodies, () => (this.recolour = true));
    this.cache = new FrameCache(
      recording.bodies,
      (frame, bodies) => {
        if (this.colours.see(frame, bodies)) this.recolour = true;
      },
      onTrouble,
    );
    fillGroups(element('bodies'), recording.bodies, this.looks, (b) => this.applyLook(b));
    element('lines').hidden = !recording.bodies.some(({ kind }) => kind === 'lines');
    element('lines').addEventListener('click', () => this.toggleLines());
  }

  // Muscles let the lines of action inside them through, or hide them.
  toggleLines(): void {
    this.showsLines = !this.showsLines;
    setPressed(element('lines'), this.showsLines);
    this.meshes.forEach((_, b) => this.applyLook(b));
  }

  // The frame on the screen; -1 before there is one.
  get frame(): number {
    return this.shown?.frame ?? -1;
  }

  // Loads what the first picture needs, and looks at it.
  async start(): Promise<void> {
    await this.grow(this.recording);
    const last = this.recording.num_frames - 1;
    const samples = Array.from({ length: kSampledFrames }, (_, i) =>
      Math.round((last * i) / (kSampledFrames - 1)),
    );
    const bounds = new THREE.Box3();
    // Bones rest in frames of their own: what was recorded tells where things are.
    if (last < 0) for (const { mesh } of this.meshes) bounds.expandByObject(mesh);
    for (const frame of last >= 0 ? new Set(samples) : []) {
      for (const body of await this.cache.load(frame)) {
        expand(bounds, body.positions, this.upright.matrixWorld);
      }
    }
    element('grid-note').textContent = `grid ${prettyNumber(this.stage.setBounds(bounds))} m`;
  }

  // The recording as it is now: more frames, or finished.
  async grow(recording: Recording): Promise<void> {
    this.recording = recording;
    if (this.plot.times.length < recording.num_frames) {
      this.plot.append(await getCertificate(this.plot.times.length));
    }
    this.player.grow(recording.num_frames);
    this.showFacts();
  }

  // Once a screen refresh, `seconds` after the one before.
  update(seconds: number): void {
    this.player.advance(seconds, (frame) => this.cache.get(frame) !== undefined);
    const { player } = this;
    if (player.numFrames > 0) this.cache.want(player.frame, player.numFrames, player.loop);
    const bodies = this.cache.get(player.frame);
    if (bodies && this.shown?.frame !== player.frame) this.showFrame(player.frame, bodies);
    else if (this.recolour && this.shown) this.paint(this.shown.bodies);
    this.stage.update();
  }

  // A PNG of the view with its legend and a caption.
  async screenshot(): Promise<void> {
    const picture = this.stage.snapshot();
    const context = picture.getContext('2d')!;
    const scale = Math.min(window.devicePixelRatio, 2);
    this.colours.drawLegend(context, scale);
    context.fillStyle = '#8a949f';
    context.font = `${12 * scale}px system-ui, sans-serif`;
    context.textBaseline = 'bottom';
    const caption = `${this.recording.scene_name}   t = ${this.time().toFixed(3)} s`;
    context.fillText(caption, 20 * scale, picture.height - 14 * scale);
    const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, 'image/png'));
    if (!blob) throw new Error('the browser could not make a PNG of the view');
    const link = document.createElement('a');
    const name = this.recording.scene_name.replaceAll(/[^A-Za-z0-9_-]+/g, '-') || 'scene';
    link.download = `${name}-${String(Math.max(0, this.frame)).padStart(4, '0')}.png`;
    link.href = URL.createObjectURL(blob);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  private time(): number {
    const { frame } = this.player;
    return this.plot.times[frame] ?? frame / this.recording.frame_rate;
  }

  private refresh(): void {
    this.timeline.show(this.time(), !this.recording.finished);
    this.plot.show(this.player.frame);
  }

  private showFrame(frame: number, bodies: BodyFrame[]): void {
    this.shown = { frame, bodies };
    this.recolour = false;
    this.meshes.forEach((mesh, b) => mesh.show(bodies[b]!, this.colours.colouring(b)));
    this.stage.invalidate();
  }

  private paint(bodies: BodyFrame[]): void {
    this.recolour = false;
    this.meshes.forEach((mesh, b) => mesh.colour(bodies[b]!, this.colours.colouring(b)));
    this.stage.invalidate();
  }

  private applyLook(b: number): void {
    const mesh = this.meshes[b]!;
    const look = this.looks[b]!;
    mesh.mesh.visible = look.visible;
    const isOpen = this.showsLines && this.recording.bodies[b]!.kind === 'tissue';
    mesh.setOpacity(isOpen ? Math.min(look.opacity, kOpacityOverLines) : look.opacity);
    mesh.setPlainColour(look.colour);
    this.recolour = true;
    this.stage.invalidate();
  }

  private showFacts(): void {
    const { recording } = this;
    const triangles = recording.bodies.reduce((sum, body) => sum + body.num_triangles, 0);
    fillTerms(element('facts'), [
      ['frames', `${recording.num_frames} of ${recording.planned_frames}`],
      ['frame rate', `${prettyNumber(recording.frame_rate)} / s`],
      ['triangles', triangles.toLocaleString('en')],
      ['written by', `sinew ${recording.version}`],
    ]);
  }
}

// Grows the box by points, turned as they are shown.
function expand(bounds: THREE.Box3, positions: Float32Array, turn: THREE.Matrix4): void {
  const point = new THREE.Vector3();
  for (let i = 0; i < positions.length; i += 3) {
    point.fromArray(positions, i).applyMatrix4(turn);
    // A NaN in a damaged frame must not take the camera away.
    if (Number.isFinite(point.x + point.y + point.z)) bounds.expandByPoint(point);
  }
}
