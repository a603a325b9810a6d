import {
  type Ending,
  isJsonObject,
  type JsonObject,
  type Part,
  type ReasoningPart,
  type RefusalPart,
  type TextPart,
  type ToolCallPart,
} from "../../../canonical/mod.ts";
import { objectIn } from "../../wire_value.ts";
import { isMadeHere } from "../ids.ts";
import { encodeMedia, isMedia } from "../media.ts";
import { format, ownFields, withOwnFields } from "../native.ts";
import { wireReason } from "./finish.ts";

/** Parts of an answer on the wire; the caller adds signatures, because their position depends on the stream. */

/** Encodes a part that arrives whole; undefined if only another format has it. */
export function encodeWholePart(part: Part): JsonObject | undefined {
  if (isMedia(part)) {
    const foreign = part.source.type === "file-id" && part.source.format !== format;
    return foreign ? undefined : encodeMedia(part, "parts");
  }
  switch (part.type) {
    case "text":
    case "refusal":
      return isEmptyText(part) ? undefined : withOwnFields({ text: part.text }, part);
    case "reasoning":
      return isEmptyText(part)
        ? undefined
        : withOwnFields({ text: part.text, thought: true }, part);
    case "native":
      return part.format === format && isJsonObject(part.value) ? part.value : undefined;
    case "tool-call":
    case "tool-result":
      return undefined;
    default:
      return part satisfies never;
  }
}

function isEmptyText(part: TextPart | RefusalPart | ReasoningPart): boolean {
  return part.text === "" && !part.continuation && !ownFields(part);
}

interface CallOptions {
  /** True if the answer came in this format: then a call without an id stays without one. */
  readonly own: boolean;
  readonly fallbackId: string;
  /** Returns the name of the caller's tool. */
  readonly callerName: (name: string) => string;
}

/** Encodes a call with its arguments as an object; unreadable arguments become an empty one. */
export function encodeCall(part: ToolCallPart, options: CallOptions): JsonObject {
  const { own, fallbackId, callerName } = options;
  const full = part.namespace === undefined ? part.name : `${part.namespace}__${part.name}`;
  const id = part.id || fallbackId;
  const functionCall = {
    ...(!(own && isMadeHere(id)) && { id }),
    name: callerName(full),
    args: part.kind === "custom" ? { input: part.arguments } : objectIn(part.arguments) ?? {},
  };
  return withOwnFields({ functionCall }, part);
}

/** Returns true if the arguments can be read; no text at all means no arguments. */
export function hasReadableArguments({ kind, arguments: text }: ToolCallPart): boolean {
  return kind === "custom" || text.trim() === "" || objectIn(text) !== undefined;
}

interface CandidateFields {
  readonly index: number;
  readonly parts: readonly JsonObject[];
  readonly grounding?: JsonObject;
  /** The members that state its tokens. */
  readonly tokens: JsonObject;
}

/** Filtered answers have no content if no text came before. */
export function encodeCandidate(ending: Ending, fields: CandidateFields): JsonObject {
  const { index, parts, grounding, tokens } = fields;
  const own = ownFields(ending) !== undefined;
  const empty = parts.length === 0 ||
    (ending.finishReason === "content-filter" &&
      parts.every((part) => part.text === "" && part.thoughtSignature === undefined));
  return withOwnFields({
    ...(!empty && { content: { parts, role: "model" } }),
    finishReason: wireReason[ending.finishReason],
    index,
    ...tokens,
    ...(grounding && !own && { groundingMetadata: grounding }),
  }, ending);
}
