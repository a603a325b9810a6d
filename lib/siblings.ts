/** The time for all isolates to receive the stop signal. */
const heardMs = 250;

interface Word {
  readonly id: string;
  readonly says: "stopping" | "stopped";
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
  #latest: Promise<void> = Promise.resolve();

  constructor() {
    this.#channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if (data.says === "stopping") this.#stopping.add(data.id);
      else this.#stopping.delete(data.id);
      this.#onChange();
    };
  }

  /** Reports that this isolate begins to stop. From now on, it waits at most `waitMs` for the others. */
  stopping(waitMs: number): void {
    this.#latest = later(waitMs);
    this.#say("stopping");
  }

  /** Reports that this isolate has stopped; resolves when the last one has, or after the wait. */
  async stopped(): Promise<void> {
    this.#say("stopped");
    await Promise.race([this.#allStopped(), this.#latest]);
  }

  async #allStopped(): Promise<void> {
    await later(heardMs);
    while (this.#stopping.size > 0) {
      await new Promise<void>((resolve) => this.#onChange = resolve);
    }
  }

  #say(says: Word["says"]): void {
    this.#channel.postMessage({ id: this.#id, says } satisfies Word);
  }
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
