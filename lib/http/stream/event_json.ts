import { isJsonObject } from "../../canonical/mod.ts";
import { JsonScan, longText, parsedInPieces, type ParsedText, scanJson } from "../../json/mod.ts";
import { Pace } from "../../pace.ts";
import { answerJsonBounds } from "./answer.ts";
import type { SseFrame, SseReader } from "./sse.ts";

/**
 * Reads the JSON of a long event that a chunk completes, before the reader takes the chunk, with
 * turns for other work. Undefined for nearly all chunks, and for JSON that is malformed. Rejects with
 * `JsonTooComplex`.
 */
export function parseAhead(
  reader: SseReader,
  chunk: Uint8Array,
): Promise<ParsedText | undefined> | undefined {
  const data = reader.longData(chunk);
  return data && parsed(reader, data);
}

async function parsed(
  reader: SseReader,
  bytes: Uint8Array,
): Promise<ParsedText | undefined> {
  const pace = new Pace();
  const scan = new JsonScan(answerJsonBounds(reader.limits));
  await scanJson(bytes, scan, pace);
  try {
    const value = await parsedInPieces({ bytes, long: scan.long, pace });
    const text = await longText(bytes, pace);
    reader.keepData(text);
    return { text, value };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Returns true if the last event of a closed stream is complete apart from its blank line. */
export function isWholeEvent({ event }: SseFrame): boolean {
  if (event.data.trim() === "[DONE]") return true;
  try {
    return isJsonObject(JSON.parse(event.data));
  } catch {
    return false;
  }
}

/** The last events of a closed stream: a torn event after a finished answer is dropped. */
export function restOfStream(rest: readonly SseFrame[], isFinished: boolean): readonly SseFrame[] {
  return isFinished ? rest.filter(isWholeEvent) : rest;
}
