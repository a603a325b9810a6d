import { assert, assertEquals } from "@std/assert";
import { getApiKeyByDigest } from "../../../lib/store/api_keys/mod.ts";
import { digestOf, openStore } from "../../../lib/store/mod.ts";
import { withTempFolder } from "../../store/temp_store.ts";
import { largeDump, largeDumpKey } from "../../tools/migration/large_dump.ts";
import { runTask } from "../../tools/run_task.ts";

const counts = { keys: 20_000, users: 400 };
const quarter = { keys: 5_000, users: 100 };

/** Imports a dump into the store of a folder. Returns the answer and the seconds that it took. */
async function importInto(folder: string, counted: typeof counts) {
  await Deno.writeTextFile(`${folder}/config.yaml`, "model_list: []\n");
  await Deno.writeTextFile(`${folder}/dump.sql`, ReadableStream.from(largeDump(counted)));
  const args = ["litellm", `${folder}/config.yaml`, `${folder}/dump.sql`, "--json"];
  const start = performance.now();
  const env = { TESSERA_KV: `${folder}/tessera.db` };
  const { code, stdout, stderr } = await runTask("store/import.ts", args, env);
  assertEquals([code, stderr], [0, ""]);
  return { ...JSON.parse(stdout), seconds: (performance.now() - start) / 1_000 };
}

Deno.test("20,000 keys move in once, at the pace of 5,000, and a second run creates none", async () => {
  const small = { seconds: 0 };
  await withTempFolder(async (folder) => {
    small.seconds = (await importInto(folder, quarter)).seconds;
  });
  await withTempFolder(async (folder) => {
    for (const result of ["created", "present"]) {
      const { records, fields, seconds } = await importInto(folder, counts);
      assertEquals(records.length, counts.keys + counts.users);
      assert(records.every((record: { result: string }) => record.result === result));
      assert(fields.length < 30, "lines are for fields, not for keys");
      assert(seconds < 8 * small.seconds, `${seconds} s, after ${small.seconds} s for a quarter`);
    }
    const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
    const last = await getApiKeyByDigest(store, digestOf(largeDumpKey(counts.keys - 1)));
    assertEquals(last?.name, `key ${counts.keys - 1}`);
    store.close();
  });
});
