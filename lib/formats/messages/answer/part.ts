import {
  callerToolName,
  type Continuation,
  isJsonObject,
  type JsonObject,
  type Part,
  type ReasoningPart,
  sealBeginning,
  sealContinuation,
  type TextPart,
  type ToolCallPart,
} from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import { idSuffix, safeCallId } from "../ids.ts";
import { format, ownFields } from "../native.ts";
import { argumentsOf } from "../part_encoder.ts";
import { proofCarrier, type ShownReasoning, shownReasoning } from "../thoughts.ts";
import { encodeCitations } from "../content.ts";
import { isExplanation } from "./finish.ts";

/** Data shared by the blocks of one answer. */
export interface AnswerContext {
  /** True if an upstream of this format gave the answer. */
  readonly own: boolean;
  readonly messageId: string;
  /** The model's name as the caller wrote it. */
  readonly model: string;
  readonly shown: ShownReasoning;
  readonly toolName: (name: string) => string;
  callId(id: string): string;
  /** True if a part is a refusal. */
  refused: boolean;
}

export function answerContext(context: EncoderContext, own: boolean): AnswerContext {
  const suffix = idSuffix(context.requestId);
  let calls = 0;
  return {
    own,
    messageId: `msg_${suffix}`,
    model: context.model,
    shown: own ? "all" : shownReasoning(context.request),
    toolName: callerToolName(context.request.tools),
    callId: (id) => id === "" ? `toolu_${suffix}_${calls++}` : safeCallId(id),
    refused: false,
  };
}

/**
 * Encodes a whole part as blocks: none if this format cannot show it, two if a continuation travels
 * beside a call.
 */
export function encodeAnswerPart(part: Part, context: AnswerContext): JsonObject[] {
  switch (part.type) {
    case "text":
      return part.text === "" && !context.own ? [] : [textBlock(part)];
    case "refusal":
      if (isExplanation(part)) return [];
      context.refused = true;
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning":
      return encodeAnswerReasoning(part, context);
    case "tool-call":
      return [...callProof(part.continuation, context), callBlock(part, context)];
    case "audio":
      return part.transcript ? [{ type: "text", text: part.transcript }] : [];
    case "native":
      return part.format === format && isJsonObject(part.value) ? [part.value] : [];
    case "image":
    case "video":
    case "file":
    case "tool-result":
      return [];
    default:
      return part satisfies never;
  }
}

/** The start of a call: its input follows. */
export function callHead(part: ToolCallPart, context: AnswerContext): JsonObject {
  return {
    type: "tool_use",
    id: context.callId(part.id),
    name: context.toolName(part.name),
    input: {},
    ...ownFields(part),
  };
}

/** The continuation of a call, if it comes from another vendor and the caller wants continuations. */
export function callProof(
  continuation: Continuation | undefined,
  { shown }: AnswerContext,
  belongsTo: "next" | "previous" = "next",
): JsonObject[] {
  if (!continuation || shown === "none") return [];
  return [proofCarrier({ belongsTo, continuation })];
}

/** The block of a hidden reasoning: only its continuation, with the text if another vendor signed it. */
export function bareThought(part: ReasoningPart): JsonObject[] {
  const { continuation, visibility, text } = part;
  if (!continuation) return [];
  const sealed = sealContinuation(format, text === "" ? continuation : { ...continuation, text });
  return continuation.issuer === format && visibility !== "redacted"
    ? [{ ...ownFields(part), type: "thinking", thinking: "", signature: sealed }]
    : [{ ...ownFields(part), type: "redacted_thinking", data: sealed }];
}

/**
 * A sealed continuation without content: clients require the field, and a replay must not reach the
 * vendor unchanged.
 */
const unproven = sealBeginning;

/** The signature of a reasoning, or a placeholder. */
export function signatureOf({ continuation }: ReasoningPart): string {
  return continuation ? sealContinuation(format, continuation) : unproven;
}

function textBlock(part: TextPart): JsonObject {
  const citations = encodeCitations(part.citations);
  return {
    ...ownFields(part),
    type: "text",
    text: part.text,
    ...(citations.length > 0 && { citations }),
  };
}

function encodeAnswerReasoning(part: ReasoningPart, { shown }: AnswerContext): JsonObject[] {
  if (shown === "none") return [];
  if (part.text === "" || shown === "proofs") return bareThought(part);
  return [{
    ...ownFields(part),
    type: "thinking",
    thinking: part.text,
    signature: signatureOf(part),
  }];
}

/** Wraps arguments that are not an object in one: clients accept nothing else. */
function callBlock(part: ToolCallPart, context: AnswerContext): JsonObject {
  const input = part.kind === "custom" ? undefined : argumentsOf(part.arguments);
  return { ...callHead(part, context), input: input ?? { input: part.arguments } };
}
