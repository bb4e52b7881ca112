// Messages on their way: of those about one thing only the newest is sent once the one before has
// arrived. Measures the time from a hand's movement to the picture that shows it.

import { post, type Message } from './live_api';
import { Newest } from './newest';

const kRemembered = 240; // pictures

// When a picture's snapshot arrived, when it was drawn and when that was on the screen, ms.
export interface Picture {
  applied: number;
  received: number;
  drawn: number;
  at: number;
}

// Where the time from hand to picture went, ms.
export interface Split {
  answer: number; // until the server had the message and said so
  frame: number; // until a snapshot that obeys it was here
  wait: number; // until the page drew it
  draw: number; // until the next screen refresh after that
  stale: number; // pictures whose snapshots came after the answer and did not obey yet
}

interface Sent {
  number: number;
  moved: number;
  answered: number;
}

export class Sender {
  latencyMs: number | undefined; // of the last message that was seen to be obeyed
  split: Split | undefined; // of that
  private readonly newest: Newest;
  private readonly drawn: Picture[] = [];
  private readonly unseen: Sent[] = [];

  constructor(onTrouble: (error: unknown) => void) {
    this.newest = new Newest(onTrouble);
  }

  // `about`: what the message is about; `moved`: when the hand moved, ms as performance.now().
  send(about: string, message: Message, moved = performance.now()): void {
    this.newest.run(about, async () => {
      const number = await post(message);
      if (number > 0) this.arrived({ number, moved, answered: performance.now() });
    });
  }

  // A picture of a snapshot is on the screen.
  sawPicture(picture: Picture): void {
    this.drawn.push(picture);
    if (this.drawn.length > kRemembered) this.drawn.shift();
    while (this.unseen.length > 0 && this.unseen[0]!.number <= picture.applied) {
      this.measure(this.unseen.shift()!, picture);
    }
  }

  // The picture may have come before the answer.
  private arrived(sent: Sent): void {
    const seen = this.drawn.find(({ applied }) => applied >= sent.number);
    if (seen) this.measure(sent, seen);
    else this.unseen.push(sent);
  }

  private measure(sent: Sent, picture: Picture): void {
    this.latencyMs = picture.at - sent.moved;
    const answered = Math.min(sent.answered, picture.received);
    this.split = {
      answer: answered - sent.moved,
      frame: picture.received - answered,
      wait: picture.drawn - picture.received,
      draw: picture.at - picture.drawn,
      stale: this.drawn.filter((p) => p.received > sent.answered && p.applied < sent.number).length,
    };
  }
}
