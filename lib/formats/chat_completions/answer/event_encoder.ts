import type {
  CanonicalEvent,
  EndEvent,
  Ending,
  JsonObject,
  Part,
  PartDeltaEvent,
  PartEndEvent,
  PartStartEvent,
  StartEvent,
} from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import type { EventEncoder } from "../../stream.ts";
import type { ServerSentEvent } from "../../wire.ts";
import { isEmpty, objectOf } from "../../wire_value.ts";
import { callerCalls, encodeSignature, wantsFunctionCall } from "../calls.ts";
import { encodeStreamError } from "../error.ts";
import { format, ownFields } from "../native.ts";
import { encodeOwnThought, sealedDetails } from "../thoughts.ts";
import {
  callClosing,
  callOpening,
  type Choice,
  choiceOf,
  deltaChunk,
  deltaChunks,
  type EncoderState,
  heldCall,
  openChoice,
  type OpenPart,
  separatorBefore,
  wireEvent,
} from "./chunk_writer.ts";
import { encodeAudio, encodeCitations } from "./part.ts";
import { encodeFinishReason, nativeOf } from "./finish.ts";
import { logprobsOf } from "./logprobs.ts";
import { completionId, encodeAnswerImage, proofOf } from "./response.ts";
import { encodeUsage } from "./usage.ts";

/** Writes chunks: the role, then deltas, one finish reason per choice, the usage if requested, `[DONE]`. */
export function eventEncoder(context: EncoderContext): EventEncoder {
  const state: EncoderState = {
    context,
    callers: callerCalls(context),
    wantsUsage: context.request.streamOptions?.includeUsage === true,
    choices: new Map(),
    open: new Map(),
    own: false,
    head: headOf(context),
  };
  return { push: (event) => push(state, event) };
}

function push(state: EncoderState, event: CanonicalEvent): readonly ServerSentEvent[] {
  switch (event.type) {
    case "start":
      return started(state, event);
    case "part-start":
      return opened(state, event);
    case "part-delta":
      return grown(state, event);
    case "part-end":
      return closed(state, event);
    case "usage":
      state.usage = event.usage;
      return [];
    case "end":
      return ended(state, event);
    case "error": // the SDK throws at it; no `[DONE]` follows, because the answer is incomplete
      return encodeStreamError(event.error, state.context.requestId);
    default:
      return event satisfies never;
  }
}

function headOf({ requestId, model, createdAtMs }: EncoderContext): JsonObject {
  return {
    id: completionId(requestId),
    object: "chat.completion.chunk",
    created: Math.floor(createdAtMs / 1000),
    model,
  };
}

/** Sends the role at once, so that the caller receives a byte as early as the gateway does. */
function started(state: EncoderState, { id, model, createdAtMs, native }: StartEvent) {
  const own = ownFields({ native });
  state.own = own !== undefined;
  state.head = {
    ...own,
    ...state.head,
    ...(own && id !== "" && { id }),
    ...(own && model !== "" && { model }),
    ...(createdAtMs !== undefined && { created: Math.floor(createdAtMs / 1000) }),
  };
  return openChoice(state, 0);
}

function opened(
  state: EncoderState,
  { index, alternative = 0, part: opening }: PartStartEvent,
): ServerSentEvent[] {
  const role = openChoice(state, alternative);
  const choice = choiceOf(state, alternative);
  const isCall = opening.type === "tool-call";
  const part = isCall ? state.callers.named(opening) : opening;
  const held = part.type === "tool-call" &&
    (state.callers.isEmulated(part) || wantsFunctionCall(state.context));
  const proven = part.type === "tool-call" && part.continuation !== undefined;
  const open = { part, alternative, call: choice.calls, held, proven, text: "", tokens: 0 };
  state.open.set(index, open);
  if (isCall) choice.calls++;
  return [...role, ...openings(state, open, choice)];
}

/** Writes the start of a part: the head of a call, or a whole part. */
function openings(state: EncoderState, open: OpenPart, choice: Choice): ServerSentEvent[] {
  const { part, alternative } = open;
  switch (part.type) {
    case "tool-call":
      return open.held ? [] : [deltaChunk(state, alternative, callOpening(state.context, open))];
    case "reasoning":
      choice.thoughts++;
      return [];
    case "audio":
      return [deltaChunk(state, alternative, { audio: encodeAudio(part, state.context) })];
    case "image":
      return encodeAnswerImage(part).map((image) =>
        deltaChunk(state, alternative, { images: [image] })
      );
    case "text":
    case "refusal":
    case "video":
    case "file":
    case "tool-result":
    case "native":
      return [];
    default:
      return part satisfies never;
  }
}

function grown(state: EncoderState, { index, text, logprobs }: PartDeltaEvent): ServerSentEvent[] {
  const open = state.open.get(index);
  if (!open) return [];
  const before = text === "" ? "" : separatorBefore(state, open);
  open.text += text;
  if (open.held || (text === "" && !logprobs)) return [];
  return deltaChunks(state, open, before + text, logprobs);
}

/** Writes the data that is known only at a part's end: citations, continuations, a held call. */
function closed(state: EncoderState, { index, patch }: PartEndEvent): ServerSentEvent[] {
  const open = state.open.get(index);
  if (!open) return [];
  state.open.delete(index);
  const choice = choiceOf(state, open.alternative);
  const part = { ...open.part, ...patch } as Part; // sound: a patch has only fields that every part may have
  const late = (patch?.logprobs ?? []).slice(open.tokens);
  const rated = late.length > 0 ? deltaChunks(state, open, "", late) : [];
  const delta = closing(state, { ...open, part }, choice);
  if (part.type === "text") choice.textLength += open.text.length;
  return isEmpty(delta) ? rated : [...rated, deltaChunk(state, open.alternative, delta)];
}

function closing(state: EncoderState, open: OpenPart, choice: Choice): JsonObject {
  const { part, text } = open;
  switch (part.type) {
    case "text": {
      const at = { text, offset: choice.textLength };
      const annotations = encodeCitations(part.citations ?? [], at);
      return { ...(annotations.length > 0 && { annotations }), ...encodeSignature(proofOf(part)) };
    }
    case "reasoning":
      return encodeOwnThought(part) ??
        detailsDelta(sealedDetails({ ...part, text }, choice.thoughts - 1));
    case "tool-call":
      return open.held ? heldCall(open, state.callers, state.context) : callClosing(open);
    default:
      return {};
  }
}

function detailsDelta(details: readonly JsonObject[]): JsonObject {
  return details.length > 0 ? { reasoning_details: details } : {};
}

function ended(state: EncoderState, { endings, native }: EndEvent): ServerSentEvent[] {
  if (native?.format === format && state.own) state.head = { ...native.fields, ...state.head };
  const finishes = endings.flatMap((ending, alternative) => [
    ...openChoice(state, alternative),
    finish(state, alternative, ending),
  ]);
  return [...finishes, ...usageChunk(state), { data: "[DONE]" }];
}

function finish(state: EncoderState, alternative: number, ending: Ending): ServerSentEvent {
  const { choice, message } = nativeOf(ending, state.own);
  const logprobs = logprobsOf(ending.logprobs ?? [], []);
  const reason = encodeFinishReason(ending.finishReason, {
    calls: choiceOf(state, alternative).calls > 0,
    deprecated: wantsFunctionCall(state.context),
  });
  return deltaChunk(state, alternative, objectOf(message), {
    ...choice,
    ...(logprobs && { logprobs: { ...objectOf(choice.logprobs), ...logprobs } }),
    finish_reason: reason,
  });
}

function usageChunk(state: EncoderState): ServerSentEvent[] {
  if (!state.usage || !state.wantsUsage) return [];
  return [wireEvent({ ...state.head, choices: [], usage: encodeUsage(state.usage) })];
}
