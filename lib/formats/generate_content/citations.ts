import type { Citation, JsonObject } from "../../canonical/mod.ts";
import { defined, isEmpty, listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";
import { numberOf } from "./number.ts";

/** A text of an answer, with its place among the answer's parts. */
export interface GroundedText {
  readonly partIndex: number;
  readonly text: string;
  readonly citations: readonly Citation[];
}

/**
 * The sources of one text, from the candidate's grounding. Wire offsets count UTF-8 bytes; a
 * segment that does not lie in this text belongs to another part.
 */
export function decodeCitations(candidate: JsonObject, text: string): Citation[] {
  const grounding = objectOf(candidate.groundingMetadata);
  const chunks = listOf(grounding.groundingChunks).map(sourceOf);
  const supports = objectsOf(grounding.groundingSupports);
  if (text === "" || supports.length === 0 || chunks.length === 0) return [];
  const bytes = new TextEncoder().encode(text);
  return supports.flatMap((support) => {
    const span = spanIn(text, bytes, objectOf(support.segment));
    if (!span) return [];
    return listOf(support.groundingChunkIndices).flatMap((index) => {
      const source = chunks[numberOf(index) ?? -1];
      return source ? [{ ...source, ...span }] : [];
    });
  });
}

/** The grounding that says the same; undefined where no text has a source with an address. */
export function encodeGrounding(texts: readonly GroundedText[]): JsonObject | undefined {
  const chunkAt = new Map<string, number>();
  const groundingChunks: JsonObject[] = [];
  const groundingSupports: JsonObject[] = [];
  for (const { partIndex, text, citations } of texts) {
    for (const citation of citations) {
      const { url, title } = citation;
      if (url === undefined) continue;
      const known = chunkAt.get(url) ?? groundingChunks.length;
      if (known === groundingChunks.length) {
        groundingChunks.push({ web: defined({ uri: url, title }) });
      }
      chunkAt.set(url, known);
      const segment = segmentOf(text, citation);
      groundingSupports.push({
        segment: { ...(partIndex > 0 && { partIndex }), ...segment },
        groundingChunkIndices: [known],
      });
    }
  }
  return groundingChunks.length === 0 ? undefined : { groundingChunks, groundingSupports };
}

function sourceOf(chunk: unknown): Citation | undefined {
  const { web, retrievedContext, maps, image } = objectOf(chunk);
  const found = [web, retrievedContext, maps, image].map(objectOf).find((source) =>
    !isEmpty(source)
  );
  const url = textOf(found?.uri ?? found?.sourceUri);
  const title = textOf(found?.title);
  if (url === "" && title === "") return undefined;
  return { ...(url !== "" && { url }), ...(title !== "" && { title }) };
}

function spanIn(text: string, bytes: Uint8Array, segment: JsonObject): Citation | undefined {
  const quote = textOf(segment.text);
  const from = numberOf(segment.startIndex) ?? 0;
  const to = numberOf(segment.endIndex) ?? 0;
  const start = decoded(bytes, 0, from).length;
  const slice = decoded(bytes, from, to);
  if (to > from && to <= bytes.length && (quote === "" || slice === quote)) {
    return { start, end: start + slice.length, quote: slice };
  }
  const at = quote === "" ? -1 : text.indexOf(quote);
  return at < 0 ? undefined : { start: at, end: at + quote.length, quote };
}

function decoded(bytes: Uint8Array, from: number, to: number): string {
  return new TextDecoder().decode(bytes.subarray(Math.max(0, from), Math.max(0, to)));
}

function segmentOf(text: string, { start = 0, end, quote }: Citation): JsonObject {
  const last = end ?? (quote === undefined ? text.length : start + quote.length);
  const startIndex = utf8Length(text.slice(0, start));
  return {
    ...(startIndex > 0 && { startIndex }),
    endIndex: startIndex + utf8Length(text.slice(start, last)),
    text: text.slice(start, last),
  };
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
