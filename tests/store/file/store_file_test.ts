import { assertEquals } from "@std/assert";
import { Activity } from "../../../lib/activity.ts";
import { StoreMonitor } from "../../../lib/store/mod.ts";
import { withTempStore } from "../temp_store.ts";

/** Reads a database as any tool does, which deletes its `-wal` file at the end if it is the last. */
const otherTool = `
import { DatabaseSync } from "node:sqlite";
const database = new DatabaseSync(Deno.args[0]);
database.prepare("SELECT count(*) FROM kv").get();
database.close();
`;

Deno.test("another program may open and close the file of a store that is probed", async () => {
  await withTempStore(async (store, path) => {
    const monitor = new StoreMonitor(store, {
      everyMs: 60_000,
      timeoutMs: 5_000,
      activity: new Activity(),
    });
    await monitor.probe();
    const script = `${path}-tool.ts`;
    await Deno.writeTextFile(script, otherTool);
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", script, path],
    }).output();
    assertEquals(success, true);
    await monitor.probe();
    await monitor.close();
    assertEquals(store.health.fault, undefined);
    await store.kv.set(["group", "a"], 1);
  });
});
