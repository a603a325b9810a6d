import type { ErrorCode, FormatName } from "../../canonical/mod.ts";
import type { Operation } from "../../formats/wire.ts";
import { relayedEndpoint } from "../../formats/relayed/mod.ts";
import { keys } from "../keys.ts";
import { conflict, decodeRecord, encodeRecord, getRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { type Watch, watchKey } from "../kv/watch.ts";

/** The key that a call carried instead of the expected one. */
export type Carried =
  | "key"
  /** Another key of the same account. */
  | "other-key"
  /** A former secret of the key, or an invalid one with the same beginning or end. */
  | "lookalike"
  /** The placeholder for the key in instructions. */
  | "placeholder"
  | "unknown"
  | "none";

/** A call that arrived during a connection check. Contains no secret, no prompt and no query. */
export interface Arrival {
  /** The call's own id. */
  readonly id: string;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly format: FormatName;
  /** Absent if we do not serve the address. */
  readonly operation?: Operation;
  readonly carried: Carried;
  /** The name of the key that was sent, if the account owns it. */
  readonly keyName?: string;
  readonly model?: string;
  /** Absent if the call succeeded. */
  readonly errorCode?: ErrorCode;
  /** The gateway's own error message; absent if the message is an upstream's. */
  readonly message?: string;
  /** The name of the limit that refused the call. */
  readonly limit?: string;
  readonly userAgent?: string;
}

/** The number of arrivals kept per check: the latest, and any success. */
export const arrivalsMax = 8;

interface Arrivals {
  readonly arrivals: readonly Arrival[];
}

const kind: Kind<Arrivals> = { name: "arrivals", version: 1 };

const keptMs = 10 * 60 * 1_000;
const attemptsMax = 20;

/**
 * Stores arrivals for a key of an account. A later report of the same call replaces an earlier one.
 */
export async function addArrivals(
  store: Store,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  added: readonly Arrival[],
): Promise<void> {
  const key = keys.arrivals(accountId, keyId);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const entry = await store.kv.get(key);
    const { arrivals } = entry.value === null ? none : decodeRecord(kind, entry.value);
    const record = encodeRecord(kind, { arrivals: trimmed([...arrivals, ...added]) });
    const { ok } = await store.kv.atomic().check(entry).set(key, record, { expireIn: keptMs })
      .commit();
    if (ok) return;
  }
  throw conflict(kind.name);
}

/** Returns the recent arrivals of a key, in order. */
export async function listArrivals(
  store: Store,
  accountId: string,
  keyId: string,
): Promise<readonly Arrival[]> {
  return (await getRecord(store, kind, keys.arrivals(accountId, keyId)) ?? none).arrivals;
}

/** Calls back with the arrivals of a key, now and after each new one. */
export function watchArrivals(
  store: Store,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  changed: (arrivals: readonly Arrival[]) => void,
): Watch {
  return watchKey(store, keys.arrivals(accountId, keyId), ({ value }) => {
    changed(value === null ? [] : decodeRecord(kind, value).arrivals);
  });
}

const none: Arrivals = { arrivals: [] };

function trimmed(arrivals: readonly Arrival[]): Arrival[] {
  const lastWords = [...new Map(arrivals.map((one) => [one.id, one])).values()];
  const success = lastWords.findLast(isAnswer);
  const latest = lastWords.slice(-arrivalsMax);
  return success && !latest.includes(success) ? [success, ...latest.slice(1)] : latest;
}

/** Returns true if a model answered the call. */
export function isAnswer({ operation = "list-models", errorCode }: Arrival): boolean {
  const asksModel = operation === "generate" || relayedEndpoint(operation) !== undefined;
  return asksModel && errorCode === undefined;
}
