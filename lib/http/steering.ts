/** The caller's wish to end an answer early, because it has new input for the model. */
export class Steering {
  #isRequested = false;
  #wake = () => {};

  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** Ends the answer at the next safe place; if there is none, at its own end. */
  request(): void {
    this.#isRequested = true;
    this.#wake();
  }

  /** Calls `wake` at the request; replaces the function before it. */
  onRequest(wake: () => void): void {
    this.#wake = wake;
  }
}
