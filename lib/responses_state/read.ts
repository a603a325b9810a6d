import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import {
  deleteEvents,
  deleteStoredResponse,
  getStoredResponse,
  readExchanges,
  replaceStoredResponse,
  type StoredResponse,
  type StoredResponseEntry,
  textToKeep,
} from "../store/mod.ts";
import { assertReadable, type Owner } from "./history.ts";
import { exchangeIn, exchangeText, type NamedItem, namedItems } from "./exchange.ts";
import type { StateWorld } from "./world.ts";

/** A kept answer as its caller asks for it. Throws `response_not_found`. */
export async function storedAnswer(
  world: StateWorld,
  owner: Owner,
  id: string,
): Promise<JsonObject> {
  const { response } = await settledEntry(world, owner, id);
  const answer = await answerOf(world, response);
  const isBegun = response.background?.phase === "running" && response.background.eventPacks > 0;
  return isBegun ? owner.state.begun(answer) : answer;
}

/**
 * A response's record. One that somebody stopped making, without a word, is told as failed from now
 * on. Throws `response_not_found`.
 */
export async function settledEntry(
  world: StateWorld,
  owner: Owner,
  id: string,
): Promise<StoredResponseEntry> {
  for (;;) {
    const place = { accountId: owner.accountId, id, nowMs: world.now() };
    const entry = await getStoredResponse(world.store, place);
    if (!entry) throw notFound(id);
    if (!isAbandoned(world, entry.response)) return entry;
    const queued = await answerOf(world, entry.response);
    const answer = owner.state.failed(queued, undefined, { message: interrupted });
    await replaced(world, entry, answer);
  }
}

const interrupted = "The server stopped while the response was being made: send it again";

/** What its exchange says of it. */
export async function answerOf(
  world: StateWorld,
  { id, exchange }: StoredResponse,
): Promise<JsonObject> {
  const [text] = await readExchanges(world.store, [exchange]) ?? [];
  const answer = text === undefined ? undefined : exchangeIn(text).answer;
  if (answer) return answer;
  throw notFound(id);
}

function isAbandoned({ store, now }: StateWorld, { background }: StoredResponse): boolean {
  if (background?.phase !== "running") return false;
  const foreign = !store.sharedByProcesses && background.runId !== store.runId;
  return foreign || background.aliveUntilMs < now();
}

/** Ends a running response in the place of whoever makes it. False where it ended meanwhile. */
async function replaced(
  { store, settings: { retentionMs } }: StateWorld,
  { response, versionstamp }: StoredResponseEntry,
  answer: JsonObject,
): Promise<boolean> {
  const [text] = await readExchanges(store, [response.exchange]) ?? [];
  if (text === undefined || !response.background) return false;
  const exchange = textToKeep(
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

/** Ends a background response at its caller's wish; one that has ended stays as it is. */
export async function cancelledAnswer(
  world: StateWorld,
  owner: Owner,
  id: string,
): Promise<JsonObject> {
  for (;;) {
    const entry = await settledEntry(world, owner, id);
    const { background } = entry.response;
    if (!background) throw notInBackground(id);
    const answer = await answerOf(world, entry.response);
    if (background.phase === "ended") return answer;
    const cancelled = owner.state.cancelled(answer);
    if (!await replaced(world, entry, cancelled)) continue;
    await world.jobs.abort(owner.accountId, id);
    return cancelled;
  }
}

/** Takes an answer away, at once; one that is still being made is given up. */
export async function deleteAnswer(world: StateWorld, owner: Owner, id: string): Promise<void> {
  const { response } = await settledEntry(world, owner, id);
  await deleteStoredResponse(world.store, response);
  await deleteEvents(world.store, response);
  if (response.background?.phase === "running") await world.jobs.abort(owner.accountId, id);
}

/** All that an answer was made from, in order: what it went on from, then what its call said. */
export async function inputOf(
  world: StateWorld,
  owner: Owner,
  id: string,
): Promise<readonly NamedItem[]> {
  const { response: { before, exchange } } = await settledEntry(world, owner, id);
  assertReadable(world, [...before, exchange]);
  const texts = await readExchanges(world.store, [...before, exchange]);
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
