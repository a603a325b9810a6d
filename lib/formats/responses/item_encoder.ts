import {
  isJsonObject,
  type JsonObject,
  type NativeFields,
  type NativePart,
  type Part,
  type ReasoningPart,
  type RefusalPart,
  type TextPart,
} from "../../canonical/mod.ts";
import { defined, objectOf } from "../wire_value.ts";
import { encodeOutputText, encodeRefusal } from "./content.ts";
import { format, ownFields } from "./native.ts";

/** The content of a message: text, a refusal, or a part of unknown type. */
export type ContentPart =
  | TextPart
  | RefusalPart
  | (NativePart & { readonly native: NativeFields });

/** Parts of one item. */
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
