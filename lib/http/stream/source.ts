import { GatewayError } from "../../canonical/mod.ts";
import { startTimer } from "../timers.ts";

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
export const complete = new GatewayError("client_closed", "The response is complete");

/** The next item; undefined, as at the source's end, if none arrives within the time. */
export function readNext<T>(
  source: Source<T>,
  withinMs: number | undefined,
): Promise<T | undefined> {
  return withinMs === undefined ? source.read() : readWithin(source.read(), withinMs);
}

async function readWithin<T>(
  reading: Promise<T | undefined>,
  withinMs: number,
): Promise<T | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const timer = startTimer(withinMs, () => resolve(undefined));
  reading.catch(() => {}); // it may fail after nobody waits for it
  try {
    return await Promise.race([reading, over]);
  } finally {
    timer.cancel();
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
