// Messages on their way: of those about one thing only the newest is sent once the one before has
// arrived, so that a fast hand never makes a queue. Measures the time from a hand's movement to the
// picture that shows it.

import { post, type Message } from './live_api';

const kRemembered = 240; // pictures

export class Sender {
  latencyMs: number | undefined; // of the last message that was seen to be obeyed
  private readonly busy = new Set<string>();
  private readonly next = new Map<string, { message: Message; moved: number }>();
  private readonly drawn: { applied: number; at: number }[] = [];
  private readonly unseen: { number: number; moved: number }[] = [];

  constructor(private readonly onTrouble: (error: unknown) => void) {}

  // `about`: what the message is about; `moved`: when the hand moved, ms as performance.now().
  send(about: string, message: Message, moved = performance.now()): void {
    if (this.busy.has(about)) {
      this.next.set(about, { message, moved });
      return;
    }
    this.busy.add(about);
    post(message)
      .then((number) => number > 0 && this.arrived(number, moved))
      .catch(this.onTrouble)
      .finally(() => {
        this.busy.delete(about);
        const waiting = this.next.get(about);
        this.next.delete(about);
        if (waiting) this.send(about, waiting.message, waiting.moved);
      });
  }

  // A picture of a snapshot is on the screen.
  sawPicture(applied: number, at: number): void {
    this.drawn.push({ applied, at });
    if (this.drawn.length > kRemembered) this.drawn.shift();
    while (this.unseen.length > 0 && this.unseen[0]!.number <= applied) {
      this.latencyMs = at - this.unseen.shift()!.moved;
    }
  }

  // The picture may have come before the answer.
  private arrived(number: number, moved: number): void {
    const seen = this.drawn.find(({ applied }) => applied >= number);
    if (seen) this.latencyMs = seen.at - moved;
    else this.unseen.push({ number, moved });
  }
}
