import { assertEquals } from "@std/assert";
import { dropLeases, listLeases, setLease } from "../../../lib/store/money/allowance.ts";
import { testOnStores } from "../temp_store.ts";

testOnStores("leases of ended windows are forgotten, however many end at once", async (store) => {
  const ids = Array.from(
    { length: 3_000 },
    (_, at) => `requests:account:usr_01JD0000000000000000${String(at).padStart(6, "0")}:0029123456`,
  );
  for (let at = 0; at < ids.length; at += 200) {
    const operation = store.kv.atomic();
    for (const id of ids.slice(at, at + 200)) setLease(operation, "iso_1", id, 1n);
    await operation.commit();
  }
  await dropLeases(store, "iso_1", ids);
  assertEquals((await listLeases(store, "iso_1")).length, 0);
});
