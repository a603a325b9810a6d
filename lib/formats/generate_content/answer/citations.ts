import type { Citation, JsonObject } from "../../../canonical/mod.ts";
import { defined, isEmpty, listOf, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { protoNumber } from "../spelling.ts";

/** A text of an answer, with its place among the answer's parts. */
export interface GroundedText {
  readonly partIndex: number;
  readonly text: string;
  readonly citations: readonly Citation[];
}

/**
 * The budget for locating an answer's citations: each text is searched for each support. Shared by
 * all texts of one candidate.
 */
export interface CitationSearch {
  charsLeft: number;
}

/**
 * A budget of three times the work for a text of 100 KB with 1,000 supports. Without a budget, an
 * answer with many texts and supports could take hours.
 */
export function freshSearch(): CitationSearch {
  return { charsLeft: 300_000_000 };
}

/** The cost of reading one support, in characters searched. */
const charsPerSupport = 500;

/**
 * The citations of one text, from the candidate's grounding. Offsets on the wire count UTF-8 bytes.
 * A segment outside this text belongs to another part. Returns nothing once the budget is spent.
 */
export function decodeCitations(
  { groundingMetadata }: JsonObject,
  text: string,
  search: CitationSearch,
): Citation[] {
  const { groundingChunks, groundingSupports } = objectOf(groundingMetadata);
  const found = listOf(groundingChunks);
  const supports = objectsOf(groundingSupports);
  if (text === "" || supports.length === 0 || found.length === 0) return [];
  search.charsLeft -= (supports.length + found.length) * (charsPerSupport + text.length);
  if (search.charsLeft < 0) return [];
  const chunks = found.map(sourceOf);
  const bytes = new TextEncoder().encode(text);
  return supports.flatMap((support) => {
    const span = spanIn(text, bytes, objectOf(support.segment));
    if (!span) return [];
    return listOf(support.groundingChunkIndices).flatMap((index) => {
      const source = chunks[protoNumber(index) ?? -1];
      return source ? [{ ...source, ...span }] : [];
    });
  });
}

/** The equivalent grounding; undefined if no text has a source with an address. */
export function encodeGrounding(texts: readonly GroundedText[]): JsonObject | undefined {
  const chunkAt = new Map<string, number>();
  const groundingChunks: JsonObject[] = [];
  const groundingSupports: JsonObject[] = [];
  for (const { partIndex, text, citations } of texts) {
    const bytesAt = utf8Offsets(text);
    for (const citation of citations) {
      const { url, title } = citation;
      if (url === undefined) continue;
      const known = chunkAt.get(url) ?? groundingChunks.length;
      if (known === groundingChunks.length) {
        groundingChunks.push({ web: defined({ uri: url, title }) });
      }
      chunkAt.set(url, known);
      const segment = segmentOf(text, citation, bytesAt);
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
  const from = protoNumber(segment.startIndex) ?? 0;
  const to = protoNumber(segment.endIndex) ?? 0;
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

/** Longer segments are given by their offsets only: many citations may each cover a whole text. */
const segmentCharsMax = 500;

function segmentOf(
  text: string,
  { start = 0, end, quote }: Citation,
  bytesAt: Uint32Array,
): JsonObject {
  const within = (at: number) => Math.min(Math.max(Math.trunc(at), 0), text.length);
  const from = within(start);
  const to = within(end ?? (quote === undefined ? text.length : start + quote.length));
  const startIndex = bytesAt[from];
  return {
    ...(startIndex > 0 && { startIndex }),
    endIndex: Math.max(bytesAt[to], startIndex),
    ...(to - from <= segmentCharsMax && { text: text.slice(from, to) }),
  };
}

/** The number of UTF-8 bytes before each unit of a text, and before its end. */
function utf8Offsets(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isLowOfPair = unit >= 0xdc00 && unit < 0xe000 && at > 0 &&
      isHigh(text.charCodeAt(at - 1));
    const bytes = isLowOfPair ? 1 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    offsets[at + 1] = offsets[at] + bytes;
  }
  return offsets;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
