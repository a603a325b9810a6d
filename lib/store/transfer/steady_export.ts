import { createHash } from "node:crypto";
import { keptAsBytes, keys } from "../keys.ts";
import { StoreError } from "../kv/error.ts";
import { lifetimeOf } from "../kv/lifetimes.ts";
import type { Store } from "../kv/store.ts";
import { encodeValue } from "../kv/value.ts";
import type { PortableEntry } from "./entry_line.ts";
import { exportLines } from "./export.ts";

/** Retention of the records whose expiry a server does not report. */
interface RemoteOptions {
  readonly nowMs: number;
  /** Of stored responses and conversations. */
  readonly responseRetentionMs: number;
}

interface SteadyOptions extends RemoteOptions {
  /** Writes the lines of one reading, in place of those of an earlier one. */
  readonly write: (lines: AsyncIterable<string>) => Promise<number>;
}

const attemptsMax = 3;

/**
 * Exports an open store of one moment: reads it twice, and once more if anything but the expiry of
 * entries happened in between. Returns the number of lines. Throws `conflict` if it keeps changing.
 */
export async function exportSteadily(store: Store, options: SteadyOptions): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const marks: number[] = [];
    const entries = remoteEntries(store, { ...options, note: (mark) => marks.push(mark) });
    const lines = await options.write(exportLines(entries, options.nowMs));
    if (await isSteady(store, options, marks)) return lines;
  }
  throw new StoreError(
    "conflict",
    `Cannot export the store ${store.health.where}: it changes while it is read. Stop its gateways, and export again`,
  );
}

/**
 * Returns true if a second reading finds the entries of the first one, in the same versions, without
 * others. Then nothing changed from the end of the first to the beginning of the second, so that the
 * first is of one moment. Entries that expire may be missing.
 */
async function isSteady(
  store: Store,
  options: SteadyOptions,
  marks: readonly number[],
): Promise<boolean> {
  let at = 0;
  let isSame = true;
  const note = (mark: number) => {
    while (at < marks.length && marks[at] !== mark && isExpiring(marks[at])) at++;
    isSame &&= marks[at++] === mark;
  };
  for await (const _ of remoteEntries(store, { ...options, note })) if (!isSame) return false;
  return marks.slice(at).every(isExpiring);
}

/** A request for so many values of up to 64 KiB ends in time on a slow line, too. */
const batchSize = 100;

/**
 * Yields the entries of an open store in the order of their keys, and reports each one's mark. Deno KV
 * does not report when an entry expires, so those that do not state it are kept as long as new ones.
 */
async function* remoteEntries(
  store: Store,
  { note, ...options }: RemoteOptions & { readonly note: (mark: number) => void },
): AsyncGenerator<PortableEntry> {
  for await (const { key, value, versionstamp } of allEntries(store)) {
    const lifetimeMs = lifetimeIn(key, value, store.logRetentionMs, options);
    note(markOf(`${versionstamp} ${key.length} ${key.map(String).join(" ")}`, lifetimeMs));
    yield portable(key, value, lifetimeMs, options.nowMs);
  }
}

/** Identifies the key and version of an entry. Odd if the server may delete it by itself. */
function markOf(entry: string, lifetimeMs: number | undefined): number {
  const digest = createHash("sha256").update(entry).digest().readUIntBE(0, 6);
  return digest * 2 + (lifetimeMs === undefined ? 0 : 1);
}

/** Returns true if the server deletes the entry once it has expired, also without a gateway. */
function isExpiring(mark: number): boolean {
  return mark % 2 === 1;
}

/** Lists the store without the probe, which every gateway writes all the time. */
async function* allEntries(store: Store): AsyncGenerator<Deno.KvEntry<unknown>> {
  for await (const entry of store.kv.list({ prefix: [] }, { batchSize })) {
    if (entry.key[0] !== keys.probe[0]) yield entry;
  }
}

/** The first parts of the log's keys. */
const logKeys: ReadonlySet<Deno.KvKeyPart> = new Set(
  [keys.logPages, keys.logIndexes].map(([first]) => first),
);

/** Undefined for an entry that stays until a gateway deletes it. */
function lifetimeIn(
  key: Deno.KvKey,
  value: unknown,
  logRetentionMs: number,
  { nowMs, responseRetentionMs }: RemoteOptions,
): number | undefined {
  if (logKeys.has(key[0])) return logRetentionMs;
  return lifetimeOf(value, { key, nowMs, retentionMs: responseRetentionMs });
}

function portable(
  key: Deno.KvKey,
  value: unknown,
  lifetimeMs: number | undefined,
  nowMs: number,
): PortableEntry {
  return {
    key,
    value: storedValue(key, value),
    ...(lifetimeMs !== undefined && lifetimeMs !== Infinity && { expiresAtMs: nowMs + lifetimeMs }),
  };
}

function storedValue(key: Deno.KvKey, value: unknown): PortableEntry["value"] {
  if (value instanceof Deno.KvU64) return value;
  const isOwn = keptAsBytes.has(key[0]) && value instanceof Uint8Array;
  return isOwn ? value : encodeValue(value);
}
