import { GrowingBytes, lenientText } from "../bytes.ts";
import { type ErrorCode, GatewayError } from "../canonical/mod.ts";
import type { Codec } from "../formats/codec.ts";
import type { WireError } from "../formats/wire.ts";
import { truncated } from "../http/stream/transcoder.ts";
import { JsonScan } from "../json/mod.ts";
import type { UpstreamAnswer } from "./send.ts";

/** A cloud's error in the words and with the status of a vendor. */
type CloudRefusal = (wire: WireError, nowMs: number) => WireError;

/**
 * The upstream's refusal for the caller, without details of the gateway's own settings. A cloud's is
 * read by `ofCloud`.
 */
export async function refusalOf(
  inbound: UpstreamAnswer,
  codec: Codec,
  ofCloud?: CloudRefusal,
): Promise<GatewayError> {
  if (inbound.status >= 300 && inbound.status < 400) return redirected(inbound);
  const nowMs = Date.now();
  const said = {
    status: inbound.status,
    headers: refusalHeaders(inbound.headers, nowMs),
    body: jsonOrText(await refusalBytes(inbound)),
  };
  const wire = ofCloud ? ofCloud(said, nowMs) : said;
  const { status } = wire;
  const error = codec.decodeError(wire);
  if ((status !== 401 && status !== 403) || ofCaller.has(error.code)) return error;
  return new GatewayError(
    "upstream_unauthorized",
    ofCloud && status === 403 ? modelRefused : credentialRefused,
    {
      cause: error,
      upstreamStatus: status,
      ...(error.said && { said: error.said }),
    },
  );
}

const credentialRefused =
  "The upstream rejected the gateway's credential. An administrator must replace it";
const modelRefused =
  "The cloud refuses this model to the gateway: it is not enabled there, not in this region or not among the credential's rights. An administrator must check that";

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

/**
 * The lower-case headers of an upstream's refusal, with a `retry-after` date converted to seconds
 * (RFC 9110, 10.2.3), because codecs have no clock. The current time is the upstream's own `date`
 * if it sends one, so that a wrong clock there does no harm.
 */
export function refusalHeaders(
  headers: Headers,
  nowMs: number,
): Readonly<Record<string, string>> {
  const plain = Object.fromEntries(headers);
  const until = dateIn(plain["retry-after"]);
  if (until === undefined) return plain;
  const seconds = Math.max(0, Math.ceil((until - (dateIn(plain.date) ?? nowMs)) / 1000));
  return { ...plain, "retry-after": String(seconds) };
}

/** Parses an HTTP date, which begins with a weekday, to epoch milliseconds; else undefined. */
function dateIn(text: string | undefined): number | undefined {
  const ms = text !== undefined && /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
