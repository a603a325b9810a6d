import { assert, assertEquals } from "@std/assert";
import { lockStore } from "../../../lib/store/kv/lock.ts";

Deno.test("the first isolate of a process prepares the store, and the others wait for it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tessera-lock-" });
  const done: string[] = [];
  const first = await lockStore(`${folder}/tessera.db`);
  const preparing = first.prepare(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    done.push("prepared");
  });
  const second = await lockStore(`${folder}/tessera.db`);
  await second.prepare(() => Promise.resolve(void done.push("prepared again")));
  done.push("second goes on");
  await preparing;
  assertEquals(done, ["prepared", "second goes on"]);
  assert(first.runId === second.runId);
  first.release();
  second.release();
  await Deno.remove(folder, { recursive: true });
});
