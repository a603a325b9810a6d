import { assertRejects } from "@std/assert";
import type { Database } from "../../../lib/store/kv/database.ts";
import { StoreError } from "../../../lib/store/kv/error.ts";
import { checkFormat, storeFormat } from "../../../lib/store/kv/format.ts";
import { keys } from "../../../lib/store/keys.ts";

/** A database with an entry whose format is first this one, then the next. */
function databaseOf(formats: readonly (bigint | null)[]): Database {
  const left = [...formats];
  return {
    get: (key: Deno.KvKey) => {
      const format = left.shift() ?? null;
      const value = format === null ? null : new Deno.KvU64(format);
      return Promise.resolve({ key, value, versionstamp: value && "1" });
    },
    list: async function* () {
      yield await Promise.resolve({ key: keys.format, value: 1, versionstamp: "1" });
    },
  } as unknown as Database; // sound: what `checkFormat` calls
}

Deno.test("checkFormat: a new store whose format another process notes meanwhile is opened", () =>
  checkFormat(databaseOf([null, storeFormat]), "a store"));

Deno.test("checkFormat: a store with entries and no format, or another one, is refused", async () => {
  for (const formats of [[null, null], [null, 5n], [5n]]) {
    await assertRejects(() => checkFormat(databaseOf(formats), "a store"), StoreError);
  }
});
