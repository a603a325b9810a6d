/**
 * Work that is of no use to do twice at once: who asks while it runs gets the next run, together
 * with all others who ask meanwhile. So every run begins after it was asked for.
 */
export class SharedRun<Result> {
  #running: Promise<Result> | undefined;
  #next: Promise<Result> | undefined;

  ask(work: () => Promise<Result>): Promise<Result> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#run(work);
    const ended = this.#running.then(() => {}, () => {});
    return this.#next = ended.then(() => {
      this.#next = undefined;
      return this.#run(work);
    });
  }

  #run(work: () => Promise<Result>): Promise<Result> {
    const running = work().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    return this.#running = running;
  }
}
