/** The wait before the others are counted: the signal does not reach all isolates at the same time. */
const signalSpreadMs = 250;

interface StopMessage {
  readonly id: string;
  readonly state: "stopping" | "stopped";
}

/**
 * The other isolates of `deno serve --parallel`. Every isolate receives SIGTERM and SIGINT, and the
 * first one to exit would end all of them.
 */
export class Siblings {
  readonly #id = crypto.randomUUID();
  readonly #channel = new BroadcastChannel("tessera stop");
  readonly #stopping = new Set<string>();
  #onChange = () => {};
  #deadline: Promise<void> = Promise.resolve();

  constructor() {
    this.#channel.onmessage = ({ data }: MessageEvent<StopMessage>) => {
      if (data.state === "stopping") this.#stopping.add(data.id);
      else this.#stopping.delete(data.id);
      this.#onChange();
    };
  }

  /** Announces that this isolate is stopping. From now on, it waits at most `waitMs` for the others. */
  announceStop(waitMs: number): void {
    this.#deadline = delay(waitMs);
    this.#post("stopping");
  }

  /** Announces that this isolate has stopped. Resolves when all others have, or after the wait. */
  async finishStop(): Promise<void> {
    this.#post("stopped");
    await Promise.race([this.#allStopped(), this.#deadline]);
  }

  async #allStopped(): Promise<void> {
    await delay(signalSpreadMs);
    while (this.#stopping.size > 0) {
      await new Promise<void>((resolve) => this.#onChange = resolve);
    }
  }

  #post(state: StopMessage["state"]): void {
    this.#channel.postMessage({ id: this.#id, state } satisfies StopMessage);
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
