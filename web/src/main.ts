// The page: opens the recording, runs the screen loop, follows the file while it is written.

import './style.css';

import { getRecording, getTopology, type Recording, type Topology } from './api';
import { element, pause, showTitle, showTrouble } from './dom';
import { connectTop, listenToKeys, openHelp, shortcut } from './keyboard';
import { Viewer } from './viewer';

const kPollLive = 1000; // ms
const kPollFinished = 5000; // ms; a finished run may be replaced by a new one
const kIdle = 60; // s

declare global {
  interface Window {
    sinewView: { ready: boolean; frame: number; numFrames: number };
  }
}
window.sinewView = { ready: false, frame: -1, numFrames: 0 };

function showStatus(recording: Recording): void {
  const status = element('status');
  const isIdle = recording.idle_seconds > kIdle;
  status.hidden = recording.finished;
  status.textContent = isIdle ? 'unfinished' : 'live';
  status.classList.toggle('idle', isIdle);
  status.title = isIdle
    ? 'Nothing was written for a while: the run was interrupted, or a frame takes long'
    : 'The run is being written';
  showTitle(recording.scene_name, 'Sinew');
}

// A file that is just being created, or a server that is being restarted, is worth waiting for.
async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const result = await attempt();
      element('trouble').hidden = true;
      return result;
    } catch (error) {
      showTrouble(error);
      await pause(kPollLive);
    }
  }
}

async function load(): Promise<{ recording: Recording; topologies: Topology[] }> {
  const recording = await getRecording();
  const topologies = await Promise.all(recording.bodies.map((body, b) => getTopology(b, body)));
  return { recording, topologies };
}

function connectControls(viewer: Viewer): void {
  const { player, stage, timeline, bodies } = viewer;
  const save = () => viewer.screenshot().catch(showTrouble);
  const togglePanel = connectTop(() => stage.frameAll(), save);
  listenToKeys([
    shortcut([' '], 'space', 'play or pause', () => player.toggle()),
    shortcut(['ArrowLeft'], '←', 'step back', () => player.step(-1)),
    shortcut(['ArrowRight'], '→', 'step forward', () => player.step(1)),
    shortcut(['Home'], 'Home', 'first frame', () => player.step(-Infinity)),
    shortcut(['End'], 'End', 'last frame', () => player.step(Infinity)),
    shortcut(['['], '[', 'slower', () => player.changeSpeed(-1)),
    shortcut([']'], ']', 'faster', () => player.changeSpeed(1)),
    shortcut(['l', 'L'], 'L', 'loop', () => timeline.toggleLoop()),
    shortcut(['e', 'E'], 'E', 'follow the end of a live run', () =>
      player.setFollowing(!player.following),
    ),
    shortcut(['c', 'C'], 'C', 'colour by the next field', () => bodies.colours.next()),
    shortcut(['a', 'A'], 'A', 'lines of action inside the muscles', () => bodies.toggleLines()),
    shortcut(['f', 'F'], 'F', 'frame everything', () => stage.frameAll()),
    shortcut(['p', 'P'], 'P', 'show or hide the panel', togglePanel),
    shortcut(['s', 'S'], 'S', 'save a screenshot', save),
    shortcut(['?'], '?', 'this help', openHelp),
  ], [['click in plot', 'go to that time']]);
}

function runScreenLoop(viewer: Viewer): void {
  let before = performance.now();
  const tick = (now: number) => {
    // A tab that slept does not jump ahead.
    viewer.update(Math.min(0.25, Math.max(0, now - before) / 1000));
    before = now;
    window.sinewView.frame = viewer.frame;
    window.sinewView.numFrames = viewer.player.numFrames;
    if (viewer.frame >= 0 && !window.sinewView.ready) {
      window.sinewView.ready = true;
      element('loading').hidden = true;
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

async function followFile(viewer: Viewer, first: Recording): Promise<never> {
  let known = first;
  for (;;) {
    await pause(known.finished ? kPollFinished : kPollLive);
    await retrying(async () => {
      const now = await getRecording();
      const isOther = now.generation !== known.generation || now.num_frames < known.num_frames;
      if (isOther) return location.reload();
      known = now;
      showStatus(now);
      await viewer.grow(now);
    });
  }
}

async function main(): Promise<void> {
  const { recording, topologies } = await retrying(load);
  showStatus(recording);
  const viewer = new Viewer(recording, topologies, showTrouble);
  await retrying(() => viewer.start());
  connectControls(viewer);
  if (recording.num_frames === 0) element('loading').textContent = 'Waiting for the first frame …';
  runScreenLoop(viewer);
  await followFile(viewer, recording);
}

main().catch(showTrouble);
