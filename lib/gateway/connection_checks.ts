import type { Caller } from "../accounts/authorize.ts";
import type { GatewayError } from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import { carriedKey } from "../http/key_carrier.ts";
import type { ApiKey, ArrivedCall, CarriedKind, ConnectionCheck } from "../store/api_keys/mod.ts";
import type { OpenChecks } from "../store/directory/mod.ts";
import { digestOf } from "../store/mod.ts";

/** A call that was answered or refused, with the facts known about it by then. */
export interface FinishedCall {
  /** Without an endpoint if the gateway does not serve the address. */
  readonly call:
    & Pick<Call, "id" | "request" | "url" | "startedAtMs" | "ip" | "codec">
    & Partial<Pick<Call, "endpoint">>;
  readonly caller?: Caller;
  readonly model?: string;
  /** Absent if the call succeeded. */
  readonly error?: GatewayError;
}

interface CheckDirectory {
  readonly checks: Pick<OpenChecks, "open" | "note">;
  findKey(secret: string): Promise<ApiKey | undefined>;
}

/**
 * Reports each call to the connection checks that it matches: those of the account whose key it
 * carries. A call with an unknown or missing key matches a check that was opened from the same
 * address, or one whose key it resembles. Costs nothing while no check is open.
 */
export function notifyConnectionChecks(
  directory: CheckDirectory,
): (finished: FinishedCall) => void {
  return (finished) => {
    const checks = directory.checks.open(finished.call.startedAtMs);
    if (checks.length > 0) void notify(finished, checks, directory).catch(() => {}); // a check is only shown on a page
  };
}

async function notify(
  finished: FinishedCall,
  checks: readonly ConnectionCheck[],
  directory: CheckDirectory,
): Promise<void> {
  const { call, caller } = finished;
  const said = factsOf(finished);
  const secret = carriedKey(call.request.headers, call.url);
  const key = caller?.key ?? (secret === undefined ? undefined : await directory.findKey(secret));
  for (const check of checks) {
    const carried = carriedFor(check, { secret, key, ip: call.ip }, checks);
    if (carried === undefined) continue;
    directory.checks.note(check, {
      ...said,
      carried,
      ...(carried === "other-key" && { keyName: key?.name }),
    });
  }
}

const textLengthMax = 200;
const placeholders = /YOUR[_-]?(API[_-]?)?KEY|<.*>|\.\.\.|…/i;

function factsOf({ call, model, error }: FinishedCall): Omit<ArrivedCall, "carried" | "keyName"> {
  const { id, request, url, startedAtMs, codec, endpoint } = call;
  const userAgent = request.headers.get("user-agent")?.slice(0, textLengthMax);
  const message = error && wordsOf(error)?.slice(0, 2 * textLengthMax);
  return {
    id,
    atMs: startedAtMs,
    method: request.method,
    path: url.pathname.slice(0, textLengthMax),
    format: codec.name,
    ...(endpoint && { operation: endpoint.operation }),
    ...(model !== undefined && { model: model.slice(0, textLengthMax) }),
    ...(error && { errorCode: error.code }),
    ...(error?.limit && { limit: error.limit.name }),
    ...(message !== undefined && { message }),
    ...(userAgent !== undefined && { userAgent }),
  };
}

/** Only the gateway's own messages: an upstream's message may quote the prompt. */
function wordsOf({ code, message, upstreamStatus }: GatewayError): string | undefined {
  const isOwn = upstreamStatus === undefined && !code.startsWith("upstream_") &&
    code !== "internal_error";
  return isOwn ? message : undefined;
}

interface Seen {
  readonly secret: string | undefined;
  /** The key of the secret; absent if it is not valid. */
  readonly key: ApiKey | undefined;
  readonly ip: string;
}

/** The kind of key that a call carried; undefined if the call does not match the check. */
function carriedFor(
  check: ConnectionCheck,
  { secret, key, ip }: Seen,
  checks: readonly ConnectionCheck[],
): CarriedKind | undefined {
  if (key) return key.accountId === check.accountId ? ownKey(check, key) : undefined;
  if (secret !== undefined && isLookalike(check, secret)) return "lookalike";
  if (!isFromOnlooker(check, ip, checks)) return undefined;
  if (secret === undefined) return "none";
  return placeholders.test(secret) ? "placeholder" : "unknown";
}

function ownKey(check: ConnectionCheck, { id }: ApiKey): CarriedKind {
  return id === check.keyId ? "key" : "other-key";
}

/** Returns true for a former secret of this key, or a truncated copy of its current one. */
function isLookalike({ digests, prefix, lastFour }: ConnectionCheck, secret: string): boolean {
  return digests.includes(digestOf(secret)) || secret.startsWith(prefix) ||
    (secret.length > lastFour.length && secret.endsWith(lastFour));
}

/**
 * True if the call came from the check's address. Never true for an address from which several
 * accounts have checks open: behind a proxy, all callers share one.
 */
function isFromOnlooker(
  { accountId, ip }: ConnectionCheck,
  from: string,
  checks: readonly ConnectionCheck[],
): boolean {
  const place = placeOf(from);
  if (ip === undefined || placeOf(ip) !== place) return false;
  return checks.every((one) =>
    one.accountId === accountId || one.ip === undefined || placeOf(one.ip) !== place
  );
}

/** Maps all loopback addresses to one name, and IPv4-mapped IPv6 addresses to IPv4. */
function placeOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/, "");
  return plain === "::1" || plain.startsWith("127.") ? "localhost" : plain;
}
