// The viewer of one recording: ties the player, the frames, the stage and the controls together.

import { getCertificate, type BodyFrame, type Recording, type Topology } from './api';
import { BodySet } from './body_set';
import { CertificatePlot } from './certificate_plot';
import { element, fillTerms } from './dom';
import { FrameCache } from './frame_cache';
import { prettyNumber } from './names';
import { Player } from './player';
import { frameName, saveScreenshot } from './screenshot';
import { Stage } from './stage';
import { Timeline } from './timeline';

const kSampledFrames = 6; // for the bounds of a whole recording

export class Viewer {
  readonly player: Player;
  readonly stage: Stage;
  readonly bodies: BodySet;
  readonly timeline: Timeline;
  private readonly plot: CertificatePlot;
  private readonly cache: FrameCache;
  private shown = -1;

  constructor(
    private recording: Recording,
    topologies: Topology[],
    onTrouble: (error: unknown) => void,
  ) {
    this.stage = new Stage(element<HTMLCanvasElement>('canvas'));
    this.bodies = new BodySet(this.stage, recording.bodies, topologies, recording.up);
    this.player = new Player(recording.frame_rate, () => this.refresh());
    this.timeline = new Timeline(this.player);
    this.plot = new CertificatePlot(recording.certificate, (frame) => {
      this.player.following = false;
      this.player.seek(frame);
    });
    this.cache = new FrameCache(
      recording.bodies,
      (frame, bodies) => this.bodies.see(frame, bodies),
      onTrouble,
    );
  }

  // The frame on the screen; -1 before there is one.
  get frame(): number {
    return this.shown;
  }

  // Loads what the first picture needs, and looks at it.
  async start(): Promise<void> {
    await this.grow(this.recording);
    const last = this.recording.num_frames - 1;
    const samples = Array.from({ length: kSampledFrames }, (_, i) =>
      Math.round((last * i) / (kSampledFrames - 1)),
    );
    const frames: BodyFrame[][] = [];
    for (const frame of last >= 0 ? new Set(samples) : []) frames.push(await this.cache.load(frame));
    this.bodies.frame(frames);
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
    if (bodies && this.shown !== player.frame) {
      this.shown = player.frame;
      this.bodies.show(bodies);
    }
    this.bodies.update();
    this.stage.update();
  }

  screenshot(): Promise<void> {
    const name = this.recording.scene_name;
    const caption = `${name}   t = ${this.time().toFixed(3)} s`;
    const file = frameName(name, Math.max(0, this.frame));
    return saveScreenshot(this.stage, caption, file, this.bodies.drawLegend);
  }

  private time(): number {
    const { frame } = this.player;
    return this.plot.times[frame] ?? frame / this.recording.frame_rate;
  }

  private refresh(): void {
    this.timeline.show(this.time(), !this.recording.finished);
    this.plot.show(this.player.frame);
  }

  private showFacts(): void {
    const { recording } = this;
    const triangles = recording.bodies.reduce((sum, body) => sum + body.num_triangles, 0);
    fillTerms(element('facts'), [
      ['frames', `${recording.num_frames} of ${recording.planned_frames || 'as many as came'}`],
      ['frame rate', `${prettyNumber(recording.frame_rate)} / s`],
      ['triangles', triangles.toLocaleString('en')],
      ['written by', `sinew ${recording.version}`],
    ]);
  }
}
