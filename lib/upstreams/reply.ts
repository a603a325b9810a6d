import { GrowingBytes, lenientText, markLength } from "../bytes.ts";
import { GatewayError, isJsonObject, type JsonObject } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import {
  answerJsonBounds,
  type AnswerLimits,
  type Reply,
  type WholeBody,
  type WholeReply,
} from "../http/stream/answer.ts";
import type { Source } from "../http/stream/source.ts";
import {
  JsonScan,
  JsonTooComplex,
  lateObject,
  readJson,
  readLongLate,
  type ScannedJson,
  valueOfScanned,
} from "../json/mod.ts";
import { refusalOf } from "./refusal.ts";
import type { UpstreamAnswer } from "./send.ts";

/** The bounds of a whole answer. */
export type WholeLimits = Pick<
  AnswerLimits,
  "answerBytesMax" | "nestingMax" | "answerContainersMax"
>;

type WireReply = Extract<Reply, { type: "stream" | "whole" }>;

/** Classifies an upstream's answer as stream or whole. Throws its refusal. */
export function replyOf(
  inbound: UpstreamAnswer,
  codec: Codec,
  limits: WholeLimits,
): Promise<WireReply> {
  return isSmallJson(inbound)
    ? smallReply(inbound, codec, limits)
    : recognizedReply(inbound, codec, limits);
}

async function recognizedReply(
  inbound: UpstreamAnswer,
  codec: Codec,
  limits: WholeLimits,
): Promise<WireReply> {
  if (inbound.status !== 200) throw await refusalOf(inbound, codec);
  const { isStream, source } = await recognized(inbound);
  if (isStream) return { type: "stream", codec, source };
  const { bytes, read } = await readWhole(source, limits);
  return { type: "whole", codec, ...wholeBodyOf(bytes, read) };
}

/** Reads a small JSON body in one step, without a promise for each of its parts. */
async function smallReply(
  inbound: UpstreamAnswer,
  codec: Codec,
  limits: WholeLimits,
): Promise<WholeReply> {
  const bytes = bounded(await inbound.readRest(), limits);
  const scan = new JsonScan(answerJsonBounds(limits));
  try {
    scan.push(bytes);
    const read = valueOfScanned(bytes, scan);
    return {
      type: "whole",
      codec,
      ...wholeBodyOf(bytes, read instanceof Promise ? await read : read),
    };
  } catch (cause) {
    throw unread(cause);
  }
}

/** Reads an answer that is always a JSON object. Throws the upstream's refusal. */
export async function readAnswer(
  inbound: UpstreamAnswer,
  codec: Codec,
  limits: WholeLimits,
): Promise<JsonObject> {
  return objectOf(await readAnswerJson(inbound, codec, limits));
}

/** Reads an answer that is any JSON, such as a list. Throws the upstream's refusal. */
export async function readAnswerJson(
  inbound: UpstreamAnswer,
  codec: Codec,
  limits: WholeLimits,
): Promise<unknown> {
  if (inbound.status !== 200) throw await refusalOf(inbound, codec);
  return (await readWhole(inbound, limits)).read.value;
}

const smallBytes = 1024 * 1024;
/** Checking JSON of this weight takes some milliseconds; it is hardly ever parsed. */
const lateWeightMax = 8 * 1024 * 1024;

/** Returns true for uncompressed JSON with a small declared length, to read in one step. */
function isSmallJson({ status, headers }: UpstreamAnswer): boolean {
  if (status !== 200) return false;
  const length = headers.get("content-length");
  return length !== null && Number(length) <= smallBytes && !headers.has("content-encoding") &&
    (headers.get("content-type") ?? "").startsWith("application/json");
}

/** The longest name of a field with its colon: `event:`, `retry:`. */
const fieldChars = 6;
/** The most leading white space of a stream. */
const blankBytesMax = 64 * 1024;

/** Detects a stream by its content type, or by its first characters if the type is wrong. */
async function recognized(
  inbound: UpstreamAnswer,
): Promise<{ readonly isStream: boolean; readonly source: Source<Uint8Array> }> {
  const type = inbound.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) return { isStream: true, source: inbound };
  const waiting: Uint8Array[] = [];
  let begin = "";
  for (let length = 0; begin.length < fieldChars && length < blankBytesMax;) {
    const chunk = await inbound.read();
    if (!chunk) break;
    waiting.push(chunk);
    length += chunk.length;
    begin = (begin + lenientText(chunk.subarray(0, 64))).trimStart();
  }
  return { isStream: /^(data|event|id|retry)?:/.test(begin), source: after(waiting, inbound) };
}

function after(waiting: Uint8Array[], inbound: UpstreamAnswer): Source<Uint8Array> {
  return {
    cancel: (reason) => inbound.cancel(reason),
    release: () => inbound.release(),
    read: () => {
      const chunk = waiting.shift();
      return chunk ? Promise.resolve(chunk) : inbound.read();
    },
  };
}

/** Reads a whole body. `see` receives every chunk, and may throw to refuse the rest. */
export async function readAll(
  source: Pick<Source<Uint8Array>, "read">,
  bytesMax: number,
  see?: (chunk: Uint8Array) => void,
): Promise<Uint8Array> {
  const all = new GrowingBytes();
  for (let chunk = await source.read(); chunk; chunk = await source.read()) {
    if (all.length + chunk.length > bytesMax) throw overlong(bytesMax);
    see?.(chunk);
    all.push(chunk);
  }
  return all.bytes();
}

/** The text is the content, unless it lacks the byte-order mark. */
function wholeBodyOf(bytes: Uint8Array, { value, text }: ScannedJson): WholeBody {
  const isWhole = text !== undefined && markLength(bytes) === 0;
  return { content: isWhole ? text : bytes, body: objectOf(value) };
}

/**
 * The JSON object of an answer of which little is read, and its bytes: long objects and arrays, such
 * as vectors, are checked, and parsed only if something reads them; in pieces if all of it is read.
 */
export async function readLate(
  inbound: UpstreamAnswer,
  limits: WholeLimits,
  isReadWhole: (body: JsonObject) => boolean = () => false,
): Promise<{ readonly bytes: Uint8Array; readonly body: JsonObject }> {
  const bounds = { ...answerJsonBounds(limits), valuesMax: Infinity }; // they are dropped at once
  try {
    const bytes = isSmallJson(inbound)
      ? bounded(await inbound.readRest(), limits)
      : await readAll(inbound, limits.answerBytesMax);
    if (bytes.length > lateWeightMax) {
      const body = await readLongLate(bytes, bounds);
      if (!isReadWhole(body)) return { bytes, body };
      return { bytes, body: objectOf((await readJson(bytes, answerJsonBounds(limits))).value) };
    }
    const late = lateObject(bytes, bounds, lateWeightMax);
    return { bytes, body: late?.body ?? objectOf((await readJson(bytes, bounds)).value) };
  } catch (cause) {
    throw unread(cause);
  }
}

function bounded(bytes: Uint8Array, { answerBytesMax }: WholeLimits): Uint8Array {
  if (bytes.length > answerBytesMax) throw overlong(answerBytesMax);
  return bytes;
}

async function readWhole(
  source: Source<Uint8Array>,
  limits: WholeLimits,
): Promise<{ readonly bytes: Uint8Array; readonly read: ScannedJson }> {
  const scan = new JsonScan(answerJsonBounds(limits));
  try {
    const bytes = await readAll(source, limits.answerBytesMax, (chunk) => scan.push(chunk));
    return { bytes, read: await valueOfScanned(bytes, scan) };
  } catch (cause) {
    const error = unread(cause);
    source.cancel(error);
    throw error;
  }
}

function unread(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  const problem = cause instanceof JsonTooComplex ? cause.message : "is not valid JSON";
  return new GatewayError("upstream_invalid_response", `The upstream's response ${problem}`, {
    cause,
  });
}

function overlong(bytesMax: number): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    `The upstream's response is longer than ${bytesMax} bytes`,
  );
}

function objectOf(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw new GatewayError(
    "upstream_invalid_response",
    "The upstream's response is not a JSON object",
  );
}
