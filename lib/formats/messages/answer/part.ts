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
import { encodeCitations } from "./citations.ts";
import { isExplanation } from "./finish.ts";
import { idSuffix, safeCallId } from "../ids.ts";
import { format, ownFields } from "../native.ts";
import { proofCarrier, type Shown, shownReasoning } from "../thoughts.ts";
import { argumentsOf } from "../part_encoder.ts";

/** What the blocks of one answer share. */
export interface AnswerContext {
  /** Whether an upstream of this very format gave the answer. */
  readonly own: boolean;
  readonly messageId: string;
  /** The model's name as the caller wrote it. */
  readonly model: string;
  readonly shown: Shown;
  readonly toolName: (name: string) => string;
  callId(id: string): string;
  /** Whether a part refused to answer. */
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

/** A whole part as blocks: none for what this format cannot show, two where a proof must travel beside a call. */
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

/** The opening of a call: its input follows. */
export function callHead(part: ToolCallPart, context: AnswerContext): JsonObject {
  return {
    type: "tool_use",
    id: context.callId(part.id),
    name: context.toolName(part.name),
    input: {},
    ...ownFields(part),
  };
}

/** The proof of a call, where it comes from another vendor and the caller wants what must come back. */
export function callProof(
  continuation: Continuation | undefined,
  { shown }: AnswerContext,
  belongsTo: "next" | "previous" = "next",
): JsonObject[] {
  if (!continuation || shown === "none") return [];
  return [proofCarrier({ belongsTo, continuation })];
}

/** The block of a thought that is not shown: what must come back, another vendor's with its words. */
export function bareThought(part: ReasoningPart): JsonObject[] {
  const { continuation, visibility, text } = part;
  if (!continuation) return [];
  const sealed = sealContinuation(format, text === "" ? continuation : { ...continuation, text });
  return continuation.issuer === format && visibility !== "redacted"
    ? [{ ...ownFields(part), type: "thinking", thinking: "", signature: sealed }]
    : [{ ...ownFields(part), type: "redacted_thinking", data: sealed }];
}

/** A sealed proof of nobody: clients want the field, and a replay must not reach the vendor as it is. */
const unproven = sealBeginning;

/** The signature of a thought that may have none. */
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

/** Arguments that are no object are wrapped in one: clients take nothing else. */
function callBlock(part: ToolCallPart, context: AnswerContext): JsonObject {
  const input = part.kind === "custom" ? undefined : argumentsOf(part.arguments);
  return { ...callHead(part, context), input: input ?? { input: part.arguments } };
}
