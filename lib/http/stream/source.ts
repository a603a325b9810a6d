import { GatewayError } from "../../canonical/mod.ts";
import { within } from "../timers.ts";

/** The source of a streamed answer. */
export interface Source<T> {
  /** The next item; undefined at the end. Throws a `GatewayError` if the upstream failed. */
  read(): Promise<T | undefined>;
  /** Aborts the upstream's work. */
  cancel(reason: GatewayError): void;
  /**
   * Leaves a complete answer; called once. Reads its end, within bounds, so that the connection can
   * carry another call.
   */
  release(): void;
}

/** The reason to cancel what is left of an answer: one for all, as each error notes its stack. */
export const answerComplete = new GatewayError("client_closed", "The response is complete");

/**
 * Reads a source until its answer's tail is over: the events after a stated end, such as usage. Its
 * time is limited in total, because some upstreams then send keep-alives and never close (2026-09);
 * time that a slow caller takes between the reads does not count.
 */
export class TailedReading {
  #leftMs: number;

  constructor(tailMs: number) {
    this.#leftMs = tailMs;
  }

  /** The next item; undefined at the source's end, or once the tail is over. */
  next<T>(source: Source<T>, isFinished: boolean): Promise<T | undefined> {
    return isFinished ? this.#nextInTail(source) : source.read();
  }

  async #nextInTail<T>(source: Source<T>): Promise<T | undefined> {
    if (this.#leftMs <= 0) return undefined;
    const startedAt = performance.now();
    const item = await within(this.#leftMs, source.read());
    this.#leftMs -= performance.now() - startedAt;
    return item;
  }
}

/** A source of existing items. */
export function sourceOf<T>(items: Iterable<T>): Source<T> {
  const iterator = items[Symbol.iterator]();
  return {
    read: () => Promise.resolve(iterator.next().value as T | undefined), // sound: an iterator without a return value
    cancel: () => {},
    release: () => {},
  };
}
