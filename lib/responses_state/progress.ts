import {
  eventPackBytesMax,
  putEventPacks,
  replaceStoredResponse,
  type StoredResponse,
} from "../store/responses/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";

/** How often what was said is noted; for so long a reader may lag behind. */
const noteEveryMs = 100;
/** How often whoever makes a response gives a sign of life where it says nothing. */
const signEveryMs = 2_000;
/** Without one for so long it counts as dead. */
export const signOfLifeMs = 30_000;

/** Notes the events of a running response as they come, so that others can read them, and that somebody still makes it. */
export class Progress {
  readonly #deps: ResponsesDeps;
  readonly #onLost: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #waiting: Uint8Array[] = [];
  #response: StoredResponse;
  #versionstamp: string;
  #bytes = 0;
  #isCut = false;
  #isLost = false;
  #noting: Promise<void> | undefined;

  /** `onLost`: somebody else has changed the record: it was cancelled, deleted or taken for dead. */
  constructor(
    deps: ResponsesDeps,
    { response, versionstamp }: {
      readonly response: StoredResponse;
      readonly versionstamp: string;
    },
    onLost: () => void,
  ) {
    this.#deps = deps;
    this.#response = response;
    this.#versionstamp = versionstamp;
    this.#onLost = onLost;
    this.#timer = setInterval(() => void this.#tick(), noteEveryMs);
  }

  add(event: Uint8Array): void {
    this.#bytes += event.length;
    this.#isCut ||= this.#bytes > this.#deps.settings.eventsBytesMax;
    if (!this.#isCut) this.#waiting.push(event);
  }

  /** Puts the response's end in the record's place, with the last events. False where somebody else was faster. */
  async end(
    ending: Omit<Parameters<typeof replaceStoredResponse>[1], "versionstamp">,
  ): Promise<boolean> {
    clearInterval(this.#timer);
    await this.#noting;
    if (this.#isLost) return false;
    const { eventPacks } = await this.#putWaiting();
    const background = {
      ...stateOf(this.#response),
      eventPacks,
      phase: "ended",
      streamEnded: !this.#isCut,
    } as const;
    const version = await replaceStoredResponse(this.#deps.store, {
      ...ending,
      response: { ...ending.response, background },
      versionstamp: this.#versionstamp,
    });
    return version !== undefined;
  }

  /** Ends without a word, as the record is no longer this one's. */
  stop(): void {
    clearInterval(this.#timer);
    this.#isLost = true;
  }

  async #tick(): Promise<void> {
    const isQuiet = this.#waiting.length === 0 &&
      stateOf(this.#response).aliveUntilMs - this.#deps.now() > signOfLifeMs - signEveryMs;
    if (isQuiet || this.#noting || this.#isLost) return;
    this.#noting = this.#note().catch(() => {}); // the store did not answer: the next note tries again
    await this.#noting;
    this.#noting = undefined;
  }

  async #note(): Promise<void> {
    const { store, now, settings } = this.#deps;
    const { eventPacks, count } = await this.#putWaiting();
    const aliveUntilMs = now() + signOfLifeMs;
    const background = { ...stateOf(this.#response), eventPacks, aliveUntilMs };
    const response = { ...this.#response, background };
    const { retentionMs } = settings;
    const versionstamp = this.#versionstamp;
    const version = await replaceStoredResponse(store, { response, versionstamp, retentionMs });
    if (version === undefined) {
      this.stop();
      return this.#onLost();
    }
    this.#response = response;
    this.#versionstamp = version;
    this.#waiting.splice(0, count);
  }

  /** How many packs there will be, with how many events that wait: they go on waiting until the record counts them. */
  async #putWaiting(): Promise<{ readonly eventPacks: number; readonly count: number }> {
    const from = stateOf(this.#response).eventPacks;
    const count = this.#waiting.length;
    const bytes = joined(this.#waiting);
    const packs: Uint8Array<ArrayBuffer>[] = [];
    for (let at = 0; at < bytes.length; at += eventPackBytesMax) {
      packs.push(bytes.slice(at, at + eventPackBytesMax)); // a view would be stored with all of its buffer
    }
    await putEventPacks(this.#deps.store, this.#response, { from, packs });
    return { eventPacks: from + packs.length, count };
  }
}

function stateOf({ background }: StoredResponse) {
  if (background) return background;
  throw new Error("The response is not made in the background");
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
