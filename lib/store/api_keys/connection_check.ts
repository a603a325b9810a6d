import type { ErrorCode, FormatName } from "../../canonical/mod.ts";
import { relayedEndpoint } from "../../formats/relayed/mod.ts";
import type { Operation } from "../../formats/wire.ts";
import { keys } from "../keys.ts";
import { decodeRecord, encodeRecord, getRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import { type Watch, watchKey } from "../kv/watch.ts";

/**
 * A page that waits for a call with a key. While it is open, all isolates report matching calls.
 */
export interface ConnectionCheck {
  readonly accountId: string;
  readonly keyId: string;
  /** SHA-256 of each current or former secret of the key, in hexadecimal. */
  readonly digests: readonly string[];
  /** The displayed first and last characters of the key's secret. */
  readonly prefix: string;
  readonly lastFour: string;
  /** The client address of the page's reader. */
  readonly ip?: string;
  readonly expiresAtMs: number;
}

/** Maximum number of open connection checks per account; a further one closes the oldest. */
const checksOfAccountMax = 4;

const kind: Kind<ConnectionCheck> = { name: "connection check", version: 1 };

/** Opens or renews a check and notifies every isolate. */
export async function openConnectionCheck(
  store: Store,
  check: ConnectionCheck,
  nowMs: number,
): Promise<void> {
  const { accountId, keyId, expiresAtMs } = check;
  const operation = store.kv.atomic();
  for (const one of await superfluous(store, check)) {
    operation.delete(keys.connectionCheck(accountId, one.keyId));
  }
  await operation
    .set(keys.connectionCheck(accountId, keyId), encodeRecord(kind, check), {
      expireIn: Math.max(1, expiresAtMs - nowMs),
    })
    .set(keys.connectionChecksChanged, crypto.randomUUID())
    .commit();
}

/** Lists the checks, possibly with some that have just expired: Deno KV deletes late. */
export function listConnectionChecks(store: Store): Promise<ConnectionCheck[]> {
  return listRecords(store, kind, keys.connectionChecks);
}

/** Calls back whenever a check is opened. Silent until the first check of the store. */
function watchConnectionChecks(store: Store, changed: () => void): Watch {
  return watchKey(store, keys.connectionChecksChanged, ({ value }) => {
    if (value !== null) changed();
  });
}

async function superfluous(
  store: Store,
  { accountId, keyId }: ConnectionCheck,
): Promise<ConnectionCheck[]> {
  const open = await listRecords(store, kind, keys.connectionChecksOf(accountId));
  return open.filter((one) => one.keyId !== keyId)
    .sort((a, b) => b.expiresAtMs - a.expiresAtMs)
    .slice(checksOfAccountMax - 1);
}

/** The key that a call carried instead of the expected one. */
export type CarriedKind =
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
export interface ArrivedCall {
  /** The call's own id. */
  readonly id: string;
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly format: FormatName;
  /** Absent if we do not serve the address. */
  readonly operation?: Operation;
  readonly carried: CarriedKind;
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
const arrivalsMax = 8;

interface Arrivals {
  readonly arrivals: readonly ArrivedCall[];
}

const arrivalsKind: Kind<Arrivals> = { name: "arrivals", version: 1 };

const keptMs = 10 * 60 * 1_000;

/**
 * Stores arrivals for a key of an account. A later report of the same call replaces an earlier one.
 */
export async function addArrivals(
  store: Store,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  added: readonly ArrivedCall[],
): Promise<void> {
  const key = keys.arrivals(accountId, keyId);
  await untilCommitted(arrivalsKind.name, async () => {
    const entry = await store.kv.get(key);
    const { arrivals } = entry.value === null ? none : decodeRecord(arrivalsKind, entry.value);
    const record = encodeRecord(arrivalsKind, { arrivals: trimmed([...arrivals, ...added]) });
    const operation = store.kv.atomic().check(entry).set(key, record, { expireIn: keptMs });
    return (await operation.commit()).ok || undefined;
  });
}

/** Returns the recent arrivals of a key, in order. */
export async function listArrivals(
  store: Store,
  accountId: string,
  keyId: string,
): Promise<readonly ArrivedCall[]> {
  return (await getRecord(store, arrivalsKind, keys.arrivals(accountId, keyId)) ?? none).arrivals;
}

/** Calls back with the arrivals of a key, now and after each new one. */
export function watchArrivals(
  store: Store,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  changed: (arrivals: readonly ArrivedCall[]) => void,
): Watch {
  return watchKey(store, keys.arrivals(accountId, keyId), ({ value }) => {
    changed(value === null ? [] : decodeRecord(arrivalsKind, value).arrivals);
  });
}

const none: Arrivals = { arrivals: [] };

function trimmed(arrivals: readonly ArrivedCall[]): ArrivedCall[] {
  const lastWords = [...new Map(arrivals.map((one) => [one.id, one])).values()];
  const success = lastWords.findLast(isAnswer);
  const latest = lastWords.slice(-arrivalsMax);
  return success && !latest.includes(success) ? [success, ...latest.slice(1)] : latest;
}

/** Returns true if a model answered the call. */
export function isAnswer({ operation = "list-models", errorCode }: ArrivedCall): boolean {
  const asksModel = operation === "generate" || relayedEndpoint(operation) !== undefined;
  return asksModel && errorCode === undefined;
}

/** Maximum number of checks that an isolate watches at once. */
const checksMax = 500;

/**
 * The open connection checks of all isolates, in memory, and the arrivals that this isolate saw for
 * them. Costs one silent watch; reads and writes nothing while no check is open.
 */
export class OpenChecks {
  readonly #store: Store;
  readonly #watch: Watch;
  readonly #waiting = new Map<string, ArrivedCall[]>();
  #checks: readonly ConnectionCheck[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
    this.#watch = watchConnectionChecks(store, () => void this.#read());
  }

  open(nowMs: number): readonly ConnectionCheck[] {
    if (this.#checks.length === 0) return this.#checks;
    return this.#checks = this.#checks.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  }

  /**
   * Records an arrival for a check; never waits. Drops arrivals that come faster than they can be
   * written.
   */
  note(check: ConnectionCheck, arrival: ArrivedCall): void {
    const id = JSON.stringify([check.accountId, check.keyId]);
    const waiting = this.#waiting.get(id);
    if (waiting && waiting.length >= arrivalsMax) return;
    if (waiting) return void waiting.push(arrival);
    this.#waiting.set(id, [arrival]);
    this.#writing = this.#writing.then(() => this.#write(id, check));
  }

  async close(): Promise<void> {
    await Promise.all([this.#watch.stop(), this.#writing]);
  }

  async #read(): Promise<void> {
    const checks = await listConnectionChecks(this.#store).catch(() => this.#checks);
    this.#checks = checks.toSorted((a, b) => b.expiresAtMs - a.expiresAtMs).slice(0, checksMax);
  }

  /** Drops arrivals that cannot be written: they only inform people. */
  async #write(id: string, check: ConnectionCheck): Promise<void> {
    const arrivals = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    await addArrivals(this.#store, check, arrivals).catch(() => {});
  }
}
