import { assert, assertEquals } from "@std/assert";
import { getApiKeyByDigest } from "../../../lib/store/api_keys/mod.ts";
import { digestOf, openStore } from "../../../lib/store/mod.ts";
import { withTempFolder } from "../../store/temp_store.ts";
import { largeDump, largeDumpKey } from "../../tools/migration/large_dump.ts";
import { runTask } from "../../tools/run_task.ts";

const counts = { keys: 100_000, users: 2_000 };

Deno.test("100,000 keys move in once, and a second run creates none", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    await Deno.writeTextFile(`${folder}/config.yaml`, "model_list: []\n");
    await Deno.writeTextFile(`${folder}/dump.sql`, ReadableStream.from(largeDump(counts)));
    const args = ["litellm", `${folder}/config.yaml`, `${folder}/dump.sql`, "--json"];
    for (const result of ["created", "present"]) {
      const { code, stdout, stderr } = await runTask("store/import.ts", args, { TESSERA_KV: path });
      assertEquals([code, stderr], [0, ""]);
      const { records, fields } = JSON.parse(stdout);
      assertEquals(records.length, counts.keys + counts.users);
      assert(records.every((record: { result: string }) => record.result === result));
      assert(fields.length < 30, "lines are for fields, not for keys");
    }
    const store = await openStore({ location: { type: "file", path } });
    const last = await getApiKeyByDigest(store, digestOf(largeDumpKey(99_999)));
    assertEquals(last?.name, "key 99999");
    store.close();
  });
});
