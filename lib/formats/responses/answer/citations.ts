import type { Citation, JsonObject, TextPart } from "../../../canonical/mod.ts";
import { objectsOf, textOrNothing } from "../../wire_value.ts";
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
  const url = textOrNothing(annotation.url);
  const title = textOrNothing(annotation.title) ?? textOrNothing(annotation.filename);
  const { start_index: start, end_index: end } = annotation;
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(typeof start === "number" && { start }),
    ...(typeof end === "number" && { end }),
    ...mark(annotation),
  };
}

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
