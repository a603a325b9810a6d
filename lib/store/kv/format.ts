import { encodedRanges, keys } from "../keys.ts";
import { StoreError } from "./error.ts";

/**
 * The format of a store whose values are all encoded in bytes. A store without a format may still
 * have values of earlier releases, which are in V8's serialization.
 */
const bytesFormat = 2n;

/**
 * Refuses a store of a later release, and on an earlier Deno one with values that it cannot read.
 * Marks an empty store. Throws `unreadable`.
 */
export async function checkFormat(kv: Deno.Kv, where: string): Promise<void> {
  const { value } = await kv.get<Deno.KvU64>(keys.format);
  if (value !== null && value.value > bytesFormat) throw ofLaterRelease(where, value.value);
  if (value !== null) return;
  if (await isEmpty(kv)) return await noteBytes(kv);
  if (!readsEveryV8()) await readAll(kv);
}

/** Returns true if the values of earlier releases were not all rewritten yet. */
export async function hasFormerValues(kv: Deno.Kv): Promise<boolean> {
  return (await kv.get(keys.format)).value === null;
}

/** Notes that all values are encoded in bytes. The note is a sum, which every release can read. */
export async function noteBytes(kv: Deno.Kv): Promise<void> {
  await kv.set(keys.format, new Deno.KvU64(bytesFormat));
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

function ofLaterRelease(where: string, format: bigint): StoreError {
  return new StoreError(
    "unreadable",
    `Cannot open the store ${where}: a later release gave it format ${format}, this release reads up to ${bytesFormat}. ` +
      "Start that release, or restore a backup from before the update",
  );
}
