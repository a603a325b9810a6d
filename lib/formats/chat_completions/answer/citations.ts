import type { Citation, JsonObject, TextPart } from "../../../canonical/mod.ts";
import { defined, isEmpty, numberOrNothing, objectOf, textOrNothing } from "../../wire_value.ts";
import { extraMembers, keep, ownFields } from "../native.ts";

const citationMembers = new Set(["url", "title", "start_index", "end_index"]);
const annotationMembers = new Set(["type", "url_citation"]);

/** An annotation of a message; kinds other than `url_citation` are kept as they are. */
export function decodeCitation(annotation: JsonObject): Citation {
  if (annotation.type !== "url_citation") return keep(annotation);
  const { url, title, start_index, end_index } = objectOf(annotation.url_citation);
  const inner = extraMembers(objectOf(annotation.url_citation), citationMembers);
  return {
    ...defined({
      url: textOrNothing(url),
      title: textOrNothing(title),
      start: numberOrNothing(start_index),
      end: numberOrNothing(end_index),
    }),
    ...keep({
      ...extraMembers(annotation, annotationMembers),
      ...(!isEmpty(inner) && { url_citation: inner }),
    }),
  };
}

/** The annotations of a text that starts `offset` units into the message. This format cites addresses only. */
export function encodeCitations(
  citations: readonly Citation[],
  { text, offset }: { readonly text: string; readonly offset: number },
): JsonObject[] {
  return citations.flatMap((citation) => {
    const { url, title, start, end } = citation;
    const own = ownFields(citation) ?? {};
    if (typeof own.type === "string") return [own];
    if (url === undefined) return [];
    return [{
      ...own,
      type: "url_citation",
      url_citation: {
        ...objectOf(own.url_citation),
        start_index: offset + (start ?? 0),
        end_index: offset + (end ?? text.length),
        title: title ?? "",
        url,
      },
    }];
  });
}

/** The annotations of all texts of a message, in order. */
export function encodeAnnotations(texts: readonly TextPart[]): JsonObject[] {
  let offset = 0;
  return texts.flatMap(({ text, citations }) => {
    const annotations = encodeCitations(citations ?? [], { text, offset });
    offset += text.length;
    return annotations;
  });
}
