import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import { sseKeepAlive, SseReader, sseText } from "../http/stream/sse.ts";
import { within } from "../http/timers.ts";
import { chunkText } from "../store/mod.ts";
import {
  deleteEvents,
  deleteStoredResponse,
  getEventPack,
  getStoredResponse,
  readExchanges,
  replaceStoredResponse,
  type StoredResponse,
  type StoredResponseEntry,
  watchStoredResponse,
} from "../store/responses/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import { exchangeIn, exchangeText, type NamedItem, namedItems } from "./exchange.ts";
import { assertReadable, type Owner } from "./history.ts";

/** Returns a stored response. Throws `response_not_found`. */
export async function storedAnswer(
  deps: ResponsesDeps,
  owner: Owner,
  id: string,
): Promise<JsonObject> {
  const { response } = await settledEntry(deps, owner, id);
  const answer = await readStoredAnswer(deps, response);
  const isBegun = response.background?.phase === "running" && response.background.eventPacks > 0;
  return isBegun ? owner.state.begun(answer) : answer;
}

/**
 * Reads a response's record. Marks a running response as failed if its isolate died. Throws
 * `response_not_found`.
 */
export async function settledEntry(
  deps: ResponsesDeps,
  owner: Owner,
  id: string,
): Promise<StoredResponseEntry> {
  for (;;) {
    const place = { accountId: owner.accountId, id, nowMs: deps.now() };
    const entry = await getStoredResponse(deps.store, place);
    if (!entry) throw notFound(id);
    if (!isAbandoned(deps, entry.response)) return entry;
    const queued = await readStoredAnswer(deps, entry.response);
    const answer = owner.state.failed(queued, undefined, { message: interrupted });
    await replaced(deps, entry, answer);
  }
}

const interrupted = "The server stopped while it generated the response. Send the request again";

/** Reads the answer in a response's exchange. */
async function readStoredAnswer(
  deps: ResponsesDeps,
  { id, exchange }: StoredResponse,
): Promise<JsonObject> {
  const [text] = await readExchanges(deps.store, [exchange]) ?? [];
  const answer = text === undefined ? undefined : exchangeIn(text).answer;
  if (answer) return answer;
  throw notFound(id);
}

function isAbandoned({ store, now }: ResponsesDeps, { background }: StoredResponse): boolean {
  if (background?.phase !== "running") return false;
  const foreign = !store.sharedByProcesses && background.runId !== store.runId;
  return foreign || background.aliveUntilMs < now();
}

/** Ends a running response on behalf of its isolate. Returns false if it ended meanwhile. */
async function replaced(
  { store, settings: { retentionMs } }: ResponsesDeps,
  { response, versionstamp }: StoredResponseEntry,
  answer: JsonObject,
): Promise<boolean> {
  const [text] = await readExchanges(store, [response.exchange]) ?? [];
  if (text === undefined || !response.background) return false;
  const exchange = chunkText(
    `${response.exchange.id}e`,
    exchangeText({ ...exchangeIn(text), answer }),
  );
  const background = { ...response.background, phase: "ended", streamEnded: false } as const;
  const ended = { ...response, exchange, background };
  const version = await replaceStoredResponse(store, {
    response: ended,
    exchange,
    versionstamp,
    retentionMs,
  });
  return version !== undefined;
}

/** Cancels a background response; an ended one is returned unchanged. */
export async function cancelledAnswer(
  deps: ResponsesDeps,
  owner: Owner,
  id: string,
): Promise<JsonObject> {
  for (;;) {
    const entry = await settledEntry(deps, owner, id);
    const { background } = entry.response;
    if (!background) throw notInBackground(id);
    const answer = await readStoredAnswer(deps, entry.response);
    if (background.phase === "ended") return answer;
    const cancelled = owner.state.cancelled(answer);
    if (!await replaced(deps, entry, cancelled)) continue;
    await deps.jobs.abort(owner.accountId, id);
    return cancelled;
  }
}

/** Deletes a response immediately; a running one is cancelled. */
export async function deleteAnswer(deps: ResponsesDeps, owner: Owner, id: string): Promise<void> {
  const { response } = await settledEntry(deps, owner, id);
  await deleteStoredResponse(deps.store, response);
  await deleteEvents(deps.store, response);
  if (response.background?.phase === "running") await deps.jobs.abort(owner.accountId, id);
}

/** The whole input of a response: the history that it continues, then the items of its request. */
export async function inputOf(
  deps: ResponsesDeps,
  owner: Owner,
  id: string,
): Promise<readonly NamedItem[]> {
  const { response: { before, exchange } } = await settledEntry(deps, owner, id);
  assertReadable(deps, [...before, exchange]);
  const texts = await readExchanges(deps.store, [...before, exchange]);
  if (!texts) throw notFound(id);
  return texts.flatMap((text, at) => {
    const { input, answer } = exchangeIn(text);
    const isOwn = at === before.length;
    const said = isOwn ? { input } : { input, ...(answer && { answer }) };
    return namedItems(owner.state, said, isOwn ? exchange : before[at]);
  });
}

function notFound(id: string): GatewayError {
  return new GatewayError("response_not_found", `Response with id '${id.slice(0, 100)}' not found`);
}

function notInBackground(id: string): GatewayError {
  return new GatewayError(
    "invalid_request",
    `Cannot cancel response '${id.slice(0, 100)}': it was not created with background: true`,
  );
}

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

interface Reading {
  readonly sse: SseReader;
  packs: number;
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
      const changed = await within(lookEveryMs, record);
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
