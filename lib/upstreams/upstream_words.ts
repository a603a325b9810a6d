import {
  changedError,
  type ErrorCode,
  GatewayError,
  isJsonObject,
  type JsonValue,
  type NativeFields,
  type UpstreamSaid,
} from "../canonical/mod.ts";
import { secretsOf } from "./credentials/source.ts";

interface KeptWords {
  /** The upstream's type and code, such as `invalid_request_error, unsupported_value`. */
  readonly errorType?: string;
  readonly errorMessage?: string;
}

/** Text that must not appear in the log. */
interface SentWords {
  /** The parsed request body; absent if it was never read. */
  readonly body?: JsonValue;
  readonly credentials: readonly string[];
}

const messageCharsMax = 300;
/** The most characters of a message to examine. */
const messageReadMax = 2_000;

/**
 * The loggable message of a failure: the upstream's if it sent one, else the gateway's. Quotes of
 * the request are cut out, credentials and key-like text are masked, and the rest is shortened to
 * one line of plain text.
 */
export function keptWords(error: GatewayError, { body, credentials }: SentWords): KeptWords {
  const sent = { body, credentials: [...credentials, ...secretsIn(body)] };
  const { said, upstreamStatus, message, limit } = error;
  const isTheirs = said !== undefined || upstreamStatus !== undefined;
  const errorType = said && typeOf([said.type, said.code], sent);
  const words = isTheirs ? said?.message ?? message : limit ? "" : message;
  const errorMessage = messageOf(words, sent);
  return { ...(errorType && { errorType }), ...(errorMessage && { errorMessage }) };
}

/** The caller's secrets for MCP servers, which are too short to be found as quotes. */
function secretsIn(body: JsonValue | undefined): string[] {
  if (!isJsonObject(body)) return [];
  const servers = [body.mcp_servers, body.tools].flatMap((list) => Array.isArray(list) ? list : []);
  return servers.filter(isJsonObject)
    .flatMap(({ authorization_token: token, authorization, headers }) => [
      token,
      authorization,
      ...isJsonObject(headers) ? Object.values(headers) : [],
    ])
    .filter((secret): secret is string => typeof secret === "string" && secret !== "");
}

function messageOf(said: string, { body, credentials }: SentWords): string {
  const plain = plainText(maskedIn(said.slice(0, messageReadMax), credentials));
  const own = withoutQuotes(withoutSecrets(plain), textsOf(body));
  return /[\p{L}\p{N}]/u.test(own) ? shortened(own) : "";
}

/** The shape of vendors' error names; any other text may come from the prompt. */
const vendorsName = /^[a-z]+(_[a-z]+)*$|^[A-Z]+(_[A-Z]+)*$/;
const name = /^[\w.:-]{1,64}$/;

function typeOf(names: readonly (string | undefined)[], { body, credentials }: SentWords): string {
  const kept = names.filter((one): one is string => {
    if (one === undefined || !name.test(one)) return false;
    if (maskedIn(one, credentials) !== one || withoutSecrets(one) !== one) return false;
    return vendorsName.test(one) || withoutQuotes(one, textsOf(body)) === one;
  });
  return [...new Set(kept)].join(", ");
}

/** Reduces a text to one line without control characters and tags. */
function plainText(said: string): string {
  return said.toWellFormed()
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\\[nrt]/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s<>]+/gu, " ")
    .trim();
}

const secrets: readonly RegExp[] = [
  /\bBearer\s+\S+/gi,
  /\b(?:sk|pk|rk|xai|gsk|hf|ghp|gho|nvapi|whsec|tsr1|AKIA|AIza|ya29|xox[abp])[-_.]?[\w*./+-]{8,}/g,
  /\beyJ[\w-]+\.[\w.-]+/g,
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi,
];
/** A piece so long is a secret or an id; model names consist of shorter ones. */
const token = /[\w+/=*.-]{32,}/g;
const longPiece = /(?=[^\d]*\d)[\w+=*]{20,}/;

function withoutSecrets(text: string): string {
  return secrets.reduce((rest, pattern) => rest.replace(pattern, "…"), text)
    .replace(token, (found) => longPiece.test(found) ? "…" : found);
}

/** All texts of a body except the model name, which the log has anyway. */
function* textsOf(body: JsonValue | undefined): Generator<string> {
  if (!isJsonObject(body)) return;
  for (const [member, value] of Object.entries(body)) {
    if (member !== "model") yield* textsIn(value);
  }
}

function* textsIn(value: JsonValue | undefined): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) { for (const one of value) yield* textsIn(one); }
  else if (isJsonObject(value)) { for (const one of Object.values(value)) yield* textsIn(one); }
}

function shortened(text: string): string {
  if (text.length <= messageCharsMax) return text;
  return `${text.slice(0, messageCharsMax - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The shortest run that counts as a quote. */
const runMin = 20;
/**
 * Length of the adjacent pieces by which a text is indexed: any run of `runMin` characters contains
 * a whole piece.
 */
const piece = runMin / 2;
/** The most characters to search; if there are more, the whole text is dropped. */
const searchedMax = 3_000_000;

/**
 * Cuts from a short text the runs of 20 characters or more that occur in any of the others,
 * ignoring case, white space, quotation marks and escapes. Takes time linear in their length.
 */
function withoutQuotes(text: string, others: Iterable<string>): string {
  const own = plain(text);
  if (own.chars.length < runMin) return text;
  const search = searchFor(own.chars);
  let left = searchedMax;
  for (const other of others) {
    left -= Math.max(other.length, runMin);
    if (left < 0) return "";
    if (other.length < runMin) continue;
    mark(search, normal(other));
  }
  return cut(text, own.places, search.marked);
}

interface Plain {
  readonly chars: string;
  /** The position of each character in the text. */
  readonly places: readonly number[];
}

interface Search {
  readonly pieces: ReadonlySet<string>;
  /** The start positions of each run; found runs are removed. */
  readonly runs: Map<string, readonly number[]>;
  readonly marked: Uint8Array;
}

const separators = /(?:\\[nrt]|[\s\\"'])+/g;

function normal(text: string): string {
  return lowered(text).replace(separators, " ");
}

/** Lower-cases a text; the two small forms of sigma become one. */
function lowered(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** Normalizes a text, with the position of each character. */
function plain(text: string): Plain {
  let chars = "";
  const places: number[] = [];
  const add = (more: string, at: number) => {
    chars += more;
    for (let n = 0; n < more.length; n++) places.push(at);
  };
  for (let at = 0; at < text.length;) {
    separators.lastIndex = at;
    const found = separators.exec(text);
    const end = found?.index ?? text.length;
    for (const char of text.slice(at, end)) {
      add(lowered(char), at);
      at += char.length;
    }
    if (!found) break;
    add(" ", at);
    at += found[0].length;
  }
  separators.lastIndex = 0;
  return { chars, places };
}

function searchFor(chars: string): Search {
  const pieces = new Set<string>();
  const runs = new Map<string, number[]>();
  for (let at = 0; at + piece <= chars.length; at++) {
    pieces.add(chars.slice(at, at + piece));
    if (at + runMin > chars.length) continue;
    const run = chars.slice(at, at + runMin);
    const places = runs.get(run);
    if (places) places.push(at);
    else runs.set(run, [at]);
  }
  return { pieces, runs, marked: new Uint8Array(chars.length) };
}

function mark({ pieces, runs, marked }: Search, other: string): void {
  for (let at = 0; at + piece <= other.length; at += piece) {
    if (!pieces.has(other.slice(at, at + piece))) continue;
    for (let start = Math.max(0, at - piece); start <= at; start++) {
      const run = other.slice(start, start + runMin);
      const found = runs.get(run);
      if (!found) continue;
      runs.delete(run);
      for (const place of found) marked.fill(1, place, place + runMin);
    }
  }
}

function cut(text: string, places: readonly number[], marked: Uint8Array): string {
  const first = marked.indexOf(1);
  if (first < 0) return text;
  let kept = "";
  for (let at = 0; at < marked.length; at++) {
    if (marked[at] === 0) kept += text.slice(places[at], places[at + 1] ?? text.length);
    else if (marked[at - 1] !== 1) kept += "…";
  }
  return kept.replace(/\s+/g, " ").replace(/…[\s…]*…/g, "…").trim();
}

/** The failure for the caller, with credentials masked. Returns other errors unchanged. */
export function withoutCredentials(thrown: unknown, credentials: readonly string[]): unknown {
  if (!(thrown instanceof GatewayError)) return thrown;
  const { message, said, native } = thrown;
  const masked = maskedIn(message, credentials);
  const words = said && maskedWords(said, credentials);
  const members = native && maskedMembers(native, credentials);
  const isSame = message === masked && said?.message === words?.message &&
    said?.type === words?.type && said?.code === words?.code && native === members;
  return isSame ? thrown : changedError(thrown, { message: masked, said: words, native: members });
}

/** The failure for the operator's log, without the upstream's message. */
export function withoutUpstreamWords(error: GatewayError): GatewayError {
  const theirs = error.upstreamStatus !== undefined || speaking.has(error.code);
  return theirs
    ? changedError(error, { message: "The upstream answered with an error", said: undefined })
    : error;
}

/** A text without secrets, and without those in a credential source. */
export function maskedIn(text: string, secrets: readonly string[]): string {
  return secrets.flatMap(secretsOf)
    .reduce((rest, secret) => secret ? rest.replaceAll(secret, "…") : rest, text);
}

/** Codes whose message may be the upstream's even without a status. */
const speaking: ReadonlySet<ErrorCode> = new Set(["upstream_error", "upstream_overloaded"]);

/** The members, or none if one contains a credential: the message is enough. */
function maskedMembers(
  native: NativeFields,
  credentials: readonly string[],
): NativeFields | undefined {
  const text = JSON.stringify(native.fields);
  return maskedIn(text, credentials) === text ? native : undefined;
}

function maskedWords(
  { message, type, code }: UpstreamSaid,
  credentials: readonly string[],
): UpstreamSaid {
  return {
    ...(message !== undefined && { message: maskedIn(message, credentials) }),
    ...(type !== undefined && { type: maskedIn(type, credentials) }),
    ...(code !== undefined && { code: maskedIn(code, credentials) }),
  };
}
