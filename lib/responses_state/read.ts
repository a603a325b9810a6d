import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import { chunkText } from "../store/mod.ts";
import {
  deleteEvents,
  deleteStoredResponse,
  getStoredResponse,
  readExchanges,
  replaceStoredResponse,
  type StoredResponse,
  type StoredResponseEntry,
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
export async function readStoredAnswer(
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
