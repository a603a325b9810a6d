import type { JsonValue } from "../canonical/mod.ts";
import { parsedInPieces } from "./json_pieces.ts";
import { type JsonBounds, pieceBytes, scanJson, scanShortJson } from "./json_scan.ts";
import { longText } from "./long_text.ts";
import { Pace } from "./pace.ts";

/** JSON that has been read, and its text. */
export interface ReadJson {
  readonly text: string;
  readonly value: JsonValue;
}

/**
 * The one way to read JSON of others: its complexity is bounded before anything is parsed, and what
 * is long is scanned and parsed in pieces, with turns for other work. Throws `JsonTooComplex`, a
 * `SyntaxError`, or a `TypeError` where it is not valid UTF-8.
 */
export async function readJson(bytes: Uint8Array, bounds: JsonBounds): Promise<ReadJson> {
  if (bytes.length <= pieceBytes) {
    scanShortJson(bytes, bounds);
    const text = utf8.decode(bytes);
    return { text, value: JSON.parse(text) };
  }
  const pace = new Pace();
  const plain = withoutMark(bytes);
  const long = await scanJson(plain, bounds, pace);
  const text = await longText(plain, pace);
  return { text, value: await parsedInPieces({ bytes: plain, long, pace }).catch(withoutPlace) };
}

/** A position in one of the pieces would mislead. */
function withoutPlace(cause: unknown): never {
  if (cause instanceof SyntaxError) throw new SyntaxError("The JSON is malformed", { cause });
  throw cause;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Without a byte-order mark. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
