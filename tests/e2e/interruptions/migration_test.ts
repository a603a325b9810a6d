import { assert, assertEquals } from "@std/assert";
import { summaryOf } from "../../../lib/audit/mod.ts";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { largeDump } from "../../tools/migration/large_dump.ts";
import { runTask, startTask } from "../../tools/run_task.ts";
import { withTempFolder } from "../../store/temp_store.ts";

const counts = { keys: 6_000, users: 10 };
const script = "store/import.ts";

async function keysIn(path: string): Promise<number> {
  const store = await openStore({ location: { type: "file", path } });
  const { length } = await listApiKeys(store);
  assertEquals((await summaryOf(store)).differences, []);
  store.close();
  return length;
}

Deno.test("an import that is killed is completed by the next run", async () => {
  await withTempFolder(async (folder) => {
    const env = { TESSERA_KV: `${folder}/tessera.db` };
    await Deno.writeTextFile(`${folder}/config.yaml`, "model_list: []\n");
    await Deno.writeTextFile(`${folder}/dump.sql`, ReadableStream.from(largeDump(counts)));
    const args = ["litellm", `${folder}/config.yaml`, `${folder}/dump.sql`];
    const task = startTask(script, args, env);
    await task.stdin.close();
    await untilLarger(env.TESSERA_KV, 3_000_000);
    task.kill("SIGKILL");
    await task.output();
    const before = await keysIn(env.TESSERA_KV);
    const { code, stdout, stderr } = await runTask(script, args, env);
    assertEquals([code, stderr], [0, ""]);
    assertEquals(await keysIn(env.TESSERA_KV), counts.keys);
    assert(before > 0 && before < counts.keys, `${before} keys were there after the kill`);
    const created = (counts.keys - before).toLocaleString("en");
    assert(
      stdout.includes(`${created} API keys created, ${before} present`),
      stdout.slice(0, 2_000),
    );
  });
});

/** Waits until the store and its log of changes have this size, for at most a minute. */
async function untilLarger(path: string, bytes: number): Promise<void> {
  for (let attempt = 0; attempt < 6_000; attempt++) {
    const sizes = await Promise.all(
      [path, `${path}-wal`].map((file) => Deno.stat(file).then(({ size }) => size, () => 0)),
    );
    if (sizes[0] + sizes[1] > bytes) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("The import writes nothing");
}
