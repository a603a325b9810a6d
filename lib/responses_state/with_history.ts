import type { Caller } from "../accounts/authorize.ts";
import { dropped, GatewayError, type JsonObject, type Note } from "../canonical/mod.ts";
import type { StateCodec, StateWanted } from "../formats/state_codec.ts";
import type { Call } from "../http/call.ts";
import { changedRequest, type Decoded } from "../http/decode.ts";
import { assertNotesAllowed } from "../http/respond.ts";
import { atOnceMax, byteLengthOf, lengthOf } from "../json/mod.ts";
import { Pace } from "../pace.ts";
import { Background } from "./background.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import { exchangeIdOf } from "./exchange.ts";
import { historyOf, type Owner } from "./history.ts";
import { Keeping, pageItemsMax } from "./keeping.ts";
import { namesAny, resolvedItems } from "./named_items.ts";

/** A call whose caller is known and whose body is decoded. */
interface DecodedCall {
  readonly call: Call;
  readonly caller: Caller;
  readonly decoded: Decoded;
}

/** A call with its history, and the storing of its answer. */
export interface WithHistory {
  readonly call: Call;
  readonly decoded: Decoded;
  readonly keeping?: Keeping;
  readonly background?: Background;
}

/**
 * Turns a stateful request into a stateless one with its whole history. Reads the store only if the
 * request continues from something. Throws the errors of `historyOf`.
 */
export function withHistory(
  deps: ResponsesDeps,
  read: DecodedCall,
): WithHistory | Promise<WithHistory> {
  const { call, decoded } = read;
  const { state } = call.codec;
  if (!state) return { call, decoded };
  const { body } = decoded.wire;
  const wanted = state.wanted(body);
  const store = call.endpoint.operation !== "compact-response" &&
    (wanted.store ?? (deps.settings.storeByDefault || wanted.background));
  const continues = wanted.previousId !== undefined || wanted.conversationId !== undefined;
  // usual, and without parsing a long input
  const isAlone = !store && !continues && !deps.memory;
  if (isAlone && !state.mayName(body)) return { call, decoded };
  const said = state.inputItems(body);
  const usesStored = continues || said.some((item) => state.referenceIn(item) !== undefined);
  const options = { state, wanted: { ...wanted, store }, said, usesStored };
  if (store || usesStored || deps.memory) return stateful(deps, read, options);
  return namesAny({ state }, said) ? withThoughts(deps, read, options) : { call, decoded };
}

interface StateOptions {
  readonly state: StateCodec;
  readonly wanted: StateWanted & { readonly store: boolean };
  readonly said: readonly JsonObject[];
  readonly usesStored: boolean;
}

/**
 * Restores the content of stored thoughts. Unknown thoughts stay bare: the upstream may know them.
 */
async function withThoughts(
  deps: ResponsesDeps,
  { call, caller, decoded }: DecodedCall,
  { state, said }: StateOptions,
): Promise<WithHistory> {
  const owner: Owner = { accountId: caller.key.accountId, state };
  const { items, seals, changed } = await resolvedItems(deps, owner, said);
  if (!changed) return { call, decoded };
  const members = state.stateless(decoded.wire.body, items);
  const complete = { ...changedRequest(call.codec, decoded, { members }), seals };
  assertBody(deps, complete);
  return { call, decoded: complete };
}

async function stateful(
  deps: ResponsesDeps,
  read: DecodedCall,
  options: StateOptions,
): Promise<WithHistory> {
  const { call, caller, decoded } = read;
  const { state, wanted, said, usesStored } = options;
  const owner: Owner = { accountId: caller.key.accountId, state };
  const history = await historyOf(deps, owner, wanted);
  const pace = new Pace();
  const resolved = await resolvedItems(deps, owner, said);
  const input = resolved.items;
  if (deps.memory && wanted.previousId !== undefined) {
    assertMade(state, [...history.items, ...input]);
  }
  const lost = leftOut(state, history.items, input);
  assertNotesAllowed(call.request.headers, lost);
  await pace.giveWay();
  const room = roomFor(deps, decoded, { wanted, input });
  const keeping = new Keeping(deps, {
    requestId: call.id,
    owner,
    reported: {
      ...wanted,
      store: room.store,
      ...(wanted.background && { id: `resp_${exchangeIdOf(call.id)}` }),
    },
    input,
    inputLength: () => inputLengthOf(decoded, input),
    history,
    notes: [...room.notes, ...lost],
  });
  const whole = [...history.items, ...input];
  const sent = whole.filter(state.isReplayable);
  await pace.giveWay();
  const items = usesStored || resolved.changed || sent.length < whole.length ? sent : undefined;
  const changed = {
    ...changedRequest(call.codec, decoded, {
      members: state.stateless(decoded.wire.body, items),
    }),
    seals: new Map([...history.seals, ...resolved.seals]),
  };
  assertBody(deps, changed);
  return wanted.background
    ? inBackground(deps, { call, decoded: changed, keeping }, decoded)
    : { call, decoded: changed, keeping };
}

/**
 * Refuses a result without its call, as the vendor does: a client on a socket continues from an id
 * instead of repeating the calls. Elsewhere such a result is sent as text.
 */
function assertMade(state: StateCodec, items: readonly JsonObject[]): void {
  const id = state.unmadeCall(items);
  if (id === undefined) return;
  const message = `No tool call found for function call output with call_id ${id.slice(0, 200)}`;
  throw new GatewayError("invalid_request", message, { param: "input" });
}

/** The length of the call's own items as JSON text; of a long body its whole length, which is at hand. */
function inputLengthOf({ read }: Decoded, input: readonly JsonObject[]): number {
  return lengthOf(read) > atOnceMax ? lengthOf(read) : JSON.stringify(input).length;
}

/**
 * Notes each item of the request that is not sent, and once for all dropped items of the history.
 */
function leftOut(
  state: StateCodec,
  before: readonly JsonObject[],
  input: readonly JsonObject[],
): readonly Note[] {
  return [
    ...(before.every(state.isReplayable) ? [] : [state.leftOut()]),
    ...input.flatMap((item, place) => state.isReplayable(item) ? [] : [state.leftOut(place)]),
  ];
}

/** Streams the answer even if the caller did not request it, so that its progress is known. */
function inBackground(
  deps: ResponsesDeps,
  complete: WithHistory & { keeping: Keeping },
  asked: Decoded,
) {
  const { call, decoded, keeping } = complete;
  const background = new Background(deps, keeping, { call, asked });
  const streamed = decoded.envelope.stream
    ? decoded
    : changedRequest(call.codec, decoded, { members: { stream: true } });
  return {
    ...complete,
    call: { ...call, signal: background.signal },
    decoded: streamed,
    background,
  };
}

/**
 * Decides whether the exchange is stored. A request too large to store is sent with a note that it
 * is not stored, or refused if it needs its state: in the background or in a conversation.
 */
function roomFor(
  { settings: { exchangeBytesMax } }: ResponsesDeps,
  { read }: Decoded,
  { wanted, input }: Pick<StateOptions, "wanted"> & { readonly input: readonly JsonObject[] },
): { readonly store: boolean; readonly notes: readonly Note[] } {
  const needed = wanted.background || wanted.conversationId !== undefined;
  if (wanted.conversationId !== undefined && input.length > pageItemsMax / 2) {
    throw tooLarge(`more than ${pageItemsMax / 2} items are sent at once`, "input");
  }
  if (!(wanted.store || needed) || byteLengthOf(read) <= exchangeBytesMax) {
    return { store: wanted.store, notes: [] };
  }
  if (needed) throw tooLarge(`the body is longer than ${exchangeBytesMax} bytes`, "input");
  return {
    store: false,
    notes: [{ ...notKept, reason: `${notKept.reason} (${exchangeBytesMax})` }],
  };
}

const notKept = dropped("store", "The request exceeds the maximum stored size of one call");

function tooLarge(problem: string, param: string): GatewayError {
  return new GatewayError("body_too_large", `Cannot store the exchange: ${problem}`, { param });
}

function assertBody({ settings: { bodyBytesMax } }: ResponsesDeps, { read }: Decoded): void {
  if (lengthOf(read) <= bodyBytesMax) return;
  throw new GatewayError(
    "body_too_large",
    `The request and its history exceed ${bodyBytesMax} bytes. Start a new conversation with less input`,
    { param: "input" },
  );
}
