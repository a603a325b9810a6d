import { pipeline, Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { GatewayError, isJsonObject, type JsonObject } from "../canonical/mod.ts";
import { concatenated } from "./bytes.ts";

/** What a request body may be at most. */
export interface TextLimits {
  /** Bytes after decompression. */
  readonly bodyBytesMax: number;
  /** From the first byte to the last, in milliseconds. */
  readonly bodyTimeoutMs: number;
}

export interface BodyLimits extends TextLimits {
  /** Objects and arrays within one another. */
  readonly nestingMax: number;
}

export interface JsonBody {
  /** The text as it came, for a native pass-through. */
  readonly text: string;
  readonly value: JsonObject;
}

/**
 * Reads a JSON object from a request. Throws `unsupported_media_type`, `body_too_large`,
 * `body_timeout` or `invalid_json`. A missing content type is taken as JSON, as clients in the
 * field forget it; one that names something else is refused.
 */
export async function readJsonBody(request: Request, limits: BodyLimits): Promise<JsonBody> {
  assertJsonType(request.headers.get("content-type"));
  const text = await readTextBody(request, limits);
  return { text, value: parseObject(text, limits) };
}

/** Reads a body as the text that it is. Throws `body_too_large`, `body_timeout` or `invalid_json`. */
export async function readTextBody(request: Request, limits: TextLimits): Promise<string> {
  return decodeUtf8(await readByteBody(request, limits));
}

/** Reads a body as the bytes that it is. Throws `body_too_large` or `body_timeout`. */
export function readByteBody(request: Request, limits: TextLimits): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  return declared > limits.bodyBytesMax
    ? Promise.reject(tooLarge(limits))
    : readBytes(request, limits);
}

function assertJsonType(contentType: string | null): void {
  if (contentType === null || contentType === "") return;
  const type = contentType.split(";")[0].trim().toLowerCase();
  if (type === "application/json" || type.endsWith("+json") || type === "text/plain") return;
  throw new GatewayError(
    "unsupported_media_type",
    `Cannot read request body: content-type is ${type.slice(0, 100)}; send application/json`,
  );
}

/** A body whose length is declared and fits is read in one go, which is what nearly every client sends. */
async function readBytes(request: Request, limits: TextLimits): Promise<Uint8Array> {
  const encoding = request.headers.get("content-encoding");
  const inOneGo = encoding === null && request.headers.has("content-length");
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limits.bodyTimeoutMs);
  try {
    if (!request.body) return new Uint8Array(0);
    return inOneGo
      ? await beforeAbort(request.bytes(), abort.signal, limits)
      : await readStream(decompressed(request.body, encoding), abort.signal, limits);
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    throw new GatewayError(
      "invalid_request",
      "Cannot read request body: it broke off or its content-encoding is wrong",
      { cause },
    );
  } finally {
    clearTimeout(timer);
  }
}

function beforeAbort<T>(reading: Promise<T>, signal: AbortSignal, limits: TextLimits): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(tooSlow(limits)));
    reading.then(resolve, reject);
  });
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  limits: TextLimits,
): Promise<Uint8Array> {
  const reader = body.getReader();
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
  const bytes = await collectBytes(reader, limits);
  if (signal.aborted) throw tooSlow(limits);
  return bytes;
}

async function collectBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limits: TextLimits,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatenated(chunks);
    length += value.length;
    if (length > limits.bodyBytesMax) {
      void reader.cancel().catch(() => {});
      throw tooLarge(limits);
    }
    chunks.push(value);
  }
}

/** Undoes `content-encoding`; agents compress long conversations. */
function decompressed(
  body: ReadableStream<Uint8Array>,
  encoding: string | null,
): ReadableStream<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return body;
  if (name === "zstd") return throughZstd(body);
  const format = streamFormats.get(name);
  if (format) return body.pipeThrough(bytesOf(new DecompressionStream(format)));
  throw new GatewayError(
    "unsupported_media_type",
    "Cannot read request body: its content-encoding is unknown; send gzip, deflate, br, zstd or none",
  );
}

const streamFormats = new Map<string, CompressionFormat>([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "brotli"],
]);

function bytesOf(stream: GenericTransformStream): ReadableWritablePair<Uint8Array, Uint8Array> {
  return stream as ReadableWritablePair<Uint8Array, Uint8Array>; // sound: a DecompressionStream yields bytes
}

function throughZstd(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const plain = createZstdDecompress();
  pipeline(Readable.from(body), plain, () => {}); // an error destroys `plain`, and with it the iterator
  const chunks: AsyncIterator<Uint8Array> = plain[Symbol.asyncIterator]();
  return new ReadableStream({ // not `Readable.toWeb`: data after its cancelling ends the process (Deno 2.9.6)
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void plain.destroy(),
  }, { highWaterMark: 0 });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new GatewayError("invalid_json", "Cannot decode request: the body is not valid UTF-8", {
      cause,
    });
  }
}

function parseObject(text: string, limits: BodyLimits): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new GatewayError(
      "invalid_json",
      `Cannot decode request: the body is not valid JSON${placeOf(cause)}`,
      { cause },
    );
  }
  if (!isJsonObject(value)) {
    throw new GatewayError(
      "invalid_request",
      "Cannot decode request: the body must be a JSON object",
    );
  }
  assertNesting(value, limits.nestingMax);
  return value;
}

/** The position that the parser names, never the text around it. */
function placeOf(cause: unknown): string {
  const position = cause instanceof Error &&
    /position \d+( \(line \d+ column \d+\))?/.exec(cause.message)?.[0];
  return position ? ` at ${position}` : "";
}

/** Refuses depth that would overflow a recursive reader; walks level by level, so it cannot overflow itself. */
function assertNesting(value: JsonObject, nestingMax: number): void {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > nestingMax) {
      throw new GatewayError(
        "invalid_request",
        `Cannot decode request: the body is nested deeper than ${nestingMax} levels`,
      );
    }
    level = childrenOf(level);
  }
}

/** One list for a whole level: ten million empty arrays must not become ten million lists more. */
function childrenOf(level: readonly object[]): object[] {
  const children: object[] = [];
  for (const value of level) {
    for (const child of Object.values(value)) {
      if (typeof child === "object" && child !== null) children.push(child);
    }
  }
  return children;
}

function tooLarge({ bodyBytesMax }: TextLimits): GatewayError {
  return new GatewayError(
    "body_too_large",
    `Cannot read request body: it is larger than ${bodyBytesMax} bytes`,
  );
}

function tooSlow({ bodyTimeoutMs }: TextLimits): GatewayError {
  return new GatewayError(
    "body_timeout",
    `Cannot read request body: it did not arrive within ${bodyTimeoutMs} ms`,
  );
}
