/**
 * Shares work between concurrent callers. A call during a run joins the next run, so every run
 * starts after its callers requested it.
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
