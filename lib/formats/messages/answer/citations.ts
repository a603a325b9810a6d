import type { Citation, JsonObject } from "../../../canonical/mod.ts";
import { objectsOf, textOrNothing } from "../../wire_value.ts";
import { mark, ownFields } from "../native.ts";

/** A block's citations. They cover the whole block, whose text has `chars` UTF-16 units. */
export function decodeCitations(value: unknown, chars: number): { citations?: Citation[] } {
  const citations = objectsOf(value);
  if (citations.length === 0) return {};
  return { citations: citations.map((citation) => decodeCitation(citation, chars)) };
}

/** The citations of this format; others have no place in it. */
export function encodeCitations(citations: readonly Citation[] = []): JsonObject[] {
  return citations.map(ownFields).filter((own) => own !== undefined);
}

function decodeCitation(citation: JsonObject, chars: number): Citation {
  const source = textOrNothing(citation.source);
  const url = textOrNothing(citation.url) ??
    (source && /^https?:\/\//.test(source) ? source : undefined);
  const title = textOrNothing(citation.title) ?? textOrNothing(citation.document_title);
  const quote = textOrNothing(citation.cited_text);
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    start: 0,
    end: chars,
    ...(quote !== undefined && { quote }),
    ...mark(citation),
  };
}
