import {
  type Continuation,
  type ImagePart,
  type JsonObject,
  type ReasoningPart,
  sealContinuation,
  type ToolCallPart,
} from "../../../canonical/mod.ts";
import { unwrapped } from "../../request/free_text_tool.ts";
import { defined } from "../../wire_value.ts";
import type { CallIdentity } from "../caller_calls.ts";
import { defaultLogprobs } from "../content.ts";
import { proofMarks } from "../item_decoder.ts";
import { type ContentPart, encodeContent, encodeMessage } from "../item_encoder.ts";
import { format, ownFields } from "../native.ts";
import { encodeReasoningItem } from "../thoughts.ts";

/** Items of an answer, as in `output_item.done` and in the final response. */

export type ItemStatus = "in_progress" | "completed" | "incomplete";

export function messageItem(
  id: string,
  parts: readonly ContentPart[],
  status: ItemStatus,
): JsonObject {
  const last = parts.at(-1);
  const own = last && ownFields(last)?.status;
  return encodeMessage(parts, {
    id,
    status: status === "completed" ? own ?? status : status,
    content: parts.map(answerContent),
  });
}

/** A content part of an answer always has its lists, even if empty. */
export function answerContent(part: ContentPart): JsonObject {
  const encoded = encodeContent(part);
  return part.type === "text" ? defaultLogprobs(encoded) : encoded;
}

export function reasoningItem(id: string, parts: readonly ReasoningPart[]): JsonObject {
  const proven = parts.find(({ continuation }) => continuation);
  return defined({
    id,
    ...encodeReasoningItem(parts),
    status: ownFields(parts[0])?.status,
    encrypted_content: proven && proofOf(proven),
  });
}

/**
 * Clients return summaries and leave out raw content (@ai-sdk/openai, 2026-11-21), so the
 * continuation carries the text that it signs. Empty text distinguishes a reasoning without text
 * from a redacted one.
 */
function proofOf({ continuation, visibility, text }: ReasoningPart): string | undefined {
  if (!continuation) return undefined;
  const hidden = (visibility === "raw") !== (text === "") && visibility !== "redacted";
  return sealContinuation(format, hidden ? { ...continuation, text } : continuation);
}

/** The continuation of a text or a call, which have no field for it in this format. */
export function proofItem(
  id: string,
  { issuer, data }: Continuation,
  place: keyof typeof proofMarks,
): JsonObject {
  const sealed = sealContinuation(format, { issuer, data, itemId: proofMarks[place] });
  return { id, type: "reasoning", summary: [], encrypted_content: sealed };
}

export function callItem(
  id: string,
  callId: string,
  { call, identity, status }: { call: ToolCallPart; identity: CallIdentity; status: ItemStatus },
): JsonObject {
  const { name, namespace, kind } = identity;
  const own = ownFields(call);
  return defined({
    ...own,
    id,
    type: kind === "custom" ? "custom_tool_call" : "function_call",
    status: status === "completed" ? own?.status ?? status : status,
    ...(kind === "custom" ? { input: inputOf(call, identity) } : { arguments: call.arguments }),
    call_id: callId,
    name,
    namespace,
  });
}

export function inputOf(call: ToolCallPart, { wrapped }: CallIdentity): string {
  return wrapped ? unwrapped(call.arguments) : call.arguments;
}

/** A generated image as a call of the image generation tool. */
export function imageItem(
  id: string,
  { source, mediaType, ...part }: ImagePart,
): JsonObject | undefined {
  if (source.type !== "base64") return undefined;
  return {
    ...ownFields(part) ?? { output_format: (mediaType ?? "image/png").replace(/^image\//, "") },
    id,
    type: "image_generation_call",
    status: "completed",
    result: source.data,
  };
}

export function idOf(part: { readonly native?: ToolCallPart["native"] }): string | undefined {
  const id = ownFields(part)?.id;
  return typeof id === "string" && id !== "" ? id : undefined;
}
