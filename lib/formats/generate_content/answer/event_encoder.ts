import {
  addTokens,
  callerToolName,
  type CanonicalEvent,
  type EndEvent,
  type Ending,
  type JsonObject,
  type Part,
  type PartEndEvent,
  type PartStartEvent,
  type StartEvent,
  type TokenLogprob,
  type ToolCallPart,
} from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import type { EventEncoder } from "../../stream.ts";
import { isEmpty, objectOf, textOf } from "../../wire_value.ts";
import { encodeStreamError } from "../error.ts";
import { ownFields } from "../native.ts";
import { sealProof } from "../proof.ts";
import { encodeGrounding } from "./citations.ts";
import { encodeTokens } from "./logprobs.ts";
import {
  alternativeOf,
  bareProof,
  encodeCandidate,
  type EncoderState,
  encodeWholePart,
  hasReadableArguments,
  holdProof,
  type OpenPart,
  takeProof,
  takeTokens,
  write,
  writeCall,
  writeHeld,
  writePart,
} from "./part_writer.ts";
import { encodeUsage } from "./usage.ts";

/** Sends text at once, a call when it is complete, and the finish reason with the usage at the end. */
export function eventEncoder(context: EncoderContext): EventEncoder {
  const state: EncoderState = {
    context,
    out: [],
    open: new Map(),
    alternatives: new Map(),
    callerName: callerToolName(context.request.tools),
    own: false,
    identity: { modelVersion: context.model, responseId: context.requestId },
    native: {},
    over: false,
  };
  return {
    push: (event) => {
      if (!state.over) encodeEvent(state, event);
      return state.out.splice(0);
    },
  };
}

function encodeEvent(state: EncoderState, event: CanonicalEvent): void {
  switch (event.type) {
    case "start":
      return begin(state, event);
    case "part-start":
      return openPart(state, event);
    case "part-delta":
      return growPart(state, event.index, event.text, event.logprobs);
    case "part-end":
      return closePart(state, event);
    case "usage":
      state.usage = event.usage;
      return;
    case "end":
      return finish(state, event);
    case "error":
      for (const open of state.open.values()) writeHeld(state, open);
      state.over = true;
      state.out.push(...encodeStreamError(event.error, state.context.requestId));
      return;
    default:
      event satisfies never;
  }
}

function begin(state: EncoderState, start: StartEvent): void {
  const own = ownFields(start);
  if (!own) return;
  state.own = true;
  state.native = own;
  state.identity = {
    modelVersion: start.model,
    responseId: start.id || state.context.requestId,
  };
}

function openPart(state: EncoderState, { index, alternative = 0, part }: PartStartEvent): void {
  const fellow = alternativeOf(state, alternative);
  if (fellow.unreadable) writeCall(state, alternative, fellow.unreadable);
  fellow.unreadable = undefined;
  state.open.set(index, { part, alternative, pieces: [], tokens: 0 });
  const text = textIn(part);
  if (text !== "") growPart(state, index, text);
}

/**
 * A text with native fields is sent in one piece, like a call's arguments. Reasoning is sent one
 * piece late: clients lose a signature on an empty text (@ai-sdk/google, 2026-11-21).
 */
function growPart(
  state: EncoderState,
  index: number,
  text: string,
  tokens: readonly TokenLogprob[] = [],
): void {
  const open = state.open.get(index);
  if (!open) return;
  rate(state, open, tokens);
  if (text === "") return;
  open.pieces.push(text);
  if (!streams(open.part)) return;
  if (open.part.type !== "reasoning") return writePart(state, open.alternative, { text });
  writeHeld(state, open);
  open.held = text;
}

function rate(state: EncoderState, open: OpenPart, tokens: readonly TokenLogprob[]): void {
  open.tokens += tokens.length;
  addTokens(alternativeOf(state, open.alternative).tokens, tokens);
}

function closePart(state: EncoderState, { index, patch }: PartEndEvent): void {
  const open = state.open.get(index);
  if (!open) return;
  state.open.delete(index);
  rate(state, open, patch?.logprobs?.slice(open.tokens) ?? []);
  const { alternative, pieces } = open;
  const part = { ...open.part, ...patch } as Part; // sound: a patch has only fields that every part may have
  const fellow = alternativeOf(state, alternative);
  if (part.type === "text" && part.citations) {
    const text = pieces.join("");
    fellow.grounded.push({ partIndex: fellow.parts, text, citations: part.citations });
  }
  if (part.type === "tool-call") {
    closeCall(state, alternative, { ...part, arguments: pieces.join("") });
  } else if (streams(open.part)) {
    closeText(state, open, part);
  } else closeWhole(state, alternative, withText(part, pieces.join("")));
}

/** Closes texts, refusals and reasoning: only the signature is left to write. */
function closeText(state: EncoderState, open: OpenPart, part: Part): void {
  const { alternative } = open;
  const silent = open.pieces.length === 0;
  const fellow = alternativeOf(state, alternative);
  const own = part.continuation && sealProof(part.continuation);
  if (part.type === "reasoning") {
    if (own !== undefined && silent) holdProof(state, alternative, own);
    else writeHeld(state, open, own);
  } else {
    const proof = own ?? (silent ? undefined : takeProof(fellow));
    if (proof !== undefined) writePart(state, alternative, { text: "", thoughtSignature: proof });
  }
  fellow.parts++;
}

function closeWhole(state: EncoderState, alternative: number, part: Part): void {
  const fellow = alternativeOf(state, alternative);
  const own = part.continuation && sealProof(part.continuation);
  const wire = encodeWholePart(part);
  if (!wire) return;
  writePart(state, alternative, own === undefined ? wire : { ...wire, thoughtSignature: own });
  fellow.parts++;
}

function closeCall(state: EncoderState, alternative: number, call: ToolCallPart): void {
  if (hasReadableArguments(call)) writeCall(state, alternative, call);
  else alternativeOf(state, alternative).unreadable = call;
}

function finish(state: EncoderState, { endings, native }: EndEvent): void {
  for (const [index, ending] of endings.entries()) closeAlternative(state, index, ending);
  state.over = true;
  const late = { ...state.native, ...(native && ownFields({ native })) };
  const blocked = state.own && textOf(objectOf(late.promptFeedback).blockReason) !== "" &&
    endings.every((ending) => !ending.native);
  const candidates = endings.map((ending, index) => finalCandidate(state, index, ending));
  write(state, {
    ...late,
    ...(!blocked && { candidates }),
    ...(state.usage && { usageMetadata: encodeUsage(state.usage) }),
  });
}

function closeAlternative(state: EncoderState, index: number, { finishReason }: Ending): void {
  const fellow = alternativeOf(state, index);
  const cut = finishReason === "length" || finishReason === "context-full" ||
    finishReason === "content-filter";
  if (fellow.unreadable && !cut) writeCall(state, index, fellow.unreadable);
  const proof = takeProof(fellow);
  if (proof !== undefined) writePart(state, index, bareProof(proof));
}

/** Older clients need `parts` in the chunk with the finish reason, too. */
function finalCandidate(state: EncoderState, index: number, ending: Ending): JsonObject {
  const fellow = alternativeOf(state, index);
  addTokens(fellow.tokens, ending.logprobs);
  return encodeCandidate(ending, {
    index,
    parts: [{ text: "" }],
    grounding: encodeGrounding(fellow.grounded),
    tokens: encodeTokens(takeTokens(fellow), fellow.tokens),
  });
}

function streams(part: Part): boolean {
  if (part.type !== "text" && part.type !== "refusal" && part.type !== "reasoning") return false;
  return isEmpty(ownFields(part) ?? {});
}

function textIn(part: Part): string {
  if (part.type === "text" || part.type === "refusal" || part.type === "reasoning") {
    return part.text;
  }
  return part.type === "tool-call" ? part.arguments : "";
}

function withText(part: Part, text: string): Part {
  return part.type === "text" || part.type === "refusal" || part.type === "reasoning"
    ? { ...part, text }
    : part;
}
