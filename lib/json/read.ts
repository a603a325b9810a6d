import { strictText, withoutMark } from "../bytes.ts";
import { Pace } from "../pace.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { longText } from "./long_text.ts";
import { checkedInPieces, parsedInPieces } from "./pieces.ts";
import { type JsonBounds, JsonScan, scanJson } from "./scan.ts";

interface ReadJson {
  readonly text: string;
  readonly value: JsonValue;
}

/**
 * Reads untrusted JSON: limits its complexity before parsing, and scans and parses long JSON in
 * pieces, yielding to other work. Throws `JsonTooComplex`, a `SyntaxError`, or a `TypeError` if it
 * is not valid UTF-8.
 */
export async function readJson(bytes: Uint8Array, bounds: JsonBounds): Promise<ReadJson> {
  const pace = new Pace();
  const scan = new JsonScan(bounds);
  await scanJson(bytes, scan, pace);
  return await readScanned(bytes, scan, pace);
}

/** The same for JSON that was scanned as it arrived; at once if it is short. */
export function readScanned(
  bytes: Uint8Array,
  { long, isShort }: Pick<JsonScan, "long" | "isShort">,
  pace?: Pace,
): ReadJson | Promise<ReadJson> {
  if (!isShort) return readLong(bytes, long, pace ?? new Pace());
  return readShort(bytes);
}

function readShort(bytes: Uint8Array): ReadJson {
  const text = strictText(withoutMark(bytes));
  return { text, value: JSON.parse(text) };
}

async function readLong(
  bytes: Uint8Array,
  long: JsonScan["long"],
  pace: Pace,
): Promise<ReadJson> {
  await pace.giveWay();
  const text = await longText(withoutMark(bytes), pace);
  return { text, value: await longValue(bytes, long, pace) };
}

/** Like `readScanned`, but without the text if it is long. */
export function valueOfScanned(
  bytes: Uint8Array,
  scan: Pick<JsonScan, "long" | "isShort">,
): ScannedJson | Promise<ScannedJson> {
  return scan.isShort
    ? readShort(bytes)
    : longValue(bytes, scan.long, new Pace()).then((value) => ({ value }));
}

/**
 * Reads a long JSON object of which little is needed: its long members are checked, and parsed when
 * they are first read. Throws like `readJson`.
 */
export async function readLongLate(bytes: Uint8Array, bounds: JsonBounds): Promise<JsonObject> {
  const pace = new Pace();
  const scan = new JsonScan(bounds);
  await scanJson(bytes, scan, pace);
  return await checkedInPieces({ bytes, long: scan.long, pace }).catch(withoutPlace);
}

/** JSON whose text is absent if it is long. */
export type ScannedJson = Pick<ReadJson, "value"> & Partial<ReadJson>;

function longValue(bytes: Uint8Array, long: JsonScan["long"], pace: Pace): Promise<JsonValue> {
  return parsedInPieces({ bytes, long, pace }).catch(withoutPlace);
}

/** Removes a position within a piece, which would be misleading. */
function withoutPlace(cause: unknown): never {
  if (cause instanceof SyntaxError) throw new SyntaxError("The JSON is malformed", { cause });
  throw cause;
}
