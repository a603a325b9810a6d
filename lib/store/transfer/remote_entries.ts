import { createHash } from "node:crypto";
import { keys, ownFormats } from "../keys.ts";
import { lifetimeOf } from "../kv/lifetimes.ts";
import type { Store } from "../kv/store.ts";
import { encodeValue } from "../kv/value.ts";
import type { PortableEntry } from "./entry.ts";

/** Retention of the records whose expiry a server does not report. */
interface RemoteOptions {
  readonly nowMs: number;
  /** Of stored responses and conversations. */
  readonly responseRetentionMs: number;
}

/** A request for so many values of up to 64 KiB ends in time on a slow line, too. */
const batchSize = 100;

/**
 * Yields the entries of an open store in the order of their keys. Deno KV does not report when an
 * entry expires, so those that do not state it are kept as long as new ones. Returns a digest of all
 * keys and versions: two equal ones in succession prove that nothing changed from the end of the
 * first reading to the beginning of the second, so that the first is of one moment.
 */
export async function* remoteEntries(
  store: Store,
  options: RemoteOptions,
): AsyncGenerator<PortableEntry, string> {
  const digest = createHash("sha256");
  for await (const { key, value, versionstamp } of allEntries(store)) {
    digest.update(`${versionstamp} ${key.length} ${key.map(String).join(" ")}\n`);
    yield portable(key, value, store.logRetentionMs, options);
  }
  return digest.digest("hex");
}

/** Lists the store without the probe, which every gateway writes all the time. */
async function* allEntries(store: Store): AsyncGenerator<Deno.KvEntry<unknown>> {
  for await (const entry of store.kv.list({ prefix: [] }, { batchSize })) {
    if (entry.key[0] !== keys.probe[0]) yield entry;
  }
}

function portable(
  key: Deno.KvKey,
  value: unknown,
  logRetentionMs: number,
  { nowMs, responseRetentionMs }: RemoteOptions,
): PortableEntry {
  const isLog = key[0] === keys.logPages[0] || key[0] === keys.logIndexes[0];
  const lifetimeMs = isLog
    ? logRetentionMs
    : lifetimeOf(value, { key, nowMs, retentionMs: responseRetentionMs });
  return {
    key,
    value: storedValue(key, value),
    ...(lifetimeMs !== undefined && lifetimeMs !== Infinity && { expiresAtMs: nowMs + lifetimeMs }),
  };
}

function storedValue(key: Deno.KvKey, value: unknown): PortableEntry["value"] {
  if (value instanceof Deno.KvU64) return value;
  const isOwn = ownFormats.has(key[0]) && value instanceof Uint8Array;
  return isOwn ? value : encodeValue(value);
}
