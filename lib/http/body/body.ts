import { GrowingBytes, strictText, withoutMark } from "../../bytes.ts";
import { GatewayError } from "../../canonical/mod.ts";
import { atOnceMax, JsonTooComplex } from "../../json/mod.ts";
import { Pace } from "../../pace.ts";
import { startTimer } from "../timers.ts";
import { decompressed } from "./compression.ts";

/** Limits of a request body. */
export interface TextLimits {
  /** Bytes after decompression. */
  readonly bodyBytesMax: number;
  /** From the first byte to the last, in milliseconds. */
  readonly bodyTimeoutMs: number;
}

/** Decides whether a body may be read. May delay it, or refuse it by throwing. */
export interface Admission {
  /**
   * Called before any byte is read, with the declared length, and before the body takes more
   * memory, with the total.
   */
  take(bytes: number): Promise<void> | undefined;
}

interface ReadOptions {
  readonly admission?: Admission;
  /** Gets every chunk of a body that arrives in parts; may refuse the rest by throwing. */
  readonly seen?: { push(chunk: Uint8Array): void };
}

/** Reads a body as text. Throws `body_too_large`, `body_timeout` or `invalid_json`. */
export async function readTextBody(request: Request, limits: TextLimits): Promise<string> {
  const bytes = await readByteBody(request, limits);
  try {
    return strictText(withoutMark(bytes));
  } catch (cause) {
    throw notUtf8(cause);
  }
}

/** The error of a body that is not UTF-8 text. */
export function notUtf8(cause: unknown): GatewayError {
  return new GatewayError("invalid_json", "Cannot decode request: the body is not valid UTF-8", {
    cause,
  });
}

/**
 * Reads a body as bytes. Rejects with `body_too_large`, `body_timeout`, or the error of `admission`.
 */
export function readByteBody(
  request: Request,
  limits: TextLimits,
  { admission = admitted, seen = unseen }: ReadOptions = {},
): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limits.bodyBytesMax) return Promise.reject(tooLarge(limits));
  const reading: Reading = { limits, admission, seen, declared };
  try {
    const waiting = admission.take(declared);
    if (!waiting) return readAdmitted(request, reading);
    return waiting.then(
      () => readAdmitted(request, reading),
      (refusal) => discardRefused(request, limits, refusal),
    );
  } catch (refusal) {
    return discardRefused(request, limits, refusal);
  }
}

async function discardRefused(
  request: Request,
  limits: TextLimits,
  refusal: unknown,
): Promise<never> {
  if (request.body) await discardBody(request.body, limits);
  throw refusal;
}

function readAdmitted(request: Request, reading: Reading): Promise<Uint8Array> {
  const encoding = request.headers.get("content-encoding");
  const isAtOnce = encoding === null && reading.declared > 0 && reading.declared <= atOnceMax;
  return isAtOnce ? readAtOnce(request, reading) : readInParts(request, encoding, reading);
}

const admitted: Admission = { take: () => undefined };
const unseen = { push: () => {} };

/** Never asks for `request.body`, which makes a stream of bytes that may have arrived already. */
function readAtOnce(request: Request, { limits }: Reading): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const timer = startTimer(limits.bodyTimeoutMs, () => reject(tooSlow(limits)));
  request.bytes().then((bytes) => {
    timer.cancel();
    resolve(bytes);
  }, (cause) => {
    timer.cancel();
    reject(interrupted(cause));
  });
  return promise;
}

async function readInParts(
  request: Request,
  encoding: string | null,
  reading: Reading,
): Promise<Uint8Array> {
  try {
    if (!request.body) return new Uint8Array(0);
    return await readStream(decompressed(request.body, encoding), reading);
  } catch (cause) {
    if (cause instanceof GatewayError || cause instanceof JsonTooComplex) throw cause;
    throw interrupted(cause);
  }
}

function interrupted(cause: unknown): GatewayError {
  return new GatewayError(
    "invalid_request",
    "Cannot read request body: the upload was interrupted or its content-encoding is wrong",
    { cause },
  );
}

interface Reading extends Required<ReadOptions> {
  readonly limits: TextLimits;
  /** The declared length of the body in bytes; 0 if the request has none. */
  readonly declared: number;
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  reading: Reading,
): Promise<Uint8Array> {
  const reader = body.getReader();
  let isLate = false;
  const timer = startTimer(reading.limits.bodyTimeoutMs, () => {
    isLate = true;
    void reader.cancel().catch(() => {});
  });
  try {
    const bytes = await collectBytes(reader, reading);
    if (isLate) throw tooSlow(reading.limits);
    return bytes;
  } catch (thrown) {
    await discard(reader, reading.limits);
    throw thrown;
  } finally {
    timer.cancel();
  }
}

/** Reads and drops a refused body, within the limits, so that the caller gets the refusal. */
export async function discardBody(
  body: ReadableStream<Uint8Array>,
  limits: TextLimits,
): Promise<void> {
  await discard(body.getReader(), limits);
}

/**
 * Reads and drops the rest of a refused body before the refusal is sent: Deno.serve closes the
 * connection if an answer precedes the end of its request (2.8.2), so a caller that is still
 * sending would lose it. Limited like a body that is read.
 */
async function discard(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { bodyBytesMax, bodyTimeoutMs }: TextLimits,
): Promise<void> {
  const pace = new Pace();
  const end = () => void reader.cancel().catch(() => {});
  const timer = startTimer(bodyTimeoutMs, end);
  try {
    for (let left = bodyBytesMax; left > 0;) {
      const { done, value } = await pace.reading(reader.read());
      if (done) break;
      left -= value.length;
    }
  } catch {
    // the caller disconnected
  } finally {
    timer.cancel();
    end();
  }
}

async function collectBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { limits, admission, seen, declared }: Reading,
): Promise<Uint8Array> {
  const pace = new Pace();
  const all = new GrowingBytes(declared);
  for (;;) {
    const { done, value } = await pace.reading(reader.read());
    if (done) return all.bytes();
    const length = all.length + value.length;
    if (length > limits.bodyBytesMax) throw tooLarge(limits);
    seen.push(value);
    await admission.take(length);
    all.push(value);
  }
}

function tooLarge({ bodyBytesMax }: TextLimits): GatewayError {
  return new GatewayError(
    "body_too_large",
    `Cannot read request body: larger than ${bodyBytesMax} bytes`,
  );
}

function tooSlow({ bodyTimeoutMs }: TextLimits): GatewayError {
  return new GatewayError(
    "body_timeout",
    `Cannot read request body: the upload timed out after ${bodyTimeoutMs} ms`,
  );
}
