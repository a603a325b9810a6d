import { keys } from "../keys.ts";
import { conflict, decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

/** Sign-in attempts since the last success, from one address or for one account. */
interface SignInAttempts {
  readonly count: number;
  readonly lastAtMs: number;
}

const kind: Kind<SignInAttempts> = { name: "sign-in attempts", version: 1 };

const forgottenAfterMs = 24 * 60 * 60 * 1_000;
const raceAttemptsMax = 100;

/** The rule by which attempts of a bucket are counted. */
export interface AttemptCount {
  readonly waitMs: (count: number) => number;
  /** The time without attempts that takes one back. Absent: a day takes all back. */
  readonly oneForgottenMs?: number;
}

/**
 * Counts an attempt before it is made, so that concurrent attempts are counted too. Returns 0 if it
 * may be made, or else the time to wait, without counting.
 */
export async function takeSignInAttempt(
  store: Store,
  bucket: string,
  { nowMs, ...rule }: AttemptCount & { readonly nowMs: number },
): Promise<number> {
  for (let race = 0; race < raceAttemptsMax; race++) {
    const entry = await store.kv.get(keys.signInAttempts(bucket));
    const { count, leftMs } = stateOf(entry.value, rule, nowMs);
    if (leftMs > 0) return leftMs;
    if (await put(store, entry, { count: count + 1, lastAtMs: nowMs }, rule)) return 0;
  }
  throw conflict(kind.name);
}

/** Returns the time to wait before the next attempt, and writes nothing. */
export async function signInWait(
  store: Store,
  bucket: string,
  { nowMs, ...rule }: AttemptCount & { readonly nowMs: number },
): Promise<number> {
  const { value } = await store.kv.get(keys.signInAttempts(bucket));
  return stateOf(value, rule, nowMs).leftMs;
}

/** Forgets the attempts of a bucket. */
export async function clearSignInAttempts(store: Store, bucket: string): Promise<void> {
  await store.kv.delete(keys.signInAttempts(bucket));
}

/** Takes back one attempt, and keeps the others of the bucket. */
export async function returnSignInAttempt(
  store: Store,
  bucket: string,
  rule: Pick<AttemptCount, "oneForgottenMs"> = {},
): Promise<void> {
  for (let race = 0; race < raceAttemptsMax; race++) {
    const entry = await store.kv.get(keys.signInAttempts(bucket));
    if (entry.value === null) return;
    const { count, lastAtMs } = decodeRecord(kind, entry.value);
    if (await put(store, entry, { count: count - 1, lastAtMs }, rule)) return;
  }
}

function stateOf(
  value: unknown,
  { waitMs, oneForgottenMs = Infinity }: AttemptCount,
  nowMs: number,
): { readonly count: number; readonly leftMs: number } {
  if (value === null) return { count: 0, leftMs: 0 };
  const { count: counted, lastAtMs } = decodeRecord(kind, value);
  const forgotten = Math.floor(Math.max(0, nowMs - lastAtMs) / oneForgottenMs);
  const count = Math.max(0, counted - forgotten);
  return { count, leftMs: count > 0 ? Math.max(0, lastAtMs + waitMs(count) - nowMs) : 0 };
}

/** Returns false if the bucket has changed meanwhile. It is kept until all its attempts are forgotten. */
async function put(
  store: Store,
  entry: Deno.KvEntryMaybe<unknown>,
  attempts: SignInAttempts,
  { oneForgottenMs }: Pick<AttemptCount, "oneForgottenMs">,
): Promise<boolean> {
  const operation = store.kv.atomic().check(entry);
  if (attempts.count <= 0) return (await operation.delete(entry.key).commit()).ok;
  const expireIn = oneForgottenMs === undefined
    ? forgottenAfterMs
    : attempts.count * oneForgottenMs;
  return (await operation.set(entry.key, encodeRecord(kind, attempts), { expireIn }).commit()).ok;
}
