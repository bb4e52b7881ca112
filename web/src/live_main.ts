// The page of a live session: listens, draws the newest snapshot once a screen refresh, and sends
// what hands do.

import './style.css';

import { getTopology } from './api';
import { BodySet } from './body_set';
import { CertificatePlot } from './certificate_plot';
import { element, fillTerms, pause, setPressed, showTitle, showTrouble } from './dom';
import { Hand, PullLines } from './hand';
import { connectTop, listenToKeys, openHelp, shortcut } from './keyboard';
import { getLive, listen, type LiveInfo, type Snapshot } from './live_api';
import { prettyNumber } from './names';
import { frameName, saveScreenshot } from './screenshot';
import { Sender, type Picture, type Split } from './sender';
import { Sliders } from './sliders';
import { Stage } from './stage';

const kRetry = 1000; // ms
const kPlotted = 20; // s of the plot
const kSlowly = 100; // ms between updates of the plot and of figures
// Where the processor draws, pictures take it from the simulation and from other pages. So a page
// that nobody steers rests after each, this many times as long as it took; figures wait longer too.
const kRest = 3;
const kVerySlowly = 400; // ms
const kSteered = 1000; // ms since a hand moved
const kPauseShape = 'M4 3h3v10H4zM9 3h3v10H9z';
const kPlayShape = 'M4 2.5v11L13.5 8z';

declare global {
  interface Window {
    sinewLive: {
      connected: boolean;
      page: number;
      frame: number; // on the screen
      applied: number;
      time: number;
      paused: boolean;
      pictures: number; // drawn
      pulls: number; // hands on it, this page's and others'
      latencyMs: number | undefined;
      split: Split | undefined; // where that time went
    };
  }
}
window.sinewLive = {
  connected: false, page: -1, frame: -1, applied: 0, time: 0, paused: false, pictures: 0, pulls: 0,
  latencyMs: undefined, split: undefined,
};

function describeSplit(split: Split | undefined): string {
  if (!split) return '–';
  const { answer, frame, wait, draw } = split;
  return `${[answer, frame, wait, draw].map((ms) => ms.toFixed(0)).join(' + ')} ms`;
}

class LivePage {
  private readonly sender = new Sender(showTrouble);
  private readonly plot: CertificatePlot;
  private readonly sliders: Sliders;
  private readonly pullLines: PullLines;
  private newest: Snapshot | undefined;
  private shown: Snapshot | undefined;
  private unseen: Omit<Picture, 'at'> | undefined; // drawn, but not yet on the screen
  private receivedAt = 0; // ms, of the newest
  private slowAt = 0;
  private restsUntil = 0; // ms: no picture before
  private handAt = -Infinity; // ms, when one moved last
  private owes = false; // whether the server waits for word that the newest arrived
  private page = -1;
  private received = 0; // snapshots of this stream

  constructor(
    private readonly info: LiveInfo,
    private readonly stage: Stage,
    private readonly bodies: BodySet,
  ) {
    this.plot = new CertificatePlot(info.certificate, () => undefined);
    this.sliders = new Sliders(element('controls'), info.controls, (control, value, at) => {
      this.sender.send(`control ${control}`, { do: 'set', control, value }, at);
      this.moved();
    });
    this.pullLines = new PullLines(bodies);
    new Hand(stage, bodies, info.bodies, {
      onPull: (body, vertex, target, at) => {
        const message = { do: 'pull', page: this.page, body, vertex, target } as const;
        this.sender.send('pull', message, at);
        this.moved();
      },
      onRelease: () => this.sender.send('pull', { do: 'release', page: this.page }),
    });
    bodies.frameBox(...info.bounds);
    this.connect();
  }

  greet(page: number): void {
    if (page === this.page) return; // a sign of life
    this.page = window.sinewLive.page = page;
    this.received = 0;
    window.sinewLive.connected = true;
    element('trouble').hidden = true;
  }

  take(snapshot: Snapshot): void {
    const isNew = snapshot.frame !== this.newest?.frame;
    if (this.newest && snapshot.time < this.newest.time) this.plot.keepLast(0);
    ++this.received;
    this.newest = snapshot;
    this.receivedAt = performance.now();
    this.owes = true;
    if (!this.rests()) this.saySeen();
    if (!isNew) return;
    const columns = snapshot.certificate.map((value) => [value]);
    this.plot.keepLast(Math.round(kPlotted * this.info.frame_rate));
    this.plot.add({ from: this.plot.times.length, times: [snapshot.time], columns });
  }

  // The server sends the next snapshot only then: nothing grows old on the way, and what is drawn
  // is the newest even where drawing takes long.
  private saySeen(): void {
    if (!this.owes) return;
    this.owes = false;
    this.sender.send('seen', { do: 'seen', page: this.page, messages: this.received });
  }

  private rests(): boolean {
    return performance.now() < this.restsUntil;
  }

  private moved(): void {
    this.handAt = performance.now();
    this.restsUntil = 0;
    this.saySeen();
  }

  // A picture took so long, ms.
  private rest(took: number): void {
    const isSteered = performance.now() - this.handAt < kSteered;
    if (this.stage.economical && !isSteered) this.restsUntil = performance.now() + kRest * took;
  }

  lose(): void {
    window.sinewLive.connected = false;
    const status = element('status');
    status.textContent = 'disconnected';
    status.classList.add('idle');
  }

  // Once a screen refresh.
  update(now: number): void {
    if (this.unseen) {
      this.sender.sawPicture({ ...this.unseen, at: now });
      this.rest(now - this.unseen.drawn);
    }
    this.unseen = undefined;
    window.sinewLive.latencyMs = this.sender.latencyMs;
    window.sinewLive.split = this.sender.split;
    const snapshot = this.newest;
    // After a rest what is here is old: a newer one is fetched before it is drawn.
    if (this.owes && !this.rests()) {
      this.saySeen();
    } else if (snapshot && snapshot !== this.shown && !this.rests()) {
      this.draw(snapshot);
      this.unseen = { applied: snapshot.applied, received: this.receivedAt, drawn: performance.now() };
    }
    if (snapshot && now - this.slowAt > (this.stage.economical ? kVerySlowly : kSlowly)) {
      this.slowAt = now;
      this.showFigures(snapshot);
    }
    this.bodies.update();
    this.stage.update();
  }

  private draw(snapshot: Snapshot): void {
    this.shown = snapshot;
    this.bodies.show(snapshot.bodies);
    this.pullLines.show(snapshot.pulls);
    this.sliders.show(snapshot.controls);
    const isLive = window.sinewLive;
    Object.assign(isLive, {
      frame: snapshot.frame,
      applied: snapshot.applied,
      time: snapshot.time,
      paused: snapshot.paused,
      pictures: isLive.pictures + 1,
      pulls: snapshot.pulls.length,
    });
    element('loading').hidden = true;
    document.body.dataset.ready = 'true';
  }

  private showFigures(snapshot: Snapshot): void {
    this.bodies.see(snapshot.frame, snapshot.bodies);
    this.plot.refresh();
    element('readout').textContent = `${snapshot.time.toFixed(2)} s`;
    this.showState(snapshot);
    const speed = snapshot.paused ? '' : `${snapshot.real_time.toFixed(2)} × real time`;
    const latency = this.sender.latencyMs;
    element('rates').textContent = [
      speed,
      `${prettyNumber(Math.round(snapshot.steps_per_second))} steps/s`,
      latency === undefined ? '' : `${Math.round(latency)} ms from hand to picture`,
    ].filter(Boolean).join('  ·  ');
    fillTerms(element('facts'), [
      ['frames', `${prettyNumber(Math.round(snapshot.frames_per_second))} / s`],
      ['steps', `${prettyNumber(Math.round(snapshot.steps_per_second))} / s`],
      ['speed', `${snapshot.real_time.toFixed(2)} × real time`],
      ['answer of the server', `${snapshot.latency_ms.toFixed(0)} ms`],
      ['hand to picture', latency === undefined ? '–' : `${latency.toFixed(0)} ms`],
      ['answer, frame, wait, draw', describeSplit(this.sender.split)],
      ['written by', `sinew ${this.info.version}`],
    ]);
  }

  private showState(snapshot: Snapshot): void {
    const status = element('status');
    status.textContent = !window.sinewLive.connected
      ? 'disconnected'
      : snapshot.paused
        ? 'paused'
        : snapshot.real_time > 0 && snapshot.real_time < 0.9 ? 'slower than real time' : 'live';
    status.classList.toggle('idle', snapshot.paused || !window.sinewLive.connected);
    element('pause').setAttribute('aria-label', snapshot.paused ? 'Go on' : 'Pause');
    element('pause-shape').setAttribute('d', snapshot.paused ? kPlayShape : kPauseShape);
    element<HTMLButtonElement>('step').disabled = !snapshot.paused;
    setPressed(element('record'), snapshot.recording !== '');
    element('recording').textContent = snapshot.recording === ''
      ? ''
      : `${snapshot.recording}: ${snapshot.recorded_frames} frames`;
    if (snapshot.trouble !== '') showTrouble(snapshot.trouble);
    else if (window.sinewLive.connected) element('trouble').hidden = true;
  }

  private connect(): void {
    const { sender } = this;
    const togglePause = () =>
      sender.send('run', { do: this.newest?.paused ? 'resume' : 'pause' });
    const step = () => sender.send('step', { do: 'step', frames: 1 });
    const restart = () => sender.send('run', { do: 'restart' });
    const record = () =>
      sender.send('record', { do: this.newest?.recording ? 'end-recording' : 'record' });
    const save = () => {
      const { scene_name: name } = this.info;
      const caption = `${name}   t = ${(this.shown?.time ?? 0).toFixed(3)} s`;
      const file = frameName(name, this.shown?.frame ?? 0);
      saveScreenshot(this.stage, caption, file, this.bodies.drawLegend).catch(showTrouble);
    };
    const frameAll = () => this.stage.frameAll();
    const togglePanel = connectTop(frameAll, save);
    for (const [id, act] of Object.entries({ pause: togglePause, step, restart, record })) {
      element(id).addEventListener('click', act);
    }
    listenToKeys([
      shortcut([' '], 'space', 'pause or go on', togglePause),
      shortcut(['ArrowRight'], '→', 'one frame while paused', step),
      shortcut(['r', 'R'], 'R', 'restart', restart),
      shortcut(['e', 'E'], 'E', 'record', record),
      shortcut(['c', 'C'], 'C', 'colour by the next field', () => this.bodies.colours.next()),
      shortcut(['a', 'A'], 'A', 'lines of action inside the muscles', () => this.bodies.toggleLines()),
      shortcut(['f', 'F'], 'F', 'frame everything', frameAll),
      shortcut(['p', 'P'], 'P', 'show or hide the panel', togglePanel),
      shortcut(['s', 'S'], 'S', 'save a screenshot', save),
      shortcut(['?'], '?', 'this help', openHelp),
    ], [['drag a body', 'pull at it (Alt + drag: turn)']]);
  }
}

async function open(): Promise<{ page: LivePage; info: LiveInfo }> {
  const info = await getLive();
  const topologies = await Promise.all(info.bodies.map((body, b) => getTopology(b, body)));
  showTitle(info.scene_name, 'Sinew live');
  const stage = new Stage(element<HTMLCanvasElement>('canvas'), true);
  const bodies = new BodySet(stage, info.bodies, topologies, info.up);
  return { page: new LivePage(info, stage, bodies), info };
}

// A session that ended may come back, as this one or as another.
async function follow(page: LivePage, info: LiveInfo): Promise<never> {
  for (;;) {
    try {
      if ((await getLive()).session !== info.session) location.reload();
      await listen(info.bodies, (id) => page.greet(id), (snapshot) => page.take(snapshot));
    } catch (error) {
      page.lose();
      showTrouble(error);
    }
    await pause(kRetry);
  }
}

async function main(): Promise<void> {
  element('status').hidden = false;
  element('status').textContent = 'connecting';
  const { page, info } = await open();
  const tick = (now: number) => {
    page.update(now);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  await follow(page, info);
}

main().catch(showTrouble);
