import { BoundedMap } from "../bounded_map.ts";
import {
  type CanonicalRequest,
  type FormatName,
  GatewayError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type TokenBucket,
} from "../canonical/mod.ts";
import type { PriceTerms } from "../formats/billing.ts";
import type { Codec, Dialect, Envelope } from "../formats/codec.ts";
import type { WireChanges } from "../formats/compaction_codec.ts";
import type { WireRequest } from "../formats/wire.ts";
import {
  ambiguousName,
  AsciiText,
  foldedName,
  isAmbiguous,
  mayBeAmbiguous,
  readMemberText,
  type ReadText,
  searchedText,
  withMembers,
  withNewMembers,
  withReadMembers,
} from "../json/mod.ts";
import type { Admission } from "./body/body.ts";
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
  /** The samplings of prompt and answer that the gateway may make for it; default: 1. */
  readonly samplings?: number;
  /** Buckets that its usage may fill, whatever its body contains. */
  readonly fills?: readonly TokenBucket[];
  /** The whole request in canonical form, created on first use: a native pass-through never needs it. */
  canonical(): CanonicalRequest;
}

const modelCharsMax = 256;
/** A segment that changes a path: `.` or `..`. */
const step = /(^|[/\\])\.\.?($|[/\\])/;
const controlCharacter = /[^\x20-\x7e\x80-\u{10ffff}]/u;

/** Reads and checks a request's body. Throws the errors of `readJsonBody` and of the codec's `envelope`. */
export async function decode(
  call: Call,
  limits: BodyLimits,
  admission?: Admission,
): Promise<Decoded> {
  const { codec, request, url } = call;
  const read = call.read ?? await readJsonBody(request, limits, admission);
  assertBoundOnce(codec, read);
  const wire: WireRequest = {
    path: call.wirePath,
    search: url.search === "" ? none : searchOf(url),
    headers: headersOf(request.headers, codec.requestHeaders),
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
  let canonical: CanonicalRequest | undefined;
  return {
    wire,
    read,
    envelope: codec.envelope(wire),
    format: codec.name,
    terms: codec.billing.terms(wire.body),
    canonical: () => canonical ??= decodedRequest(codec, wire),
  };
}

/** Sets or removes members of a request; every other byte stays unchanged, and its seals are kept. */
export function changedRequest(
  codec: Codec,
  decoded: Pick<Decoded, "wire" | "read" | "seals">,
  { members: changes, ...head }: WireChanges,
): Decoded {
  const { body: said } = decoded.wire;
  const body: Record<string, JsonValue> = {};
  const fresh: Record<string, JsonValue> = {};
  const others: Record<string, JsonValue | undefined> = {};
  for (const [name, value] of Object.entries({ ...said, ...changes })) {
    if (value !== undefined) body[name] = value;
    if (!(name in changes)) continue;
    if (value !== undefined && !(name in said)) fresh[name] = value;
    else others[name] = value;
  }
  const { read, seals } = decoded;
  const wire = { ...decoded.wire, ...head, body };
  if (read instanceof AsciiText && read.long) { // a long text is not searched
    return { ...decodedOf(codec, wire, withReadMembers(read, { ...others, ...fresh })), seals };
  }
  const text = withNewMembers(withMembers(read.text, others), fresh);
  return { ...decodedOf(codec, wire, { text, body }), seals };
}

/** Query parameters with a meaning; a key in the query is left out. */
function searchOf(url: URL): Readonly<Record<string, string>> {
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
    !controlCharacter.test(model) && !step.test(model);
  if (!fine) {
    throw new GatewayError(
      "invalid_request",
      `Cannot decode request: model must be a name of at most ${modelCharsMax} characters`,
    );
  }
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

/**
 * Rejects a body that repeats a member with influence on the cost: we would reserve for one value
 * while the upstream uses the other.
 */
function assertBoundOnce({ answerBounds, billing }: Codec, said: ReadText): void {
  const { members, within } = answerBounds;
  assertSaidOnce(members, said);
  assertSaidOnce(billing.members, said);
  if (within) { for (const outer of members) assertInnerSaidOnce(outer, within, said); }
}

/** Rejects a body that repeats a member, also in another case, which only some upstreams ignore. */
export function assertSaidOnce(names: readonly string[], said: ReadText): void {
  assertSpelled(names, said.body);
  if (said.repeats !== false) refuse(ambiguousName(said, saidIn(said.body, names)));
}

/** Like `isAmbiguous`, with the kept folds. */
export function isSaidTwice(said: ReadText, name: string): boolean {
  return isAmbiguous(said, name, foldOf);
}

/** The same for members of an object within the body; searches the object's text only if necessary. */
function assertInnerSaidOnce(
  outer: string,
  names: readonly string[],
  said: ReadText,
): void {
  const inner = said.body[outer];
  if (!isJsonObject(inner)) return;
  assertSpelled(names, inner);
  const isKnown = said instanceof AsciiText && said.long !== undefined; // then its text is found at once
  const doubtful = saidIn(inner, names)
    .filter((name) => isKnown || mayBeAmbiguous(searchedText(said), name));
  if (doubtful.length === 0) return;
  const innerText = readMemberText(said, outer) ?? "";
  refuse(doubtful.find((name) => isAmbiguous({ text: innerText, body: inner }, name)));
}

/** The names that occur in the body at all: only those are searched for in its text. */
function saidIn(body: JsonObject, names: readonly string[]): string[] {
  return names.filter((name) => Object.hasOwn(body, name));
}

function assertSpelled(names: readonly string[], body: JsonObject): void {
  const spelled = namesByFold(names);
  for (const said in body) {
    const name = spelled.get(folded.test(said) ? said : foldOf(said));
    if (name === undefined || name === said) continue;
    throw new GatewayError(
      "invalid_request",
      `Cannot decode request: the body spells ${name} in another case. Write ${name}`,
      { param: name },
    );
  }
}

/** A name that is its own folded form, as most are. */
const folded = /^[a-z0-9_]*$/;
/** The folded forms of members that clients send; nearly all send the same few. */
const folds = new BoundedMap<string, string>(1_024);
const keptNameChars = 64;

function foldOf(said: string): string {
  return said.length > keptNameChars ? foldedName(said) : folds.getOrInsert(said, foldedName);
}

const namesOfLists = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** The names by their folded form, computed once for each constant list. */
function namesByFold(names: readonly string[]): ReadonlyMap<string, string> {
  return namesOfLists.getOrInsertComputed(
    names,
    () => new Map(names.map((name) => [foldedName(name), name])),
  );
}

function refuse(name: string | undefined): void {
  if (name === undefined) return;
  throw new GatewayError(
    "invalid_request",
    `Cannot decode request: the body has ${name} more than once. Send it once`,
  );
}

/** The error of a body that repeats its model: the upstream might use the one that the key may not use. */
export function modelNamedTwice(): GatewayError {
  return new GatewayError(
    "invalid_request",
    "Cannot relay the request: the body has more than one model field. Send one",
  );
}
