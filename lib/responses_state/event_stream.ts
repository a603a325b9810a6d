import type { JsonObject } from "../canonical/mod.ts";
import { sseKeepAlive, SseReader, sseText } from "../http/stream/sse.ts";
import { getEventPack, type StoredResponse, watchStoredResponse } from "../store/responses/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import type { Owner } from "./history.ts";
import { readStoredAnswer, settledEntry } from "./read.ts";

/** A response, and the place in its events to resume from. */
interface StreamPlace {
  readonly id: string;
  /** The place of the last event that the reader received. */
  readonly after?: number;
}

const text = new TextEncoder();
/** The interval at which a silent response is checked for a dead isolate. */
const lookEveryMs = 2_000;

/** Streams the events of a background response from a place on, until the response ends. */
export function backgroundEvents(
  deps: ResponsesDeps,
  owner: Owner,
  place: StreamPlace,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(eventsFrom(deps, owner, place));
}

/** The position of a reader in a response's events. */
interface Reading {
  readonly sse: SseReader;
  packs: number;
  /** The place of the next event. */
  next: number;
}

async function* eventsFrom(
  deps: ResponsesDeps,
  owner: Owner,
  { id, after = -1 }: StreamPlace,
): AsyncGenerator<Uint8Array> {
  const reading: Reading = { sse: new SseReader(), packs: 0, next: 0 };
  const records = watchStoredResponse(deps.store, { accountId: owner.accountId, id }).getReader();
  try {
    let record = records.read();
    for (;;) {
      const changed = await within(record, lookEveryMs);
      if (!changed) {
        yield text.encode(sseKeepAlive);
        await settledEntry(deps, owner, id);
        continue;
      }
      if (changed.done || !changed.value) return; // it was deleted
      record = records.read();
      const { response } = changed.value;
      yield* newEvents(deps, owner, { response, reading, after });
      if (response.background?.phase !== "running") {
        if (response.background?.streamEnded && reading.next > 0) return;
        return yield ending(owner, await readStoredAnswer(deps, response), reading.next);
      }
    }
  } finally {
    await records.cancel().catch(() => {}); // the store may be closed already
  }
}

async function* newEvents(
  { store }: ResponsesDeps,
  { state }: Owner,
  { response, reading, after }: {
    readonly response: StoredResponse;
    readonly reading: Reading;
    readonly after: number;
  },
): AsyncGenerator<Uint8Array> {
  const { eventPacks = 0 } = response.background ?? {};
  for (; reading.packs < eventPacks; reading.packs++) {
    const pack = await getEventPack(store, response, reading.packs);
    if (!pack) return; // expired or deleted: only the end can be sent
    for (const { event } of reading.sse.push(pack)) {
      const { place } = state.placed(event, reading.next);
      reading.next = place + 1;
      if (place > after) yield text.encode(sseText(event));
    }
  }
}

function ending({ state }: Owner, answer: JsonObject, place: number): Uint8Array {
  return text.encode(sseText(state.endOf(answer, place)));
}

/** Resolves like the promise, or with undefined after `ms`. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
