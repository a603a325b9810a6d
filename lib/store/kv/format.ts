import { keys } from "../keys.ts";
import type { Database } from "./database.ts";
import { StoreError } from "./error.ts";

/** The format of this release's stores. */
export const storeFormat = 1n;

/** Refuses a store of another format. Changes nothing. Throws `unreadable`. */
export async function checkFormat(kv: Database, where: string): Promise<void> {
  const { value } = await kv.get<Deno.KvU64>(keys.format);
  if (value === null && await isEmpty(kv)) return;
  const noted = value ?? (await kv.get<Deno.KvU64>(keys.format)).value; // another process may have noted it meanwhile
  assertStoreFormat(noted?.value ?? 0n, where);
}

/** Throws `unreadable` for another format than this release's. */
export function assertStoreFormat(format: bigint, where: string): void {
  if (format === storeFormat) return;
  throw new StoreError(
    "unreadable",
    `Cannot open the store ${where}: it has format ${format}, this release reads format ${storeFormat}. ` +
      "Export it with the release that wrote it (`deno task export FILE`), and import the file here (`deno task import FILE`)",
  );
}

/** Notes this release's format in an empty store. The note is a sum, which every release can read. */
export async function markFormat(kv: Database): Promise<void> {
  if ((await kv.get(keys.format)).value !== null) return;
  await kv.set(keys.format, new Deno.KvU64(storeFormat));
}

/** Refuses a store with a part of an import. Throws `unreadable`. */
export async function checkImported(kv: Database, where: string): Promise<void> {
  if ((await kv.get(keys.importing)).value !== null) throw ofInterruptedImport(where);
}

/** The error for a store with a part of an import. */
export function ofInterruptedImport(where: string): StoreError {
  return new StoreError(
    "unreadable",
    `Cannot open the store ${where}: an import into it was interrupted. Run \`deno task import FILE\` again`,
  );
}

async function isEmpty(kv: Database): Promise<boolean> {
  for await (const _ of kv.list({ prefix: [] }, { limit: 1 })) return false;
  return true;
}
