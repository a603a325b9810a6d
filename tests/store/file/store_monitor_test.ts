import { assertEquals } from "@std/assert";
import { Activity } from "../../../lib/activity.ts";
import { StoreMonitor } from "../../../lib/store/mod.ts";
import { later, until } from "../../waiting.ts";
import { withMemoryStore } from "../temp_store.ts";

Deno.test("StoreMonitor: a fault that is reported while the probes rest ends without a request", async () => {
  await withMemoryStore(async (store) => {
    const activity = new Activity(0);
    const monitor = new StoreMonitor(store, { everyMs: 5, timeoutMs: 1_000, activity });
    await later(50);
    store.health.report("silent");
    assertEquals(store.health.fault, "silent");
    await until(() => store.health.fault === undefined, "the fault stays");
    await monitor.close();
  });
});
