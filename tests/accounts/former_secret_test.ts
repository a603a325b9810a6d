import { assertEquals } from "@std/assert";
import { authorize } from "../../lib/accounts/authorize.ts";
import { issueApiKey, rotateApiKey } from "../../lib/accounts/mod.ts";
import { getFormerSecretUse } from "../../lib/store/api_keys/mod.ts";
import { createGroup } from "../../lib/store/catalog/mod.ts";
import { Directory } from "../../lib/store/directory/mod.ts";
import { sampleGroup } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";

const nowMs = Date.UTC(2026, 10, 21, 8);

Deno.test("a secret that a rotation replaced: its calls are counted, with the last one's address", () =>
  withMemoryStore(async (store) => {
    await createGroup(store, sampleGroup({ id: "default" }));
    const draft = { accountId: "owner", name: "ci", groupId: "default", enabled: true };
    const { apiKey, secret } = await issueApiKey(store, draft, { nowMs });
    const rotated = await rotateApiKey(store, apiKey.id, { graceMs: 60_000, nowMs });
    const directory = await Directory.load(store, { now: () => nowMs });
    for (const ip of ["203.0.113.1", "203.0.113.7"]) {
      await authorize(secret, { ip, nowMs }, directory);
    }
    await authorize(rotated?.secret, { ip: "203.0.113.9", nowMs }, directory);
    await directory.close();
    const use = { count: 2, atMs: nowMs, ip: "203.0.113.7" };
    assertEquals(await getFormerSecretUse(store, apiKey.digest), use);
    assertEquals(await getFormerSecretUse(store, rotated?.apiKey.digest ?? ""), undefined);
  }));
