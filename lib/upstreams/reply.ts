import { GrowingBytes, lenientText, markLength } from "../bytes.ts";
import { type ErrorCode, GatewayError, isJsonObject, type JsonObject } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { Reply, WholeBody, WholeReply } from "../http/stream/answer.ts";
import { answerJsonBounds, type AnswerLimits } from "../http/stream/answer_limits.ts";
import type { Source } from "../http/stream/source.ts";
import { truncated } from "../http/stream/transcoder.ts";
import {
  JsonScan,
  JsonTooComplex,
  lateObject,
  readJson,
  readLongLate,
  type ScannedJson,
  valueOfScanned,
} from "../json/mod.ts";
import { readToEnd } from "./read_to_end.ts";
import { refusalHeaders } from "./refusal_headers.ts";
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
export function readAll(
  source: Source<Uint8Array>,
  bytesMax: number,
  see?: (chunk: Uint8Array) => void,
): Promise<Uint8Array> {
  return readToEnd(source, {
    see: (chunk, total) => {
      if (total > bytesMax) throw overlong(bytesMax);
      see?.(chunk);
    },
  });
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

/** The upstream's refusal for the caller, without details of the gateway's own settings. */
export async function refusalOf(inbound: UpstreamAnswer, codec: Codec): Promise<GatewayError> {
  const { status, headers } = inbound;
  if (status >= 300 && status < 400) return redirected(inbound);
  const error = codec.decodeError({
    status,
    headers: refusalHeaders(headers, Date.now()),
    body: jsonOrText(await refusalBytes(inbound)),
  });
  if ((status !== 401 && status !== 403) || ofCaller.has(error.code)) return error;
  return new GatewayError(
    "upstream_unauthorized",
    "The upstream rejected the gateway's credential. An administrator must replace it",
    {
      cause: error,
      upstreamStatus: status,
      ...(error.said && { said: error.said }),
    },
  );
}

/** Codes of a 403 that is about the request itself. */
const ofCaller: ReadonlySet<ErrorCode> = new Set(["content_blocked", "invalid_request"]);

/** Refuses redirects: following one would send credential and prompt to an unknown host. */
function redirected(inbound: UpstreamAnswer): GatewayError {
  const error = new GatewayError(
    "upstream_invalid_response",
    `The upstream redirects (${inbound.status}), and redirects are not followed. An administrator must correct its base URL`,
  );
  inbound.cancel(error);
  return error;
}

/** The most bytes of a refusal to read. */
const refusalBytesMax = 64 * 1024;
const refusalBounds = {
  nestingMax: 100,
  containersMax: 10_000,
  membersMax: 20_000,
  valuesMax: Infinity,
};

/** The longest wait for a refusal's body: its status is enough for failover. */
const refusalMs = 5_000;

async function refusalBytes(inbound: UpstreamAnswer): Promise<Uint8Array> {
  const timer = setTimeout(() => inbound.cancel(truncated()), refusalMs);
  try {
    return await readBeginning(inbound, refusalBytesMax);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads up to `bytesMax` of the rest, even if the connection breaks; cancels the remainder. */
export async function readBeginning(
  inbound: UpstreamAnswer,
  bytesMax: number,
): Promise<Uint8Array> {
  const all = new GrowingBytes();
  while (all.length < bytesMax) {
    const chunk = await inbound.read().catch(nothingMore);
    if (!chunk) return all.bytes();
    all.push(chunk);
  }
  inbound.cancel(
    new GatewayError("upstream_invalid_response", "The upstream's response is too long"),
  );
  return all.bytes().subarray(0, bytesMax);
}

function nothingMore(error: unknown): undefined {
  if (!(error instanceof GatewayError) || error.code !== "upstream_truncated") throw error;
}

const plainTextCharsMax = 500;

/** The JSON of a body, else the beginning of its text; empty for an HTML page. */
function jsonOrText(bytes: Uint8Array): unknown {
  const text = lenientText(bytes).trim();
  try {
    new JsonScan(refusalBounds).push(bytes);
    return JSON.parse(text);
  } catch {
    return text.startsWith("<") ? "" : text.slice(0, plainTextCharsMax);
  }
}
