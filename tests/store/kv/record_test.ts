import { assertEquals, assertRejects } from "@std/assert";
import { getGroup } from "../../../lib/store/catalog/mod.ts";
import { keys } from "../../../lib/store/keys.ts";
import { StoreError } from "../../../lib/store/mod.ts";
import { sampleGroup } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

const unreadable = [
  { what: "an older version", value: { version: 0, ...sampleGroup() } },
  { what: "a newer version", value: { version: 99, ...sampleGroup() } },
];
for (const { what, value } of unreadable) {
  testOnStores(`a record of ${what} is refused`, async (store) => {
    await store.kv.set(keys.group("team"), value);
    const error = await assertRejects(() => getGroup(store, "team"), StoreError);
    assertEquals(error.code, "unreadable");
  });
}
