import { concatenated } from "../bytes.ts";
import {
  eventPackBytesMax,
  putEventPacks,
  replaceStoredResponse,
  type StoredResponse,
} from "../store/responses/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";

/** The interval at which events are stored, and so the longest delay of a reader. */
const noteEveryMs = 100;
/** The interval of the heartbeats of a response without events. */
const signEveryMs = 2_000;
/** A response without a heartbeat for this long counts as abandoned. */
export const signOfLifeMs = 30_000;

/**
 * Stores the events and the heartbeat of a running response, so that other isolates can stream it.
 */
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

  /**
   * `onLost` is called if another isolate changed the record: cancelled, deleted or marked as
   * failed.
   */
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

  /**
   * Stores the final record and the last events. Returns false if another isolate ended it first.
   */
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

  /** Stops without a write: the record belongs to another isolate, or storing failed. */
  stop(): void {
    clearInterval(this.#timer);
    this.#isLost = true;
  }

  async #tick(): Promise<void> {
    const isQuiet = this.#waiting.length === 0 &&
      stateOf(this.#response).aliveUntilMs - this.#deps.now() > signOfLifeMs - signEveryMs;
    if (isQuiet || this.#noting || this.#isLost) return;
    this.#noting = this.#note().catch(() => {}); // store error: the next tick retries
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

  /**
   * Stores the pending events as packs. They stay pending until the record's pack count includes
   * them.
   */
  async #putWaiting(): Promise<{ readonly eventPacks: number; readonly count: number }> {
    const from = stateOf(this.#response).eventPacks;
    const count = this.#waiting.length;
    const bytes = concatenated(this.#waiting);
    const packs: Uint8Array<ArrayBuffer>[] = [];
    for (let at = 0; at < bytes.length; at += eventPackBytesMax) {
      packs.push(bytes.slice(at, at + eventPackBytesMax)); // copied: a view would be stored with its whole buffer
    }
    await putEventPacks(this.#deps.store, this.#response, { from, packs });
    return { eventPacks: from + packs.length, count };
  }
}

function stateOf({ background }: StoredResponse) {
  if (background) return background;
  throw new Error("The response is not a background response");
}
