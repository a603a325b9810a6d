import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import type { Store } from "../kv/store.ts";

/** Tokens used beyond a limit per minute. The following minutes pay for them. */
export interface Overrun {
  /** Identifies the limit, the same for all of its minutes. */
  readonly limitId: string;
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly tokens: bigint;
}

const minuteMs = 60_000;
/** Debts expire after an hour, so that no caller is locked out for longer. */
const keptMs = 3_600_000;

/** The minute of a time, counted from the epoch. */
export function minuteAt(atMs: number): number {
  return Math.floor(atMs / minuteMs);
}

/** Adds overruns to the commit of their calls; `id` is unique for each commit. */
export function addOverruns(
  operation: AtomicOperation,
  id: string,
  overruns: readonly Overrun[],
): void {
  for (const { limitId, minute, tokens } of summed(overruns)) {
    operation.set(keys.tokenOverrun(limitId, ordered(minute), id), tokens, { expireIn: keptMs });
  }
}

/** Returns the part of a minute's limit that pays for earlier minutes, at most all of it. */
export async function tokenDebt(
  store: Store,
  limitId: string,
  { minute, perMinute }: { readonly minute: number; readonly perMinute: bigint },
): Promise<bigint> {
  let owed = 0n;
  let paidUntil = 0; // minutes before this one have paid
  const selector = {
    prefix: keys.tokenOverruns(limitId),
    end: keys.tokenOverrunsFrom(limitId, ordered(minute)),
  };
  for await (const { key, value } of store.kv.list<bigint>(selector)) {
    const at = Number(key.at(-2));
    if (at >= paidUntil) {
      owed = rest(owed, BigInt(at + 1 - paidUntil) * perMinute);
      paidUntil = at + 1;
    }
    owed += value;
  }
  const owedNow = rest(owed, BigInt(Math.max(0, minute - paidUntil)) * perMinute);
  return owedNow < perMinute ? owedNow : perMinute;
}

/** Padded to enough digits for some thousand years, so that keys sort by minute. */
function ordered(minute: number): string {
  return String(minute).padStart(10, "0");
}

function summed(overruns: readonly Overrun[]): Iterable<Overrun> {
  const sums = new Map<string, Overrun>();
  for (const one of overruns) {
    const place = `${one.limitId} ${one.minute}`;
    const tokens = (sums.get(place)?.tokens ?? 0n) + one.tokens;
    sums.set(place, { ...one, tokens });
  }
  return sums.values();
}

function rest(owed: bigint, paid: bigint): bigint {
  return owed > paid ? owed - paid : 0n;
}
