// Which frame is shown: the clock of playback, stepping, looping, and following a run's end.

export const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 4];

export class Player {
  playing = false;
  loop = true;
  following = false;
  speed = 1;
  numFrames = 0;
  private position = 0; // in frames, with a fraction

  constructor(
    private readonly frameRate: number,
    private readonly onChange: () => void,
  ) {}

  get frame(): number {
    return Math.min(Math.floor(this.position), Math.max(0, this.numFrames - 1));
  }

  seek(frame: number): void {
    this.position = Math.min(Math.max(0, frame), Math.max(0, this.numFrames - 1));
    this.onChange();
  }

  // A step by hand stops what moves by itself.
  step(frames: number): void {
    this.playing = false;
    this.following = false;
    this.seek(this.frame + frames);
  }

  toggle(): void {
    this.playing = !this.playing;
    this.following = false;
    const atEnd = this.frame >= this.numFrames - 1;
    if (this.playing && atEnd) this.position = 0;
    this.onChange();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.onChange();
  }

  changeSpeed(by: number): void {
    const index = Math.min(Math.max(0, kSpeeds.indexOf(this.speed) + by), kSpeeds.length - 1);
    this.setSpeed(kSpeeds[index]!);
  }

  setFollowing(following: boolean): void {
    this.following = following;
    if (following) {
      this.playing = false;
      this.position = Math.max(0, this.numFrames - 1);
    }
    this.onChange();
  }

  grow(numFrames: number): void {
    this.numFrames = numFrames;
    if (this.following) this.position = Math.max(0, numFrames - 1);
    this.onChange();
  }

  // `seconds` went by; `isLoaded` tells which frames can be shown: the clock waits for the others.
  advance(seconds: number, isLoaded: (frame: number) => boolean): void {
    if (!this.playing || this.numFrames === 0) return;
    const before = this.frame;
    let next = this.position + seconds * this.frameRate * this.speed;
    if (next >= this.numFrames) {
      if (this.loop) {
        next %= this.numFrames;
      } else {
        next = this.numFrames - 1;
        this.playing = false;
      }
    }
    if (!isLoaded(Math.floor(next))) return;
    this.position = next;
    if (this.frame !== before || !this.playing) this.onChange();
  }
}
