/** Runs steps one after another, each to its end before the next begins. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(step, step);
    this.#last = result.catch(() => {});
    return result;
  }
}
