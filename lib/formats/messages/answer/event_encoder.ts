import {
  type CanonicalEvent,
  type EndEvent,
  isJsonObject,
  type Part,
  type PartEndEvent,
  type PartStartEvent,
  type StartEvent,
} from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import type { EventEncoder } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { restOf } from "../../wire_value.ts";
import { encodeStreamError } from "../error.ts";
import { ownFields } from "../native.ts";
import {
  closeBlock,
  deltaEvents,
  type EncoderState,
  escapedInput,
  openBlock,
  type OpenPart,
  textHead,
  wholeBlocks,
  wireEvent,
} from "./block_writer.ts";
import { encodeEnding, isExplanation } from "./finish.ts";
import { answerContext, bareThought, callHead, callProof, encodeAnswerPart } from "./part.ts";
import { encodeHead } from "./response.ts";
import { encodeDeltaUsage, openingUsage } from "./usage.ts";

export function eventEncoder(context: EncoderContext): EventEncoder {
  return new Encoder(context);
}

class Encoder implements EventEncoder {
  readonly #context: EncoderContext;
  readonly #state: EncoderState;

  constructor(context: EncoderContext) {
    this.#context = context;
    this.#state = {
      answer: answerContext(context, false),
      started: false,
      blocks: 0,
      calls: false,
    };
  }

  push(event: CanonicalEvent): readonly ServerSentEvent[] {
    const state = this.#state;
    switch (event.type) {
      case "start":
        state.answer = answerContext(this.#context, ownFields(event) !== undefined);
        return start(state, this.#context, event);
      case "part-start":
        return openPart(state, event);
      case "part-delta":
        return state.open?.index === event.index ? grow(state, state.open, event.text) : [];
      case "part-end":
        return state.open?.index === event.index ? closePart(state, state.open, event) : [];
      case "usage":
        state.usage = event.usage;
        return [];
      case "end":
        return end(state, this.#context, event);
      case "error":
        return encodeStreamError(event.error, this.#context.requestId);
      default:
        return event satisfies never;
    }
  }
}

function start(
  state: EncoderState,
  context: EncoderContext,
  event: StartEvent,
): ServerSentEvent[] {
  if (state.started) return [];
  state.started = true;
  const own = ownFields(event);
  const usage = own?.usage;
  return [wireEvent({
    type: "message_start",
    message: {
      ...restOf(own ?? {}, ["usage"]),
      ...encodeHead(event, state.answer),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: isJsonObject(usage) ? usage : openingUsage(context, event.usage),
    },
  })];
}

/** A message holds one answer: other alternatives are left out. */
function openPart(state: EncoderState, event: PartStartEvent): ServerSentEvent[] {
  const { part, index, alternative = 0 } = event;
  if (alternative > 0) return [];
  const { answer } = state;
  state.open = { index, part, isBlock: false, grown: false };
  switch (part.type) {
    case "tool-call":
      return [
        ...wholeBlocks(state, callProof(part.continuation, answer)),
        ...openBlock(state, state.open, callHead(part, answer)),
      ];
    case "text":
      return answer.own ? openBlock(state, state.open, textHead(part)) : [];
    case "refusal":
      answer.refused ||= !isExplanation(part);
      return [];
    case "reasoning":
    case "native": // complete at its end
      return [];
    default:
      return wholeBlocks(state, encodeAnswerPart(part, answer));
  }
}

function grow(state: EncoderState, open: OpenPart, text: string): ServerSentEvent[] {
  const { part } = open;
  if (text === "") return [];
  switch (part.type) {
    case "text":
    case "refusal":
      if (isExplanation(part)) return [];
      return deltaEvents(state, open, { type: "text_delta", text });
    case "reasoning":
      if (state.answer.shown !== "all") {
        open.part = { ...part, text: part.text + text };
        return [];
      }
      return deltaEvents(state, open, { type: "thinking_delta", thinking: text });
    case "tool-call":
      return deltaEvents(state, open, {
        type: "input_json_delta",
        partial_json: part.kind === "custom" ? escapedInput(text, !open.grown) : text,
      });
    default:
      return [];
  }
}

function closePart(
  state: EncoderState,
  open: OpenPart,
  { patch }: PartEndEvent,
): ServerSentEvent[] {
  const late = patch?.continuation !== undefined && !open.part.continuation;
  // sound: a patch has only fields that every part may have
  const part = { ...open.part, ...patch } as Part;
  const events = open.isBlock ? closeBlock(state, open, part) : unopened(state, part);
  const proofs = part.type === "tool-call" && late
    ? wholeBlocks(state, callProof(part.continuation, state.answer, "previous"))
    : [];
  state.open = undefined;
  return [...events, ...proofs];
}

/**
 * The blocks of a part without text: a native one, and reasoning with a continuation, which the
 * caller must send back.
 */
function unopened(state: EncoderState, part: Part): ServerSentEvent[] {
  if (part.type === "native") return wholeBlocks(state, encodeAnswerPart(part, state.answer));
  if (part.type !== "reasoning" || state.answer.shown === "none") return [];
  return wholeBlocks(state, bareThought(part));
}

function end(state: EncoderState, context: EncoderContext, event: EndEvent): ServerSentEvent[] {
  const { calls, answer: { refused }, usage } = state;
  const [ending = { finishReason: "stop" }] = event.endings;
  const own = ownFields(event) ?? {};
  const { container } = own;
  return [
    ...start(state, context, { type: "start", id: "", model: "" }),
    wireEvent({
      ...restOf(own, ["container"]),
      type: "message_delta",
      delta: {
        ...encodeEnding(ending, { calls, refusal: refused }),
        ...(container !== undefined && { container }),
      },
      usage: usage ? encodeDeltaUsage(usage) : { output_tokens: 0 },
    }),
    wireEvent({ type: "message_stop" }),
  ];
}
