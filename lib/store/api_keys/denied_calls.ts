import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import { stepOf, stepStartMs } from "../log/log_time.ts";

/** The reasons a known key is denied before its call has a row in the log. */
const denialReasons = ["disabled", "expired", "address", "group", "format", "project"] as const;
export type DenialReason = typeof denialReasons[number];

/** Calls of one key that were refused for one reason within one minute. */
export interface DeniedCalls {
  readonly reason: DenialReason;
  /** Start of the minute. */
  readonly minuteMs: number;
  readonly count: number;
  /** Time and address of the last of them. */
  readonly atMs: number;
  readonly ip: string;
}

type Denied = Pick<DeniedCalls, "count" | "atMs" | "ip">;

const kind: Kind<Denied> = { name: "denied calls", version: 1 };

const keptMs = 7 * 86_400_000;
/** More than the 1,440 minutes of a day. */
const rowsReadMax = 1_500;

/** Adds to the row of a key, a reason and a minute. Rows expire after a week. */
export async function addDeniedCalls(
  store: Store,
  keyId: string,
  { reason, minuteMs, ...denied }: DeniedCalls,
): Promise<void> {
  await untilCommitted(kind.name, async () => {
    const minute = stepOf(minuteMs, "minute");
    const entry = await store.kv.get(keys.deniedCalls(keyId, minute, reason));
    const known = entry.value === null ? undefined : decodeRecord(kind, entry.value);
    const newest = known !== undefined && known.atMs > denied.atMs ? known : denied;
    const sum = { ...newest, count: denied.count + (known?.count ?? 0) };
    const operation = store.kv.atomic().check(entry);
    operation.set(entry.key, encodeRecord(kind, sum), { expireIn: keptMs });
    return (await operation.commit()).ok ? true : undefined;
  });
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
    found.push({ reason: reason as DenialReason, minuteMs, ...decodeRecord(kind, value) }); // addDeniedCalls wrote it
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
