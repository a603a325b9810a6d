import {
  isJsonObject,
  type JsonObject,
  type NativePart,
  type Part,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../../canonical/mod.ts";
import { unsupported, unsupportedMedia } from "../error.ts";
import { defined, objectIn } from "../wire_value.ts";
import { encodeCitations } from "./content.ts";
import { encodeCache } from "./cache.ts";
import { safeCallId } from "./ids.ts";
import { encodeFile, encodeImage } from "./media.ts";
import { format, ownFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";
import { encodeOwnThinking } from "./thoughts.ts";

/** A single plain text block becomes a string. */
export function contentOf(blocks: readonly JsonObject[]): string | readonly JsonObject[] {
  const [only] = blocks;
  const plain = blocks.length === 1 && only?.type === "text" && Object.keys(only).length === 2;
  return plain && typeof only.text === "string" ? only.text : blocks;
}

interface Place {
  readonly role: Turn["role"] | "tool-result";
  readonly path: string;
}

export function encodePart(part: Part, place: Place, context: RequestContext): JsonObject[] {
  const { path, role } = place;
  switch (part.type) {
    case "text":
      return encodeText(part, path, context);
    case "refusal":
      context.notes.add("refusal", path);
      return encodeText({ type: "text", text: part.text }, path, context);
    case "image":
    case "file":
    case "audio":
    case "video":
      return encodeMedium(part, place, context);
    case "reasoning":
      return encodeReasoningPart(part, place, context);
    case "tool-call":
      return role === "assistant" ? [encodeToolUse(part, path, context)] : misplaced(path, context);
    case "tool-result":
      return role === "user" ? [encodeToolResult(part, path, context)] : misplaced(path, context);
    case "native":
      return encodeNative(part, path, context);
    default:
      return part satisfies never;
  }
}

function misplaced(path: string, { notes }: RequestContext): JsonObject[] {
  notes.add("misplaced", path);
  return [];
}

/** The vendor refuses text of white space only; a caller of this format gets the vendor's own error. */
export function encodeText(part: TextPart, path: string, context: RequestContext): JsonObject[] {
  const { native, cache, text } = part;
  const cached = encodeCache(cache, path, context);
  const own = ownFields(part);
  if (isJsonObject(own?.block)) return [{ ...own.block, ...cached }];
  if (text.trim() === "" && !context.own) return [];
  context.notes.foreign(native, `${path}.native`);
  const citations = encodeCitations(part.citations);
  if (citations.length < (part.citations?.length ?? 0)) {
    context.notes.add("citations", `${path}.citations`);
  }
  return [{ ...own, type: "text", text, ...(citations.length > 0 && { citations }), ...cached }];
}

type Medium = Extract<Part, { type: "image" | "file" | "audio" | "video" }>;

function encodeMedium(part: Medium, { role, path }: Place, context: RequestContext): JsonObject[] {
  if (role === "system") return misplaced(path, context);
  if (role === "assistant" && !context.own) return encodeAssistantMedium(part, path, context);
  switch (part.type) {
    case "image":
      return [encodeImage(part, path, context)];
    case "file":
      return [encodeFile(part, path, context)];
    case "audio":
    case "video":
      throw unsupportedMedia(path, part.type, format);
    default:
      return part satisfies never;
  }
}

function encodeAssistantMedium(part: Medium, path: string, context: RequestContext): JsonObject[] {
  const transcript = part.type === "audio" ? part.transcript : undefined;
  context.notes.add(transcript ? "transcript" : "assistantMedia", path);
  return transcript ? [{ type: "text", text: transcript }] : [];
}

function encodeReasoningPart(
  part: Extract<Part, { type: "reasoning" }>,
  { role, path }: Place,
  context: RequestContext,
): JsonObject[] {
  const block = role === "assistant" ? encodeOwnThinking(part) : undefined;
  if (!block) context.notes.add(role === "assistant" ? "reasoning" : "misplaced", path);
  return block ? [block] : [];
}

function encodeToolUse(part: ToolCallPart, path: string, context: RequestContext): JsonObject {
  context.notes.foreign(part.native, `${path}.native`);
  return {
    ...ownFields(part),
    type: "tool_use",
    id: safeCallId(part.id),
    name: sentToolName(part, context),
    input: inputOf(part, path, context),
    ...encodeCache(part.cache, path, context),
  };
}

/** Arguments are an object here; free text becomes its one member, as in the emulated tool's schema. */
function inputOf(part: ToolCallPart, path: string, { notes }: RequestContext): JsonObject {
  if (part.kind === "custom") return { input: part.arguments };
  const input = argumentsOf(part.arguments);
  if (!input) notes.add("callArguments", `${path}.arguments`);
  return input ?? { input: part.arguments };
}

/** Arguments as an object; undefined if they are not one. No arguments become an empty object. */
export function argumentsOf(text: string): JsonObject | undefined {
  return text.trim() === "" ? {} : objectIn(text);
}

function encodeToolResult(part: ToolResultPart, path: string, context: RequestContext): JsonObject {
  context.notes.foreign(part.native, `${path}.native`);
  const blocks = part.parts.flatMap((inner, at) =>
    encodePart(inner, { role: "tool-result", path: `${path}.parts[${at}]` }, context)
  );
  return defined({
    ...ownFields(part),
    type: "tool_result",
    tool_use_id: safeCallId(part.callId),
    content: blocks.length > 0 ? contentOf(blocks) : undefined,
    is_error: part.isError || undefined,
    ...encodeCache(part.cache, path, context),
  });
}

/** Throws for a reference to an item that only another vendor's server stores. */
function encodeNative(
  part: NativePart,
  path: string,
  context: RequestContext,
): JsonObject[] {
  const { value } = part;
  if (part.format === format) return isJsonObject(value) ? [value] : [];
  if (isJsonObject(value) && value.type === "item_reference") {
    throw unsupported(
      path,
      "refers to an item that the upstream does not have. Send the whole item",
    );
  }
  const said = context.notes.asText(part, path);
  return said ? encodeText(said, path, context) : [];
}
