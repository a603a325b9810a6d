import {
  type CanonicalRequest,
  type FormatName,
  GatewayError,
  type TokenBucket,
} from "../canonical/mod.ts";
import type { PriceTerms } from "../formats/billing.ts";
import type { Codec, Envelope } from "../formats/codec.ts";
import type { Dialect } from "../formats/dialect.ts";
import type { WireRequest } from "../formats/wire.ts";
import type { ReadText } from "../json/mod.ts";
import type { Admission } from "./body/body.ts";
import { assertBoundOnce } from "./body/bound_members.ts";
import { type BodyLimits, readJsonBody } from "./body/json_body.ts";
import type { Call } from "./call.ts";

/** A request that was read, and is decoded only on demand. */
export interface Decoded {
  readonly wire: WireRequest;
  /** The body with its original text. */
  readonly read: ReadText;
  readonly envelope: Envelope;
  /** Present if the gateway stores the history: the upstream that made each seal in it. */
  readonly seals?: ReadonlyMap<string, string>;
  /** The caller's format; absent for a relayed request. */
  readonly format?: FormatName;
  /** The members of the request that change its price; absent for a relayed request. */
  readonly terms?: PriceTerms;
  /** Maximum tokens of files in addition to the body's text. */
  readonly fileTokens?: number;
  /** True if its body cannot state an output limit. */
  readonly unlimitable?: boolean;
  /** For a relayed request: true if it is billed only for its texts. */
  readonly billsText?: boolean;
  /** Buckets that its usage may fill, whatever its body contains. */
  readonly fills?: readonly TokenBucket[];
  /** The whole request in canonical form, created on first use: a native pass-through never needs it. */
  canonical(): CanonicalRequest;
}

const modelCharsMax = 256;

/** Reads and checks a request's body. Throws the errors of `readJsonBody` and of the codec's `envelope`. */
export function decode(
  call: Call,
  limits: BodyLimits,
  admission?: Admission,
): Promise<Decoded> {
  return readJsonBody(call.request, limits, admission).then((read) => decodedCall(call, read));
}

function decodedCall(call: Call, read: ReadText): Decoded {
  const { codec } = call;
  assertBoundOnce(codec, read);
  const wire: WireRequest = {
    path: call.wirePath,
    search: searchOf(call.url),
    headers: headersOf(call.request.headers, codec.requestHeaders),
    body: read.body,
  };
  const decoded = decodedOf(codec, wire, read);
  assertModelName(decoded.envelope.model);
  return decoded;
}

/** Wraps a request that was read, or changed since. */
export function decodedOf(
  codec: Codec,
  wire: WireRequest,
  read: ReadText,
): Decoded {
  const canonical = once(() => decodedRequest(codec, wire));
  const { name: format, billing } = codec;
  const envelope = codec.envelope(wire);
  const terms = billing.terms(wire.body);
  return { wire, read, envelope, format, terms, canonical };
}

/** Query parameters with a meaning; a key in the query is left out. */
function searchOf(url: URL): Readonly<Record<string, string>> {
  if (url.search === "") return none;
  const alt = url.searchParams.get("alt") ?? url.searchParams.get("$alt");
  return alt === null ? none : { alt };
}

const none: Readonly<Record<string, string>> = {};

function headersOf(headers: Headers, names: readonly string[]): Readonly<Record<string, string>> {
  let said: Record<string, string> | undefined;
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) (said ??= {})[name] = value;
  }
  return said ?? none;
}

/** A model's name becomes part of an upstream's address and must not change its path. */
export function assertModelName(model: string): void {
  const fine = model.length <= modelCharsMax && model.isWellFormed() && // half a surrogate pair is invalid in an address
    !hasControlCharacter(model) &&
    !(model.includes(".") && model.split(/[/\\]/).some(isStep));
  if (!fine) {
    throw new GatewayError(
      "invalid_request",
      `Cannot decode request: model must be a name of at most ${modelCharsMax} characters`,
    );
  }
}

function isStep(segment: string): boolean {
  return segment === "." || segment === "..";
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function decodedRequest(codec: Codec, wire: WireRequest): CanonicalRequest {
  try {
    return codec.decodeRequest(wire);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new GatewayError("invalid_request", "Cannot decode request: it is nested too deeply", {
        cause: error,
      });
    }
    throw error;
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Replaces the output limit of a request and keeps the rest of its text byte for byte. */
export function withOutputLimit(
  decoded: Decoded,
  codec: Codec,
  { tokens, dialect }: { readonly tokens: number; readonly dialect?: Dialect },
): Decoded {
  const { wire } = decoded;
  const limited = codec.withOutputLimit(decoded.read, tokens, dialect);
  return { ...decoded, ...decodedOf(codec, { ...wire, body: limited.body }, limited) };
}
