import { isAscii } from "node:buffer";
import { withoutMark } from "../../bytes.ts";
import { GatewayError, isJsonObject } from "../../canonical/mod.ts";
import {
  AsciiText,
  type JsonBounds,
  JsonScan,
  JsonTooComplex,
  lateObject,
  readScanned,
  type ReadText,
  type ScannedJson,
  valueOfScanned,
} from "../../json/mod.ts";
import { type Admission, notUtf8, readByteBody, type TextLimits } from "./body.ts";

/** Limits of a JSON request body. */
export interface BodyLimits extends TextLimits, JsonBounds {}

/**
 * A longer body is not kept as bytes and as text: calls in flight would hold too much memory. One in
 * ASCII keeps only its bytes, and one with late members needs them in any case.
 */
const keptBytesMax = 256 * 1024;

/**
 * Reads a JSON object from a request. Throws `unsupported_media_type`, `body_too_large`,
 * `body_timeout`, `body_too_complex`, `invalid_json`, or the error of `admission`. A missing
 * content type counts as JSON, because some clients forget it; any other type is refused.
 */
export async function readJsonBody(
  request: Request,
  limits: BodyLimits,
  admission?: Admission,
): Promise<ReadText> {
  assertJsonType(request.headers.get("content-type"));
  const scan = new JsonScan(limits); // of a body in parts, so that a too complex one is not read to its end
  try {
    const bytes = await readByteBody(request, limits, { admission, seen: scan });
    const read = objectIn(bytes, limits, scan);
    return read instanceof Promise ? await read : read;
  } catch (cause) {
    return refuseUnread(cause);
  }
}

/** Reads a JSON object from bytes that have arrived; throws the same errors. */
export async function readJsonBytes(bytes: Uint8Array, limits: BodyLimits): Promise<ReadText> {
  try {
    return await objectIn(bytes, limits, new JsonScan(limits));
  } catch (cause) {
    return refuseUnread(cause);
  }
}

function objectIn(
  bytes: Uint8Array,
  limits: BodyLimits,
  scan: JsonScan,
): ReadText | Promise<ReadText> {
  const late = lateObject(bytes, limits);
  if (late) return late;
  if (scan.length === 0) scan.push(bytes); // it was read at once
  const reading = !scan.isShort && isAscii(bytes)
    ? valueOfScanned(bytes, scan)
    : readScanned(bytes, scan);
  return reading instanceof Promise
    ? reading.then((scanned) => readObject(scanned, bytes, scan))
    : readObject(reading, bytes, scan);
}

function readObject({ text, value }: ScannedJson, all: Uint8Array, scan: JsonScan): ReadText {
  if (isJsonObject(value)) {
    const bytes = withoutMark(all) as Uint8Array<ArrayBuffer>; // sound: never a shared buffer
    const rest = { body: value, repeats: scan.topMembers !== Object.keys(value).length };
    const long = bytes.length === all.length ? scan.long : undefined; // else its places moved
    return text === undefined
      ? new AsciiText(bytes, { ...rest, long })
      : { text, bytes: bytes.length <= keptBytesMax ? bytes : undefined, ...rest };
  }
  throw new GatewayError(
    "invalid_request",
    "Cannot decode request: the body must be a JSON object",
  );
}

function assertJsonType(contentType: string | null): void {
  if (contentType === "application/json" || contentType === null || contentType === "") return;
  const type = contentType.split(";")[0].trim().toLowerCase();
  if (type === "application/json" || type.endsWith("+json") || type === "text/plain") return;
  throw new GatewayError(
    "unsupported_media_type",
    `Cannot read request body: content-type is ${type.slice(0, 100)}. Send application/json`,
  );
}

function refuseUnread(cause: unknown): never {
  if (cause instanceof GatewayError) throw cause;
  if (cause instanceof JsonTooComplex) {
    throw new GatewayError("body_too_complex", `Cannot decode request: the body ${cause.message}`);
  }
  if (cause instanceof TypeError) throw notUtf8(cause);
  throw new GatewayError(
    "invalid_json",
    `Cannot decode request: the body is not valid JSON${placeOf(cause)}`,
    { cause },
  );
}

/**
 * The position in the parser's message, without the text around it; undefined for a long body,
 * which is parsed in pieces.
 */
function placeOf(cause: unknown): string {
  const position = cause instanceof Error &&
    /position \d+( \(line \d+ column \d+\))?/.exec(cause.message)?.[0];
  return position ? ` at ${position}` : "";
}
