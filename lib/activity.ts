/**
 * A step of an interval; `isResumed` is true for the first one after a pause. `afterPause` waits for
 * a promise of that one.
 */
type Step = (isResumed: boolean) => void | Promise<void>;

const usualLingerMs = 10_000;
/** Longer than a step takes in a store that answers, and short beside a call. */
const waitMs = 500;

/**
 * The requests of this isolate, as far as its periodic work depends on them: intervals pause while
 * there are none, so that an idle isolate costs nothing.
 */
export class Activity {
  readonly #lingerMs: number;
  readonly #paused = new Set<() => void | Promise<void>>();
  #lastMs = performance.now();
  /** Requests in progress. */
  #open = 0;
  #resumed: Promise<void> | undefined;
  readonly #end = () => {
    this.#open--;
    this.note();
  };

  /** `lingerMs`: the time from the end of the last request to the pause. */
  constructor(lingerMs: number = usualLingerMs) {
    this.#lingerMs = lingerMs;
  }

  /** Notes a request until it has completed, and resumes all intervals. */
  noteRequest(completed: Promise<unknown>): void {
    this.#open++;
    if (this.#paused.size > 0) this.#resume();
    completed.then(this.#end, this.#end); // rejects if the caller has disconnected
  }

  /** Notes work other than a request, and resumes all intervals. */
  note(): void {
    this.#lastMs = performance.now();
    if (this.#paused.size > 0) this.#resume();
  }

  /**
   * Answers a request by what the intervals keep up to date: at once, but after a pause behind the
   * first steps, for which it waits at most half a second.
   */
  afterPause<Answer>(answer: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    return this.#resumed?.then(answer) ?? answer();
  }

  /**
   * Takes a step at intervals while there are requests or `isNeeded` returns true, and one at the
   * first request after a pause. Does not keep the process alive. Returns the function that stops it.
   */
  every(ms: number, step: Step, isNeeded: () => boolean = () => false): () => void {
    const pass = () => {
      void step(false);
      if (isStopped || this.#isRecent() || isNeeded()) return;
      clearInterval(timer);
      this.#paused.add(resume);
    };
    const resume = () => {
      timer = started(pass, ms);
      return step(true);
    };
    let timer = started(pass, ms);
    let isStopped = false;
    return () => {
      isStopped = true;
      clearInterval(timer);
      this.#paused.delete(resume);
    };
  }

  #resume(): void {
    const paused = [...this.#paused];
    this.#paused.clear();
    const first = paused.map((resume) => resume()).filter((step) => step !== undefined);
    if (first.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      clearTimeout(timer);
      if (this.#resumed === promise) this.#resumed = undefined;
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    this.#resumed = promise;
    void Promise.allSettled(first).then(end);
  }

  #isRecent(): boolean {
    return this.#open > 0 || performance.now() - this.#lastMs < this.#lingerMs;
  }
}

function started(pass: () => void, ms: number): ReturnType<typeof setInterval> {
  const timer = setInterval(pass, ms);
  Deno.unrefTimer(timer);
  return timer;
}
