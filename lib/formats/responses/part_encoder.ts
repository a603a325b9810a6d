import {
  isJsonObject,
  type JsonObject,
  type Part,
  type ReasoningPart,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from "../../canonical/mod.ts";
import { asToolError } from "../request/tools.ts";
import { defined, objectOf, restOf } from "../wire_value.ts";
import { approvalResponse } from "./approval.ts";
import { encodeInputs } from "./content.ts";
import { reasoningIdOf, safeCallId } from "./ids.ts";
import { encodeMessage } from "./items.ts";
import { format, ownFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";
import { encodeReasoningItem } from "./reasoning.ts";

export interface TurnContext extends RequestContext {
  /** The kinds of calls by id: a result must have the kind of its call. */
  readonly kinds: ReadonlyMap<string, ToolCallPart["kind"]>;
  /** The items of calls that requested approval, by the call's id. */
  readonly approvals: ReadonlyMap<string, JsonObject>;
}

export function encodePart(
  part: Exclude<Part, TextPart | ReasoningPart | { type: "refusal" }>,
  path: string,
  context: TurnContext,
): JsonObject[] {
  switch (part.type) {
    case "tool-call":
      return [encodeCall(part, context)];
    case "tool-result":
      return [encodeResult(part, path, context)];
    case "native": {
      if (isWholeItem(part)) return [objectOf(part.value)];
      const said = context.notes.asText(part, path);
      return said ? [encodeMessage([said], {})] : [];
    }
    case "image": {
      const own = ownFields(part);
      if (own?.type === "image_generation_call" && part.source.type === "base64") {
        return [{ ...own, result: part.source.data }];
      }
      context.notes.add("assistantMedia", path);
      return [];
    }
    case "audio": {
      const { transcript } = part;
      context.notes.add(transcript ? "transcript" : "assistantMedia", path);
      return transcript ? [encodeMessage([{ type: "text", text: transcript }], {})] : [];
    }
    case "video":
    case "file":
      context.notes.add("assistantMedia", path);
      return [];
    default:
      return part satisfies never;
  }
}

/**
 * A reasoning item: this format's own unchanged, another's only with a continuation of this vendor.
 * The vendor refuses a trailing one, so it is left out.
 */
export function encodeReasoning(
  parts: readonly ReasoningPart[],
  last: boolean,
  place: (part: Part) => string,
  { notes }: TurnContext,
): JsonObject[] {
  const own = ownFields(parts[0]);
  const foreign = parts.some(({ continuation }) => continuation && continuation.issuer !== format);
  const proof = parts.map(({ continuation }) => continuation).find((found) =>
    found?.issuer === format
  );
  if (foreign || (!proof && !own) || (last && !own)) {
    for (const part of parts) notes.add("reasoning", place(part));
    return [];
  }
  const id = own?.id ?? (proof && (proof.itemId ?? reasoningIdOf(proof.data)));
  return [defined({
    id,
    status: own?.status,
    ...encodeReasoningItem(parts),
    encrypted_content: proof?.data,
  })];
}

export function encodeCall(part: ToolCallPart, context: TurnContext): JsonObject {
  const approval = context.approvals.get(part.id);
  if (approval) return approval;
  const custom = part.kind === "custom";
  return defined({
    ...ownFields(part),
    type: custom ? "custom_tool_call" : "function_call",
    call_id: safeCallId(part.id),
    name: sentToolName(part, context),
    ...(custom ? { input: part.arguments } : { arguments: part.arguments || "{}" }),
    namespace: part.namespace,
  });
}

export function encodeResult(part: ToolResultPart, path: string, context: TurnContext): JsonObject {
  const approval = context.approvals.get(part.callId);
  if (approval) return approvalResponse(approval, part);
  const kind = context.kinds.get(part.callId) ?? part.kind;
  const own = ownFields(part);
  return defined({
    ...own,
    type: kind === "custom" ? "custom_tool_call_output" : "function_call_output",
    call_id: own?.call_id === null ? undefined : safeCallId(part.callId),
    output: outputOf(part, path, context),
  });
}

/** A single plain text becomes a string; no content becomes an empty one, because `output` is required. */
function outputOf(
  part: ToolResultPart,
  path: string,
  { notes }: TurnContext,
): string | JsonObject[] {
  const content = encodeInputs(part.parts, `${path}.parts`, notes);
  if (part.isError) notes.add("toolError", `${path}.isError`);
  const said = part.isError ? asToolError(content, "input_text") : content;
  if (said.length === 0) return "";
  const [first] = said;
  const plain = said.length === 1 && first.type === "input_text" &&
    Object.keys(restOf(first, ["type", "text"])).length === 0;
  return plain ? String(first.text) : said;
}

export function isWholeItem(part: Part): part is Extract<Part, { type: "native" }> {
  return part.type === "native" && part.format === format && part.native === undefined &&
    isJsonObject(part.value);
}
