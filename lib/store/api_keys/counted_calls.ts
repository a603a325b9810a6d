import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import { stepOf, stepStartMs } from "../log/log_time.ts";

/** The reasons a known key is denied before its call has a row in the log. */
const denialReasons = ["disabled", "expired", "address", "group", "format", "project"] as const;
export type DenialReason = typeof denialReasons[number];

/** Calls that are counted together. */
interface CountedCalls {
  readonly count: number;
  /** Time and address of the last of them. */
  readonly atMs: number;
  readonly ip: string;
}

/** Calls of one key that were refused for one reason within one minute. */
export interface DeniedCalls extends CountedCalls {
  readonly reason: DenialReason;
  /** Start of the minute. */
  readonly minuteMs: number;
}

/** The calls with a secret since its rotation. */
export type FormerSecretUse = CountedCalls;

const deniedKind: Kind<CountedCalls> = { name: "denied calls", version: 1 };
const formerKind: Kind<FormerSecretUse> = { name: "use of a former secret", version: 1 };

const dayMs = 86_400_000;
/** More than the 1,440 minutes of a day. */
const rowsReadMax = 1_500;

/** Adds to the row of a key, a reason and a minute. Rows expire after a week. */
export function addDeniedCalls(
  store: Store,
  keyId: string,
  { reason, minuteMs, ...denied }: DeniedCalls,
): Promise<void> {
  const key = keys.deniedCalls(keyId, stepOf(minuteMs, "minute"), reason);
  return addCalls(store, { kind: deniedKind, key, keptMs: 7 * dayMs }, denied);
}

/** Adds calls with a former secret. They expire long after the longest grace period. */
export function addFormerSecretUse(
  store: Store,
  digest: string,
  use: FormerSecretUse,
): Promise<void> {
  const key = keys.formerSecretUse(digest);
  return addCalls(store, { kind: formerKind, key, keptMs: 30 * dayMs }, use);
}

async function addCalls(
  store: Store,
  { kind, key, keptMs }: {
    readonly kind: Kind<CountedCalls>;
    readonly key: Deno.KvKey;
    readonly keptMs: number;
  },
  added: CountedCalls,
): Promise<void> {
  await untilCommitted(kind.name, async () => {
    const entry = await store.kv.get(key);
    const known = entry.value === null ? undefined : decodeRecord(kind, entry.value);
    const newest = known !== undefined && known.atMs > added.atMs ? known : added;
    const sum = { ...newest, count: added.count + (known?.count ?? 0) };
    const operation = store.kv.atomic().check(entry);
    operation.set(key, encodeRecord(kind, sum), { expireIn: keptMs });
    return (await operation.commit()).ok ? true : undefined;
  });
}

/** Returns undefined if nobody has used the secret since its rotation. */
export async function getFormerSecretUse(
  store: Store,
  digest: string,
): Promise<FormerSecretUse | undefined> {
  const { value } = await store.kv.get(keys.formerSecretUse(digest));
  return value === null ? undefined : decodeRecord(formerKind, value);
}

/** Returns a key's rows since a time, newest first; at most `rowsReadMax` of them. */
export async function listDeniedCalls(
  store: Store,
  keyId: string,
  sinceMs: number,
): Promise<DeniedCalls[]> {
  const prefix = keys.deniedCallsOf(keyId);
  const selector = { prefix, start: [...prefix, stepOf(sinceMs, "minute")] };
  const options = { reverse: true, limit: rowsReadMax };
  const found: DeniedCalls[] = [];
  for await (const { key, value } of store.kv.list(selector, options)) {
    const [minute, reason] = key.slice(-2).map(String);
    const minuteMs = stepStartMs(minute, "minute");
    found.push({ reason: reason as DenialReason, minuteMs, ...decodeRecord(deniedKind, value) }); // addDeniedCalls wrote it
  }
  return found;
}

/** Calls that were refused for one reason. */
export interface DenialSum {
  readonly reason: DenialReason;
  readonly count: number;
  readonly lastMs: number;
  readonly ip: string;
  /** True if there may be more. */
  readonly more: boolean;
}

/** Sums rows of one key by reason, most frequent first. */
export function sumsOfDenied(rows: readonly DeniedCalls[]): DenialSum[] {
  const more = rows.length >= rowsReadMax;
  return [...Map.groupBy(rows, ({ reason }) => reason)].map(([reason, own]) => ({
    reason,
    count: own.reduce((sum, { count }) => sum + count, 0),
    lastMs: own[0].atMs,
    ip: own[0].ip,
    more,
  })).sort((a, b) => b.count - a.count);
}
