import type { JsonObject, TokenLogprob, Usage } from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import type { ServerSentEvent } from "../../wire.ts";
import type { CallerCalls } from "../caller_calls.ts";
import { logprobsOf } from "./logprobs.ts";
import type { OpenPart } from "./open_call.ts";

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
  readonly choices: Map<number, Choice>;
  readonly open: Map<number, OpenPart>;
  own: boolean;
  /** The members that every chunk repeats. */
  head: JsonObject;
  usage?: Usage;
}

export function begin(state: EncoderState, alternative: number): ServerSentEvent[] {
  if (state.choices.has(alternative)) return [];
  choiceOf(state, alternative);
  return [chunk(state, alternative, { role: "assistant", content: "", refusal: null })];
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

export function deltas(
  state: EncoderState,
  open: OpenPart,
  text: string,
  tokens: readonly TokenLogprob[] = [],
): ServerSentEvent[] {
  const delta = deltaOf(open, text);
  if (!delta) return [];
  open.tokens += tokens.length;
  const logprobs = open.part.type === "refusal" ? logprobsOf([], tokens) : logprobsOf(tokens, []);
  return [chunk(state, open.alternative, delta, logprobs ? { logprobs } : {})];
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

export function wantsUsage({ context }: EncoderState): boolean {
  return context.request.streamOptions?.includeUsage === true;
}

export function chunk(
  state: EncoderState,
  alternative: number,
  delta: JsonObject,
  besides: JsonObject = {},
): ServerSentEvent {
  const choice = { finish_reason: null, ...besides, index: alternative, delta };
  return wire({
    ...state.head,
    choices: [choice],
    ...(wantsUsage(state) && { usage: null }),
  });
}

export function choiceOf({ choices }: EncoderState, alternative: number): Choice {
  const known = choices.get(alternative);
  if (known) return known;
  const choice = { calls: 0, textLength: 0, thoughts: 0, thinks: false };
  choices.set(alternative, choice);
  return choice;
}

export function wire(value: JsonObject): ServerSentEvent {
  return { data: JSON.stringify(value) };
}
