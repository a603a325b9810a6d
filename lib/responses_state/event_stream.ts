import type { JsonObject } from "../canonical/mod.ts";
import { sseKeepAlive, SseReader, sseText } from "../http/stream/sse.ts";
import { getEventPack, type StoredResponse, watchStoredResponse } from "../store/responses/mod.ts";
import type { Owner } from "./history.ts";
import { answerOf, settledEntry } from "./read.ts";
import type { ResponsesDeps } from "./dependencies.ts";

/** From where a stream is read. */
interface StreamPlace {
  readonly id: string;
  /** The place of the last event that the reader has. */
  readonly after?: number;
}

const text = new TextEncoder();
/** How often a silent response is looked at, whether anybody still makes it. */
const lookEveryMs = 2_000;

/** The events of a background response from a place on, those to come included; ends with its end. */
export function eventStream(
  deps: ResponsesDeps,
  owner: Owner,
  place: StreamPlace,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(eventsFrom(deps, owner, place));
}

/** What was read of a response's events so far. */
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
        return yield ending(owner, await answerOf(deps, response), reading.next);
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
    if (!pack) return; // they are no longer kept: only the end can be told
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

/** What a promise gives within a time, undefined where it takes longer. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
