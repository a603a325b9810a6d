import {
  type ImagePart,
  isJsonObject,
  type JsonObject,
  type NativeFields,
  type NativePart,
  type Part,
  type ReasoningPart,
  type RefusalPart,
  type TextPart,
  type ToolCallPart,
} from "../../canonical/mod.ts";
import { defined, objectOf, objectsOf, restOf, textOf, textOrNothing } from "../wire_value.ts";
import { nativeItem } from "./answer/hosted_markdown.ts";
import { approvalCall } from "./approval.ts";
import { decodeContent, encodeOutputText, encodeRefusal } from "./content.ts";
import { isMadeHere } from "./ids.ts";
import { format, keep, mark, ownFields } from "./native.ts";
import { decodeReasoningItem } from "./reasoning.ts";

/** Decodes an item of the assistant, from a request's history or an answer's output. */
export function decodeAssistantItem(item: JsonObject, type: string): Part[] {
  switch (type) {
    case "message":
      return decodeMessage(item);
    case "reasoning":
      return decodeReasoningItem(item);
    case "function_call":
    case "custom_tool_call":
      return [decodeCall(item, type)];
    default:
      return [nativeItem(item)];
  }
}

/**
 * Decodes an item of an answer: unlike in a history, a generated image is an image, and a request
 * for approval is a call.
 */
export function decodeOutputItem(item: JsonObject): Part[] {
  const type = textOf(item.type);
  const nameless = isCallType(type) && textOf(item.name) === "";
  if (nameless) return [nativeItem(item)]; // it calls nothing, in any format
  const call = approvalCall(item);
  if (call) return [{ ...nativeItem(item), call }];
  return type === "image_generation_call"
    ? [decodeImageCall(item)]
    : decodeAssistantItem(item, type);
}

/** Returns true for an item that calls a tool of the caller. */
export function isCallType(type: string): boolean {
  return type === "function_call" || type === "custom_tool_call";
}

/** Copies the fields of a message to each of its parts; parts with the same id belong to one message. */
function decodeMessage(item: JsonObject): Part[] {
  const fields = messageFields(item);
  const parts = typeof item.content === "string"
    ? [{ type: "text", text: item.content } as const]
    : objectsOf(item.content).map(decodeContent);
  if (parts.length === 0) return [nativeItem(item)];
  return parts.map((part) => withFields(part, fields));
}

/** The fields of a message itself, without an id of this gateway. */
export function messageFields(item: JsonObject): JsonObject {
  const { id, status, phase } = item;
  const rest = restOf(item, ["type", "role", "content", "id", "status", "phase"]);
  return {
    ...(typeof id === "string" && !isMadeHere(id) && { id }),
    ...(typeof status === "string" && { status }),
    ...(typeof phase === "string" && { phase }),
    ...(Object.keys(rest).length > 0 && { item: rest }),
  };
}

export function withFields(part: Part, fields: JsonObject): Part {
  const own = part.type === "native" ? {} : ownFields(part) ?? {};
  const all = { ...own, ...fields };
  return { ...part, ...(part.type === "native" ? mark(all) : keep(all)) };
}

/** A call; empty arguments, or an object instead of text, become JSON text. */
export function decodeCall(item: JsonObject, type: string): ToolCallPart {
  const custom = type === "custom_tool_call";
  const namespace = textOrNothing(item.namespace);
  return {
    type: "tool-call",
    id: textOf(item.call_id) || textOf(item.id),
    name: textOf(item.name),
    arguments: custom ? textOf(item.input) : argumentsOf(item.arguments),
    kind: custom ? "custom" : "function",
    ...(namespace && { namespace }),
    ...(item.async === true && { async: true }),
    ...keep(callFields(item)),
  };
}

/** The item of a call with its arguments, unless it states them itself. */
export function withArguments(item: JsonObject, text: string): JsonObject {
  return textOf(item.arguments) || textOf(item.input)
    ? item
    : { ...item, ...(item.type === "custom_tool_call" ? { input: text } : { arguments: text }) };
}

export function callFields(item: JsonObject): JsonObject {
  const known = ["type", "call_id", "name", "arguments", "input", "namespace"];
  return restOf(item, isMadeHere(textOf(item.id)) ? [...known, "id"] : known);
}

function argumentsOf(value: unknown): string {
  if (isJsonObject(value)) return JSON.stringify(value);
  return textOf(value) || "{}";
}

/** A finished image call; an unfinished one stays unchanged. */
function decodeImageCall(item: JsonObject): ImagePart | Part {
  const data = textOrNothing(item.result);
  if (!data) return nativeItem(item);
  return {
    type: "image",
    source: { type: "base64", data },
    mediaType: `image/${textOf(item.output_format) || "png"}`,
    ...mark(restOf(item, ["result"])),
  };
}

/** The continuation of a text or a call travels in a reasoning item of its own, before or after it. */
export const proofMarks = { next: "@next", previous: "@previous" } as const;

export function proofPlace(part: Part): "next" | "previous" | undefined {
  if (part.type !== "reasoning" || part.text !== "") return undefined;
  const mark = part.continuation?.itemId;
  return mark === proofMarks.next ? "next" : mark === proofMarks.previous ? "previous" : undefined;
}

/** The content of a message: text, a refusal, or a part of unknown type. */
export type ContentPart =
  | TextPart
  | RefusalPart
  | (NativePart & { readonly native: NativeFields });

type Group =
  | { readonly type: "message"; readonly parts: ContentPart[] }
  | { readonly type: "reasoning"; readonly parts: ReasoningPart[] }
  | { readonly type: "part"; readonly part: Exclude<Part, TextPart | RefusalPart | ReasoningPart> };

/** Groups the assistant's parts by the items that they form, in order. */
export function groupsOf(parts: readonly Part[]): Group[] {
  const groups: Group[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (isContent(part)) {
      if (last?.type === "message" && sameItem(last.parts[0], part)) last.parts.push(part);
      else groups.push({ type: "message", parts: [part] });
    } else if (part.type === "reasoning") {
      if (last?.type === "reasoning" && sameReasoning(last.parts[0], part)) last.parts.push(part);
      else groups.push({ type: "reasoning", parts: [part] });
    } else groups.push({ type: "part", part });
  }
  return groups;
}

/** A native part with fields of its own came from a message's content; others are whole items. */
export function isContent(part: Part): part is ContentPart {
  return part.type === "text" || part.type === "refusal" ||
    (part.type === "native" && part.native !== undefined && part.format === format);
}

/** Parts without ids share a message. */
export function sameItem(a: Part, b: Part): boolean {
  return ownFields(a)?.id === ownFields(b)?.id;
}

/** Two pieces of reasoning belong to one item only if they have the same id. */
export function sameReasoning(a: Part, b: Part): boolean {
  const id = ownFields(a)?.id;
  return id !== undefined && id === ownFields(b)?.id;
}

/** The members of a message apart from its content: the fields kept by its parts, then the given ones. */
export function encodeMessage(parts: readonly ContentPart[], given: JsonObject): JsonObject {
  const own = parts.length > 0 ? ownFields(parts[0]) ?? {} : {};
  return defined({
    ...objectOf(own.item),
    id: own.id,
    type: "message",
    status: own.status,
    content: parts.map(encodeContent),
    phase: own.phase,
    role: "assistant",
    ...given,
  });
}

export function encodeContent(part: ContentPart): JsonObject {
  switch (part.type) {
    case "text":
      return encodeOutputText(part);
    case "refusal":
      return encodeRefusal(part);
    case "native":
      return isJsonObject(part.value) ? part.value : {};
    default:
      return part satisfies never;
  }
}
