// The transport bar under the view: buttons, scrubber, readout, speed, loop and follow.

import { element, fillOptions, setPressed } from './dom';
import { kSpeeds, type Player } from './player';

const kPlayShape = 'M4 2.5v11L13.5 8z';
const kPauseShape = 'M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z';

export class Timeline {
  private readonly play = element<HTMLButtonElement>('play');
  private readonly scrub = element<HTMLInputElement>('scrub');
  private readonly readout = element('readout');
  private readonly speed = element<HTMLSelectElement>('speed');
  private readonly loop = element('loop');
  private readonly follow = element('follow');
  private readonly shape = document.getElementById('play-shape')!;

  constructor(private readonly player: Player) {
    const onClick = (id: string, act: () => void) => element(id).addEventListener('click', act);
    onClick('play', () => player.toggle());
    onClick('first', () => player.step(-Infinity));
    onClick('back', () => player.step(-1));
    onClick('forward', () => player.step(1));
    onClick('last', () => player.step(Infinity));
    onClick('loop', () => this.toggleLoop());
    onClick('follow', () => player.setFollowing(!player.following));
    fillOptions(this.speed, kSpeeds.map((s) => ({ value: String(s), text: `${s}×` })), '1');
    this.speed.addEventListener('change', () => player.setSpeed(Number(this.speed.value)));
    this.scrub.addEventListener('input', () => {
      player.following = false;
      player.seek(Number(this.scrub.value));
    });
  }

  toggleLoop(): void {
    this.player.loop = !this.player.loop;
    setPressed(this.loop, this.player.loop);
  }

  // `time` of the frame, s; `live`: the run is still being written.
  show(time: number, live: boolean): void {
    const { player } = this;
    const last = Math.max(0, player.numFrames - 1);
    this.scrub.max = String(last);
    this.scrub.value = String(player.frame);
    this.scrub.style.setProperty('--done', last > 0 ? `${(100 * player.frame) / last}%` : '0%');
    this.readout.textContent = `${time.toFixed(3)} s   ${player.frame} / ${last}`;
    this.scrub.setAttribute('aria-valuetext', `frame ${player.frame}, ${time.toFixed(3)} seconds`);
    this.speed.value = String(player.speed);
    this.follow.hidden = !live;
    setPressed(this.follow, player.following);
    this.play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    this.shape.setAttribute('d', player.playing ? kPauseShape : kPlayShape);
  }
}
