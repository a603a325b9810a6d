import { encodedRanges, keys } from "../keys.ts";
import { StoreError } from "./error.ts";

/**
 * The format of this release's stores. A store without a format may still have values in V8's
 * serialization; from format 2 on, all values are bytes; from format 3 on, rollups may be packed;
 * from format 4 on, new pages of the log have keys that earlier releases do not look up; from format
 * 5 on, rows of the log share cells.
 */
export const storeFormat = 5n;

/** The first format whose values are all bytes. */
export const bytesFormat = 2n;

/**
 * Refuses a store of a later release, and on an earlier Deno one with values that it cannot read.
 * Changes nothing. Throws `unreadable`.
 */
export async function checkFormat(kv: Deno.Kv, where: string): Promise<void> {
  const { value } = await kv.get<Deno.KvU64>(keys.format);
  if (value !== null && value.value > storeFormat) throw ofLaterRelease(where, value.value);
  if (value === null && !readsEveryV8()) await readAll(kv);
}

/**
 * Marks an empty store, and one whose values are all bytes, with this release's format, so that
 * earlier releases refuse it. Required before the first write in that format.
 */
export async function markFormat(kv: Deno.Kv): Promise<void> {
  const { value } = await kv.get<Deno.KvU64>(keys.format);
  if (value?.value === storeFormat) return;
  if (value !== null || await isEmpty(kv)) await noteFormat(kv);
}

/** Refuses a store with a part of an import. Throws `unreadable`. */
export async function checkImported(kv: Deno.Kv, where: string): Promise<void> {
  if ((await kv.get(keys.importing)).value !== null) throw ofInterruptedImport(where);
}

/** The error for a store with a part of an import. */
export function ofInterruptedImport(where: string): StoreError {
  return new StoreError(
    "unreadable",
    `Cannot open the store ${where}: an import into it was interrupted. Run \`deno task import FILE\` again`,
  );
}

/** Returns true if the values of earlier releases were not all rewritten yet. */
export async function hasFormerValues(kv: Deno.Kv): Promise<boolean> {
  return (await kv.get(keys.format)).value === null;
}

/** Notes this release's format, once all values are bytes. The note is a sum, which every release can read. */
export async function noteFormat(kv: Deno.Kv): Promise<void> {
  await kv.set(keys.format, new Deno.KvU64(storeFormat));
}

async function isEmpty(kv: Deno.Kv): Promise<boolean> {
  for await (const _ of kv.list({ prefix: [] }, { limit: 1 })) return false;
  return true;
}

/** V8 14.9, in Deno 2.8, is the last that changed its serialization, which later ones read. */
function readsEveryV8(): boolean {
  const [major, minor] = Deno.version.v8.split(".").map(Number);
  return major > 14 || (major === 14 && minor >= 9);
}

/** Fails at the first value that this Deno cannot read, before a call would meet it. */
async function readAll(kv: Deno.Kv): Promise<void> {
  for (const range of encodedRanges) {
    for await (const _ of kv.list(range, { batchSize: 500 }));
  }
}

/** The error for a store of a later release. */
export function ofLaterRelease(where: string, later: bigint): StoreError {
  return new StoreError(
    "unreadable",
    `Cannot open the store ${where}: a later release gave it format ${later}, this release reads up to ${storeFormat}. ` +
      "Start that release, or restore a backup from before the update",
  );
}
