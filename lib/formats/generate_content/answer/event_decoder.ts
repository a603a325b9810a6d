import {
  type CanonicalEvent,
  type Citation,
  type Ending,
  type GatewayError,
  isJsonObject,
  type JsonObject,
  type Usage,
} from "../../../canonical/mod.ts";
import { parsedSimple } from "../../../json/mod.ts";
import { invalidAnswer } from "../../error.ts";
import type { EventDecoder } from "../../stream.ts";
import { isEmpty, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { hasNoContent } from "../content.ts";
import { withEnumNames } from "../enums.ts";
import { decodeError, errorOf } from "../error.ts";
import { keep, mark } from "../native.ts";
import { protoNumber } from "../spelling.ts";
import { decodeCitations, freshSearch } from "./citations.ts";
import { endingOf, failureOf } from "./finish.ts";
import { resultRest, tokensOfParts } from "./logprobs.ts";
import { close, decodeAnswerPart, growText } from "./part_decoder.ts";
import { alternativeOf, type AnswerState, type CandidateState, freshState } from "./state.ts";
import { addHostedToolCalls, decodeUsage } from "./usage.ts";

/**
 * The format has no blocks: successive parts of the same kind are one part, a call arrives whole,
 * and a signature belongs to its part or, on an empty text, to the text before.
 */
export function eventDecoder(): EventDecoder {
  const state = freshState(false);
  return {
    push: ({ data }) => {
      if (!state.over) decodeData(state, data);
      return state.out.splice(0);
    },
    end: () => {
      if (!state.over) finish(state);
      return state.out.splice(0);
    },
    get isFinished() {
      return isFinished(state);
    },
  };
}

function isFinished({ candidates, blocked }: AnswerState): boolean {
  if (candidates.size === 0) return blocked;
  return candidates.values().every(({ finishReason }) => finishReason !== undefined);
}

/** The events of a whole answer, which is a stream of one chunk. */
export function decodeWhole(body: JsonObject): CanonicalEvent[] {
  const state = freshState(true);
  decodeChunk(state, body);
  if (!state.over) finish(state);
  return state.out;
}

function decodeData(state: AnswerState, data: string): void {
  try {
    const value: unknown = parsedSimple(data);
    const chunk = Array.isArray(value) ? value[0] : value;
    if (isJsonObject(chunk)) decodeChunk(state, chunk);
    else fail(state, invalidAnswer("an event must hold a JSON object"));
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !(cause instanceof RangeError)) throw cause;
    fail(state, invalidAnswer("an event is not valid JSON", cause));
  }
}

function decodeChunk(state: AnswerState, wire: JsonObject): void {
  const chunk = withEnumNames(wire);
  if (chunk.error !== undefined && chunk.error !== null) {
    const status = protoNumber(errorOf(chunk).code) || 500;
    fail(state, decodeError({ status, headers: {}, body: chunk }));
    return;
  }
  state.hostedToolCalls = addHostedToolCalls(state.hostedToolCalls, chunk);
  const usage = decodeUsage(chunk, state.hostedToolCalls);
  begin(state, chunk, usage);
  for (const candidate of objectsOf(chunk.candidates)) decodeCandidate(state, candidate);
  if (textOf(objectOf(chunk.promptFeedback).blockReason) !== "") state.blocked = true;
  if (usage) state.out.push({ type: "usage", usage });
}

const chunkMembers = ["candidates", "usageMetadata", "modelVersion", "responseId"];

function begin(state: AnswerState, chunk: JsonObject, usage?: Usage): void {
  const rest = restOf(chunk, chunkMembers);
  if (state.started) {
    state.late = { ...state.late, ...rest };
    return;
  }
  state.started = true;
  state.id = textOf(chunk.responseId);
  const createdAtMs = Date.parse(textOf(chunk.createTime));
  state.out.push({
    type: "start",
    id: state.id,
    model: textOf(chunk.modelVersion),
    ...(createdAtMs > 0 && { createdAtMs }),
    ...(usage && { usage }),
    ...mark(rest),
  });
}

const candidateMembers = ["content", "finishReason", "index", "logprobsResult"];

function decodeCandidate(state: AnswerState, wire: JsonObject): void {
  const key = wire.index ?? 0;
  const alternative = state.candidates.size;
  const candidate = state.candidates.get(key) ??
    newCandidate(alternative);
  state.candidates.set(key, candidate);
  const parts = objectsOf(objectOf(wire.content).parts);
  const isOver = candidate.finishReason !== undefined;
  const rest = { ...restOf(wire, candidateMembers), ...resultRest(wire.logprobsResult) };
  const said = Object.entries(rest).filter(([name, value]) =>
    !isJsonObject(value) || !isEmpty(value) || candidate.native[name] === undefined // `{}` on chunks that have nothing new
  );
  if (said.length > 0) candidate.native = { ...candidate.native, ...Object.fromEntries(said) };
  // after the members, which hold the sources of texts that another part closes
  const read = isOver ? parts.filter(hasNoContent) : parts;
  const tokens = tokensOfParts(candidate, wire.logprobsResult, read);
  for (const [at, part] of read.entries()) decodeAnswerPart(state, candidate, part, tokens[at]);
  if (read.length === 0) growText(state, candidate, "", tokens[0]);
  if (!isOver && typeof wire.finishReason === "string" && wire.finishReason !== "") {
    candidate.finishReason = wire.finishReason;
  }
}

function newCandidate(alternative: number): CandidateState {
  return {
    alternative,
    calls: 0,
    hasOutput: false,
    uncited: [],
    strayTokens: [],
    search: freshSearch(),
    native: {},
  };
}

/** Usage may follow the last `finishReason`, so an answer ends only when the upstream closes. */
function finish(state: AnswerState): void {
  const candidates = [...state.candidates.values()];
  const failure = failureOf(state, candidates);
  if (failure) return fail(state, failure);
  for (const candidate of candidates) {
    close(state, candidate);
    citeLate(state, candidate);
  }
  state.over = true;
  const endings = candidates.map(endingOf);
  state.out.push({
    type: "end",
    endings: endings.length > 0 ? endings : [blockedEnding],
    ...keep(state.late),
  });
}

/** Sources that arrived after their text are attached to an empty text at the end. */
function citeLate(state: AnswerState, candidate: CandidateState): void {
  const sources = new Map<string, Citation>();
  for (const text of candidate.uncited) {
    for (const { url, title } of decodeCitations(candidate.native, text, candidate.search)) {
      const source = { ...(url !== undefined && { url }), ...(title !== undefined && { title }) };
      sources.set(JSON.stringify(source), source);
    }
  }
  if (sources.size === 0) return;
  const index = state.parts++;
  const part = { type: "text", text: "" } as const;
  state.out.push({ type: "part-start", index, ...alternativeOf(candidate), part });
  state.out.push({ type: "part-end", index, patch: { citations: [...sources.values()] } });
}

const blockedEnding: Ending = { finishReason: "content-filter", promptBlocked: true };

function fail(state: AnswerState, error: GatewayError): void {
  if (!state.started) begin(state, {});
  for (const candidate of state.candidates.values()) close(state, candidate);
  state.over = true;
  state.out.push({ type: "error", error });
}
