import { opensStore } from "../api_keys/secret_change.ts";
import { keys } from "../keys.ts";
import { openStore } from "../kv/open.ts";
import type { Store } from "../kv/store.ts";
import type { PortableEntry } from "./entry.ts";
import { fileEntries } from "./file_entries.ts";
import { importEntries } from "./import.ts";

/**
 * Copies the upstreams of a local store, which a gateway may be using, into a store in memory, and
 * changes nothing. Throws as `fileEntries` does.
 */
export async function inspectFile(path: string, secret: string): Promise<Store> {
  const records = await openStore({ location: { type: "memory" }, secret, isImport: true });
  const nowMs = Date.now();
  try {
    await importEntries(records, inspectedEntries(path, nowMs), { nowMs });
    return records;
  } catch (error) {
    records.close();
    throw error;
  }
}

/** Returns true if the store's secret is the one it is opened with; undefined for a new store. */
export function hasRightSecret({ kv, secretBox }: Store): Promise<boolean | undefined> {
  return opensStore(kv, secretBox);
}

const inspected = [keys.secretCheck, keys.upstreams, keys.recordPart("", "")];

async function* inspectedEntries(path: string, nowMs: number): AsyncGenerator<PortableEntry> {
  for (const [first] of inspected) yield* fileEntries(path, { nowMs, prefix: first });
}
