import {
  type CanonicalEvent,
  type EndEvent,
  isJsonObject,
  type JsonObject,
  type Part,
  type PartEndEvent,
  type PartStartEvent,
  type StartEvent,
  type Usage,
} from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import type { EventEncoder } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import {
  type AnswerContext,
  answerContext,
  bareThought,
  callHead,
  callProof,
  encodeAnswerPart,
  signatureOf,
} from "./part.ts";
import { encodeCitations } from "./citations.ts";
import { encodeStreamError } from "../error.ts";
import { encodeEnding, isExplanation } from "./finish.ts";
import { ownFields } from "../native.ts";
import { encodeHead } from "./response.ts";
import { encodeDeltaUsage, openingUsage } from "./usage.ts";
import { restOf } from "../../wire_value.ts";

export function eventEncoder(context: EncoderContext): EventEncoder {
  return new Encoder(context);
}

/** The part being written. `block` opens with the first thing that it says: an empty part leaves no block. */
interface OpenPart {
  readonly index: number;
  part: Part;
  isBlock: boolean;
  grown: boolean;
}

/** The state of one stream: the vendor's clients break on a gap in the indices or two open blocks. */
interface EncoderState {
  answer: AnswerContext;
  started: boolean;
  blocks: number;
  calls: boolean;
  open?: OpenPart;
  usage?: Usage;
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

/** A message holds one answer: others that the upstream gave are left out. */
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
      return deltas(state, open, { type: "text_delta", text });
    case "reasoning":
      if (state.answer.shown !== "all") {
        open.part = { ...part, text: part.text + text };
        return [];
      }
      return deltas(state, open, { type: "thinking_delta", thinking: text });
    case "tool-call":
      return deltas(state, open, {
        type: "input_json_delta",
        partial_json: part.kind === "custom" ? escaped(text, !open.grown) : text,
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
  // sound: a patch only has fields that every part may bear
  const part = { ...open.part, ...patch } as Part;
  const events = open.isBlock ? closeBlock(state, open, part) : unopened(state, part);
  const proofs = part.type === "tool-call" && late
    ? wholeBlocks(state, callProof(part.continuation, state.answer, "previous"))
    : [];
  state.open = undefined;
  return [...events, ...proofs];
}

/** What only the end of a part says: citations, the signature, and the rest of the arguments. */
function closeBlock(state: EncoderState, open: OpenPart, part: Part): ServerSentEvent[] {
  const index = state.blocks - 1;
  const last = lastDeltas(open, part).map((delta) =>
    wireEvent({ type: "content_block_delta", index, delta })
  );
  return [...last, wireEvent({ type: "content_block_stop", index })];
}

function lastDeltas({ grown }: OpenPart, part: Part): JsonObject[] {
  switch (part.type) {
    case "text":
      return encodeCitations(part.citations).map((citation) => ({
        type: "citations_delta",
        citation,
      }));
    case "reasoning":
      return [{ type: "signature_delta", signature: signatureOf(part) }];
    case "tool-call":
      if (part.kind === "custom") {
        return [{ type: "input_json_delta", partial_json: grown ? '"}' : '{"input":""}' }];
      }
      return grown ? [] : [{ type: "input_json_delta", partial_json: "" }];
    default:
      return [];
  }
}

/** A thought without words may still bring a proof that must come back. */
function unopened(state: EncoderState, part: Part): ServerSentEvent[] {
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

function deltas(state: EncoderState, open: OpenPart, delta: JsonObject): ServerSentEvent[] {
  const opening = open.isBlock ? [] : openBlock(state, open, headOf(open.part));
  open.grown = true;
  return [
    ...opening,
    wireEvent({ type: "content_block_delta", index: state.blocks - 1, delta }),
  ];
}

function openBlock(state: EncoderState, open: OpenPart, block: JsonObject): ServerSentEvent[] {
  open.isBlock = true;
  state.calls ||= block.type === "tool_use";
  return [
    wireEvent({ type: "content_block_start", index: state.blocks++, content_block: block }),
  ];
}

/** Blocks that are known whole. The vendor streams the input of its own tools as it does that of others. */
function wholeBlocks(state: EncoderState, blocks: readonly JsonObject[]): ServerSentEvent[] {
  return blocks.flatMap((block) => {
    const index = state.blocks++;
    const streamed = isJsonObject(block.input) && Object.keys(block.input).length > 0;
    const head = streamed ? { ...block, input: {} } : block;
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    return [
      wireEvent({ type: "content_block_start", index, content_block: head }),
      ...(streamed ? [wireEvent({ type: "content_block_delta", index, delta })] : []),
      wireEvent({ type: "content_block_stop", index }),
    ];
  });
}

function headOf(part: Part): JsonObject {
  return part.type === "reasoning" ? thoughtHead(part) : textHead(part);
}

function textHead(part: Part): JsonObject {
  return { ...(part.type === "text" && ownFields(part)), type: "text", text: "" };
}

function thoughtHead(part: Part): JsonObject {
  return { ...ownFields(part), type: "thinking", thinking: "", signature: "" };
}

/** Free text as the inside of a JSON string, piece by piece; halves of a pair are escaped each. */
function escaped(text: string, first: boolean): string {
  return (first ? '{"input":"' : "") + JSON.stringify(text).slice(1, -1);
}

function wireEvent(event: JsonObject & { readonly type: string }): ServerSentEvent {
  return { event: event.type, data: JSON.stringify(event) };
}
