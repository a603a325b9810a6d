/** Runs asynchronous steps one at a time, in order. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(step, step);
    this.#last = result.catch(() => {});
    return result;
  }
}
