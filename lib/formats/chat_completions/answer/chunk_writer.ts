import type { JsonObject, Part, TokenLogprob, Usage } from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { isEmpty } from "../../wire_value.ts";
import {
  type CallerCalls,
  encodeCall,
  encodeSignature,
  madeCallId,
  wantsFunctionCall,
} from "../calls.ts";
import { ownFields } from "../native.ts";
import { logprobsOf } from "./logprobs.ts";
import { proofOf } from "./response.ts";

/** One alternative of the answer as far as it was written; created when its role is sent. */
export interface Choice {
  calls: number;
  /** UTF-16 units of text written before the open part: citations count from the start of the message. */
  textLength: number;
  thoughts: number;
  /** True once reasoning text was written. */
  thinks: boolean;
}

export interface EncoderState {
  readonly context: EncoderContext;
  readonly callers: CallerCalls;
  readonly wantsUsage: boolean;
  readonly choices: Map<number, Choice>;
  readonly open: Map<number, OpenPart>;
  own: boolean;
  /** The members that every chunk repeats. */
  head: JsonObject;
  usage?: Usage;
}

export function openChoice(state: EncoderState, alternative: number): ServerSentEvent[] {
  if (state.choices.has(alternative)) return [];
  choiceOf(state, alternative);
  return [deltaChunk(state, alternative, { role: "assistant", content: "", refusal: null })];
}

/** A blank line separates two reasonings that have text. */
export function separatorBefore(
  state: EncoderState,
  { part, alternative, text }: OpenPart,
): string {
  if (part.type !== "reasoning" || text !== "") return "";
  const choice = choiceOf(state, alternative);
  const separator = choice.thinks ? "\n\n" : "";
  choice.thinks = true;
  return separator;
}

export function deltaChunks(
  state: EncoderState,
  open: OpenPart,
  text: string,
  tokens: readonly TokenLogprob[] = [],
): ServerSentEvent[] {
  const delta = deltaOf(open, text);
  if (!delta) return [];
  if (tokens.length === 0) return [deltaChunk(state, open.alternative, delta)];
  open.tokens += tokens.length;
  const logprobs = open.part.type === "refusal" ? logprobsOf([], tokens) : logprobsOf(tokens, []);
  return [deltaChunk(state, open.alternative, delta, logprobs ? { logprobs } : {})];
}

function deltaOf({ part, call }: OpenPart, text: string): JsonObject | undefined {
  switch (part.type) {
    case "text":
      return { content: text };
    case "refusal":
      return { refusal: text };
    case "reasoning":
      return { reasoning_content: text };
    case "tool-call":
      return {
        tool_calls: [
          part.kind === "custom"
            ? { index: call, custom: { input: text } }
            : { index: call, function: { arguments: text } },
        ],
      };
    default:
      return undefined;
  }
}

export function deltaChunk(
  state: EncoderState,
  alternative: number,
  delta: JsonObject,
  besides: JsonObject = {},
): ServerSentEvent {
  const choice = { finish_reason: null, ...besides, index: alternative, delta };
  return wireEvent({
    ...state.head,
    choices: [choice],
    ...(state.wantsUsage && { usage: null }),
  });
}

export function choiceOf({ choices }: EncoderState, alternative: number): Choice {
  const known = choices.get(alternative);
  if (known) return known;
  const choice = { calls: 0, textLength: 0, thoughts: 0, thinks: false };
  choices.set(alternative, choice);
  return choice;
}

export function wireEvent(value: JsonObject): ServerSentEvent {
  return { data: JSON.stringify(value) };
}

/** A part of a streamed answer that is being written. */
export interface OpenPart {
  readonly part: Part;
  readonly alternative: number;
  /** Its index among the calls of its alternative. */
  readonly call: number;
  /** True if the arguments must be complete before they can be written. */
  readonly held: boolean;
  /** True if its continuation is sent with its head. */
  readonly proven: boolean;
  text: string;
  /** The number of its tokens that are written. */
  tokens: number;
}

/** The head of a call, with its continuation if that is known: clients look for it there. The arguments follow. */
export function callOpening(
  { requestId }: EncoderContext,
  { part, alternative, call }: OpenPart,
): JsonObject {
  if (part.type !== "tool-call") return {};
  const id = part.id || madeCallId(requestId, alternative, call);
  const { native: _, ...plain } = part;
  const wire = encodeCall({ ...plain, id, arguments: "" }, part.name, proofOf(part));
  const opening = part.kind === "custom"
    ? wire
    : { ...wire, function: { name: part.name, arguments: "" } };
  return { tool_calls: [{ index: call, ...opening }] };
}

/**
 * Writes `""` for a call without arguments; a late continuation and unknown members come last.
 * Clients require a function in every fragment of a call (@ai-sdk/openai-compatible, 2026-11-21).
 */
export function callClosing({ part, call, text, proven }: OpenPart): JsonObject {
  if (part.type !== "tool-call") return {};
  const { type: _, ...rest } = ownFields(part) ?? {};
  const besides = { ...rest, ...(!proven && encodeSignature(proofOf(part))) };
  const nothing = part.kind === "function" && text === "";
  if (isEmpty(besides) && !nothing) return {};
  const called = part.kind === "function" && { function: { arguments: nothing ? "{}" : "" } };
  return { tool_calls: [{ index: call, ...called, ...besides }] };
}

/** A call that is sent as a whole, with the name and the kind of the caller's own tool. */
export function heldCall(
  { part, alternative, call, text }: OpenPart,
  callers: CallerCalls,
  context: EncoderContext,
): JsonObject {
  if (part.type !== "tool-call") return {};
  const id = part.id || madeCallId(context.requestId, alternative, call);
  const whole = callers.whole({ ...part, id, arguments: text || "{}" });
  if (wantsFunctionCall(context)) {
    return { function_call: { name: whole.name, arguments: whole.arguments } };
  }
  return { tool_calls: [{ index: call, ...encodeCall(whole, whole.name, proofOf(part)) }] };
}
