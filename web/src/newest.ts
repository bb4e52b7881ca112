// Work of which only the newest counts: what comes while some is under way waits, and of what waits
// only the last is done. So a fast hand never makes a queue.

export class Newest {
  private readonly busy = new Set<string>();
  private readonly next = new Map<string, () => Promise<void>>();

  constructor(private readonly onTrouble: (error: unknown) => void) {}

  // `about`: what the work is about; other things do not wait for it.
  run(about: string, work: () => Promise<void>): void {
    if (this.busy.has(about)) {
      this.next.set(about, work);
      return;
    }
    this.busy.add(about);
    work()
      .catch(this.onTrouble)
      .finally(() => {
        this.busy.delete(about);
        const waiting = this.next.get(about);
        this.next.delete(about);
        if (waiting) this.run(about, waiting);
      });
  }
}
