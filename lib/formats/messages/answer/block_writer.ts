import { isJsonObject, type JsonObject, type Part, type Usage } from "../../../canonical/mod.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { ownFields } from "../native.ts";
import { encodeCitations } from "../content.ts";
import { type AnswerContext, signatureOf } from "./part.ts";

/** The part being written. `isBlock` becomes true with its first content: an empty part leaves no block. */
export interface OpenPart {
  readonly index: number;
  part: Part;
  isBlock: boolean;
  grown: boolean;
}

/** The state of one stream. The vendor's clients fail on a gap in the indices and on two open blocks. */
export interface EncoderState {
  answer: AnswerContext;
  started: boolean;
  blocks: number;
  calls: boolean;
  open?: OpenPart;
  usage?: Usage;
}

/** Writes the data known only at a part's end: citations, the signature, the rest of the arguments. */
export function closeBlock(state: EncoderState, open: OpenPart, part: Part): ServerSentEvent[] {
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

export function deltaEvents(
  state: EncoderState,
  open: OpenPart,
  delta: JsonObject,
): ServerSentEvent[] {
  const opening = open.isBlock ? undefined : openBlock(state, open, headOf(open.part));
  open.grown = true;
  const event = wireEvent({ type: "content_block_delta", index: state.blocks - 1, delta });
  return opening ? [...opening, event] : [event];
}

export function openBlock(
  state: EncoderState,
  open: OpenPart,
  block: JsonObject,
): ServerSentEvent[] {
  open.isBlock = true;
  state.calls ||= block.type === "tool_use";
  return [
    wireEvent({ type: "content_block_start", index: state.blocks++, content_block: block }),
  ];
}

/**
 * Writes complete blocks. The vendor streams the input of its own tools like that of others, and the
 * text of a compaction that comes before an answer in one piece.
 */
export function wholeBlocks(state: EncoderState, blocks: readonly JsonObject[]): ServerSentEvent[] {
  return blocks.flatMap((block) => {
    const index = state.blocks++;
    const { head, delta } = streamed(block);
    return [
      wireEvent({ type: "content_block_start", index, content_block: head }),
      ...(delta ? [wireEvent({ type: "content_block_delta", index, delta })] : []),
      wireEvent({ type: "content_block_stop", index }),
    ];
  });
}

function streamed(block: JsonObject): { readonly head: JsonObject; readonly delta?: JsonObject } {
  const { type, input, content, encrypted_content, signature } = block;
  if (isJsonObject(input) && Object.keys(input).length > 0) {
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
    return { head: { ...block, input: {} }, delta };
  }
  if (type !== "compaction" || signature !== undefined) return { head: block };
  return {
    head: { type, content: null },
    delta: { type: "compaction_delta", content, encrypted_content },
  };
}

function headOf(part: Part): JsonObject {
  if (part.type !== "reasoning") return textHead(part);
  return { ...ownFields(part), type: "thinking", thinking: "", signature: "" };
}

export function textHead(part: Part): JsonObject {
  return { ...(part.type === "text" && ownFields(part)), type: "text", text: "" };
}

/**
 * Escapes free text as the content of a JSON string, piece by piece; the halves of a surrogate pair
 * are escaped each.
 */
export function escapedInput(text: string, first: boolean): string {
  return (first ? '{"input":"' : "") + JSON.stringify(text).slice(1, -1);
}

export function wireEvent(event: JsonObject & { readonly type: string }): ServerSentEvent {
  return { event: event.type, data: JSON.stringify(event) };
}
