import { isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import type { WireError } from "../../formats/wire.ts";

/**
 * A cloud's refusal as a vendor would put it: its exceptions have the statuses that mean the same
 * elsewhere, and names of accounts, resources and projects are cut out. So every codec reads it, and
 * health puts the right thing to rest.
 */
export function cloudRefusal(wire: WireError, nowMs: number): WireError {
  const body = bodyIn(wire.body);
  if (body === undefined) return wire;
  const said = saidIn(body, wire.headers);
  const status = statusOf(said, wire.status);
  const wait = status === 429 && wire.headers["retry-after"] === undefined
    ? quotaSeconds(said, nowMs)
    : undefined;
  return {
    status,
    headers: wait === undefined ? wire.headers : { ...wire.headers, "retry-after": String(wait) },
    body: plainBody(body, said),
  };
}

/** Google puts an error on the way of a stream into a list of one (2026-11). */
function bodyIn(body: unknown): JsonObject | undefined {
  const plain = Array.isArray(body) && body.length === 1 ? body[0] : body;
  return isJsonObject(plain) ? plain : undefined;
}

interface Said {
  /** The exception of AWS, or the status of Google. */
  readonly name: string;
  readonly message: string;
}

/** AWS names the exception in a header or in `__type`, both of which may have a prefix or an address. */
function saidIn(body: JsonObject, headers: WireError["headers"]): Said {
  const inner = isJsonObject(body.error) ? body.error : body;
  const names = [headers["x-amzn-errortype"], body.__type, inner.status, inner.type, inner.code];
  const name = textAmong(names).replace(/:.*$/, "").replace(/^.*#/, "");
  return { name, message: textAmong([inner.message, inner.Message]) };
}

function textAmong(values: readonly unknown[]): string {
  return values.find((value): value is string => typeof value === "string" && value !== "") ?? "";
}

interface Meaning {
  readonly name: RegExp;
  readonly words?: RegExp;
  readonly status: number;
}

/** The status that means elsewhere the same as an exception: the first row that matches (2026-11). */
const meanings: readonly Meaning[] = [
  { name: /^ServiceQuotaExceeded/, status: 429 },
  { name: /^ModelNotReady/, status: 503 },
  { name: /^Model(Stream)?Error/, status: 502 },
  // the credential itself; a 403 is about one model only
  {
    name:
      /^(UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|IncompleteSignature|ExpiredToken|InvalidClientTokenId|MissingAuthenticationToken)/,
    status: 401,
  },
  // the operator's configuration, not the caller's request
  { name: /^Validation/, words: /on-demand throughput|model identifier/i, status: 403 },
  {
    name: /^(ResourceNotFound|NOT_FOUND)/,
    words: /access|not enabled|legacy|end of its life/i,
    status: 403,
  },
  { name: /^FAILED_PRECONDITION$/, status: 403 },
];

function statusOf({ name, message }: Said, status: number): number {
  const meant = meanings.find((row) => row.name.test(name) && (row.words?.test(message) ?? true));
  return meant?.status ?? status;
}

const daySeconds = 86_400;
const hourSeconds = 3_600;

/** The seconds until a spent quota returns; undefined for the limits of a minute. */
function quotaSeconds({ name, message }: Said, nowMs: number): number | undefined {
  if (/\b(per[ _-]?day|daily)\b/i.test(message)) {
    return daySeconds - Math.floor(nowMs / 1000) % daySeconds;
  }
  return /^ServiceQuotaExceeded/.test(name) ? hourSeconds : undefined;
}

function plainBody(body: JsonObject, { name, message }: Said): JsonObject {
  const shown = withoutAccounts(message);
  return isJsonObject(body.error)
    ? { ...body, error: { ...body.error, message: shown } }
    : { error: { type: name, message: shown } };
}

/** The text without what identifies the operator: accounts, resources and projects. */
export function withoutAccounts(text: string): string {
  return text.replace(/\barn:aws[\w-]*:[^\s"'`,;)]+/g, "…")
    .replace(/\b(projects|accounts)\/[\w.:-]+/g, "$1/…")
    .replace(/\b\d{12}\b/g, "…");
}
