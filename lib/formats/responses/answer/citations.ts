import type { Citation, JsonObject, TextPart } from "../../../canonical/mod.ts";
import { filledText, objectsOf } from "../../wire_value.ts";
import { mark, ownFields } from "../native.ts";

/** Annotations of an `output_text`. Each is also kept whole. */
export function decodeAnnotations(annotations: unknown): { citations?: readonly Citation[] } {
  const citations = objectsOf(annotations).map(decodeAnnotation);
  return citations.length === 0 ? {} : { citations };
}

/** Citations with an address, and this format's own annotations unchanged. */
export function encodeAnnotations({ text, citations }: TextPart): JsonObject[] {
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
