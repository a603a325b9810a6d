import {
  type Citation,
  isJsonObject,
  type JsonObject,
  keepLogprobs,
  type NativePart,
  type Part,
  type TextPart,
} from "../../canonical/mod.ts";
import { decodeTokens, encodeTokens } from "../answer/logprobs.ts";
import { unsupportedMedia } from "../error.ts";
import { defined, filledText, objectsOf, restOf, textOf } from "../wire_value.ts";
import { nativeContent } from "./answer/hosted_markdown.ts";
import { decodeCache, encodeCache, lifetimeOf, withBreakpoint } from "./cache.ts";
import {
  decodeAudio,
  decodeFile,
  decodeImage,
  encodeAudio,
  encodeFile,
  encodeImage,
} from "./media.ts";
import { format, keep, mark, ownFields, ownInput } from "./native.ts";
import type { Notes } from "./notes.ts";

/**
 * One part of a message's content or of a tool's output. A part of unknown type stays unchanged;
 * `native` marks it, to distinguish it from a whole item of unknown type.
 */
export function decodeContent(part: JsonObject): Part {
  switch (part.type) {
    case "input_text":
      return {
        type: "text",
        text: textOf(part.text),
        ...decodeCache(part),
        ...kept(part, ["type", "text"]),
      };
    case "output_text":
      return {
        type: "text",
        text: textOf(part.text),
        ...decodeAnnotations(part.annotations),
        ...keepLogprobs(decodeTokens(part.logprobs)),
        ...decodeCache(part),
        ...keep(outputRest(part)),
      };
    case "refusal":
      return { type: "refusal", text: textOf(part.refusal), ...kept(part, ["type", "refusal"]) };
    case "input_image":
      return decodeImage(part);
    case "input_file":
      return decodeFile(part);
    case "input_audio":
      return decodeAudio(part);
    default:
      return nativeContent(part);
  }
}

/** `output_text` of an assistant's message. */
export function encodeOutputText(part: Extract<Part, { type: "text" }>): JsonObject {
  return {
    ...ownInput(part),
    type: "output_text",
    text: part.text,
    annotations: encodeAnnotations(part),
    ...(part.logprobs && { logprobs: encodeTokens(part.logprobs, []) }),
    ...(part.cache && ownFields(part.cache) && encodeCache(part.cache)),
  };
}

export function encodeRefusal(part: Extract<Part, { type: "refusal" }>): JsonObject {
  return { ...ownInput(part), type: "refusal", refusal: part.text };
}

/**
 * A part of a user's or system message, or of a tool's output; undefined, with a note, if it has no
 * place there. Media that the format does not accept are refused, because their loss would change
 * the question.
 */
export function encodeInput(part: Part, path: string, notes: Notes): JsonObject | undefined {
  switch (part.type) {
    case "text":
      if (part.citations?.length) notes.add("inputCitations", `${path}.citations`);
      return encodeInputText(part);
    case "refusal":
      return encodeInputText(part);
    case "image":
      return withBreakpoint(encodeImage(part, path), part.cache);
    case "file":
      return withBreakpoint(encodeFile(part, path), part.cache);
    case "audio":
      return encodeAudio(part, path);
    case "video":
      throw unsupportedMedia(path, "video", format);
    case "native":
      return encodeNative(part, path, notes);
    case "reasoning":
    case "tool-call":
    case "tool-result":
      notes.add("misplaced", path);
      return undefined;
    default:
      return part satisfies never;
  }
}

function encodeInputText(part: Extract<Part, { type: "text" | "refusal" }>): JsonObject {
  return withBreakpoint({ ...ownInput(part), type: "input_text", text: part.text }, part.cache);
}

/** Encodes a part of this format unchanged, and a part of another format as text. */
function encodeNative(part: NativePart, path: string, notes: Notes): JsonObject | undefined {
  if (part.format === format && isJsonObject(part.value)) return part.value;
  const said = notes.asText(part, path);
  return said && withBreakpoint({ type: "input_text", text: said.text }, said.cache);
}

/** Encodes a list of such parts; `path` is the list's path. */
export function encodeInputs(parts: readonly Part[], path: string, notes: Notes): JsonObject[] {
  const content: JsonObject[] = [];
  for (const [index, part] of parts.entries()) {
    const at = `${path}[${index}]`;
    noteLosses(part, at, notes);
    const encoded = encodeInput(part, at, notes);
    if (encoded) content.push(encoded);
  }
  return content;
}

/** Notes the losses of an encoded part: its cache lifetime and its foreign fields. */
export function noteLosses(part: Part, path: string, notes: Notes): void {
  if (part.cache && lifetimeOf(part.cache)?.isShorter) notes.add("cacheTtl", `${path}.cache.ttl`);
  if (part.type !== "native") notes.foreign(part.native, `${path}.native`);
}

function kept(part: JsonObject, known: readonly string[]) {
  return keep(restOf(part, [...known, "prompt_cache_breakpoint"]));
}

/** Members of a text or refusal apart from its text. */
export function outputRest(part: JsonObject): JsonObject {
  return restOf(part, outputMembers);
}

const outputMembers = [
  "type",
  "text",
  "refusal",
  "annotations",
  "logprobs",
  "prompt_cache_breakpoint",
];

export function defaultLogprobs(part: JsonObject): JsonObject {
  return defined({ ...part, logprobs: part.logprobs ?? [] });
}

/** Annotations of an `output_text`. Each is also kept whole. */
export function decodeAnnotations(annotations: unknown): { citations?: readonly Citation[] } {
  const citations = objectsOf(annotations).map(decodeAnnotation);
  return citations.length === 0 ? {} : { citations };
}

/** Citations with an address, and this format's own annotations unchanged. */
function encodeAnnotations({ text, citations }: TextPart): JsonObject[] {
  return (citations ?? []).flatMap((citation) => encodeAnnotation(citation, text));
}

/** Returns true if `encodeAnnotations` leaves some of them out. */
export function losesCitations({ citations }: TextPart): boolean {
  return (citations ?? []).some((citation) => !ownFields(citation) && citation.url === undefined);
}

function decodeAnnotation(annotation: JsonObject): Citation {
  const names = namesOf.get(annotation.type) ?? ["url", "title", "filename"];
  const [url, title, filename] = ["url", "title", "filename"].map((name) =>
    names.includes(name) ? filledText(annotation[name]) : undefined
  );
  const { start_index: start, end_index: end } = annotation;
  return {
    ...(url !== undefined && { url }),
    ...((title ?? filename) !== undefined && { title: title ?? filename }),
    ...(typeof start === "number" && { start }),
    ...(typeof end === "number" && { end }),
    ...mark(annotation),
  };
}

/** The members that name the source, by the annotation's type; others may be stated beside them. */
const namesOf: ReadonlyMap<unknown, readonly string[]> = new Map<string, readonly string[]>([
  ["url_citation", ["url", "title"]],
  ["file_citation", ["filename"]],
  ["container_file_citation", ["filename"]],
  ["file_path", []],
]);

function encodeAnnotation(citation: Citation, text: string): JsonObject[] {
  const own = ownFields(citation);
  if (own) return [own];
  if (citation.url === undefined) return [];
  return [{
    type: "url_citation",
    url: citation.url,
    title: citation.title ?? "",
    start_index: citation.start ?? 0,
    end_index: citation.end ?? text.length,
  }];
}
