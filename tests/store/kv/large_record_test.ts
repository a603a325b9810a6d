import { assert, assertEquals, assertRejects } from "@std/assert";
import { applyConfig } from "../../../lib/accounts/apply_config.ts";
import { getApiKeyByDigest, listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { DeclaredRecords } from "../../../lib/store/catalog/declared.ts";
import {
  createGroup,
  createUpstream,
  deleteUpstream,
  getUpstream,
  listGroups,
  listUpstreams,
  updateUpstream,
} from "../../../lib/store/catalog/mod.ts";
import { Directory } from "../../../lib/store/directory/mod.ts";
import { keys } from "../../../lib/store/keys.ts";
import { type Store, StoreError } from "../../../lib/store/mod.ts";
import { sampleAudit, sampleGroup, sampleUpstream } from "../samples.ts";
import { testOnStores, withTempStore } from "../temp_store.ts";
import { startIsolate } from "../worker_isolate.ts";

/** As long as names of hosts with many models are. */
function models(count: number, by = "host") {
  return Array.from({ length: count }, (_, at) => ({
    id: `accounts/${by}/models/llama-v3p1-8b-instruct-${at}`,
  }));
}

/** Values beside the records themselves that hold what does not fit into one. */
async function partsIn(store: Store): Promise<number> {
  const entries = await Array.fromAsync(store.kv.list({ prefix: ["record_part"] }));
  return entries.length;
}

for (const count of [1_200, 5_000]) {
  testOnStores(
    `large record: an upstream with ${count} models is kept, changed and deleted`,
    async (store) => {
      const large = sampleUpstream({ models: models(count) });
      await createUpstream(store, large);
      await createUpstream(store, sampleUpstream({ id: "small" }));
      assertEquals(await getUpstream(store, "acme"), large);
      assertEquals((await listUpstreams(store)).map((one) => one.models.length), [count, 1]);
      const parts = await partsIn(store);
      assert(parts > 1, `${parts}`);

      const changed = { ...large, models: models(count, "other") };
      await updateUpstream(store, "acme", () => changed);
      assertEquals(await getUpstream(store, "acme"), changed);
      assert(await partsIn(store) <= parts + 1, "those of the former value are gone");

      await updateUpstream(store, "acme", (upstream) => ({ ...upstream, models: [{ id: "one" }] }));
      assertEquals((await getUpstream(store, "acme"))?.models, [{ id: "one" }]);
      assertEquals(await partsIn(store), 0);

      await updateUpstream(store, "acme", () => large);
      assert(await deleteUpstream(store, "acme"));
      assertEquals(await partsIn(store), 0);
    },
  );

  testOnStores(
    `large record: a configuration with ${count} models is applied, twice`,
    async (store) => {
      const { origin: _, ...upstream } = sampleUpstream({ models: models(count) });
      const group = { id: "all", formats: ["*"], priceRatio: 1 } as const;
      const declared: DeclaredRecords = {
        upstreams: [upstream],
        models: [],
        groups: [{ ...group, models: models(count).map(({ id }) => id) }],
        keys: [{
          name: "ci",
          value: "sk-ci-0123456789abcdef",
          groupId: "default",
          enabled: true,
          models: models(count).map(({ id }) => id),
        }],
      };
      await applyConfig(store, declared);
      await applyConfig(store, declared);
      const [apiKey] = await listApiKeys(store);
      assertEquals(apiKey.models?.length, count);
      assertEquals((await getApiKeyByDigest(store, apiKey.digest))?.models?.length, count);
      assertEquals((await listUpstreams(store))[0].models.length, count);
      assertEquals((await listGroups(store))[0].models.length, count);
      await applyConfig(store, { ...declared, upstreams: [], groups: [], keys: [] });
      assertEquals(await partsIn(store), 0);
    },
  );
}

testOnStores("large record: one whose id is taken leaves nothing behind", async (store) => {
  const large = sampleGroup({ models: models(2_400).map(({ id }) => id) });
  await createGroup(store, large);
  const parts = await partsIn(store);
  assert(parts > 1, `${parts}`);
  await assertRejects(() => createGroup(store, large), StoreError);
  assertEquals(await partsIn(store), parts);
});

testOnStores("large record: one that no commit takes is refused, and says so", async (store) => {
  const refused = await assertRejects(
    () => createUpstream(store, sampleUpstream({ models: models(30_000) })),
    StoreError,
    "Cannot save upstream acme",
  );
  assertEquals(refused.code, "too_large");
  assertEquals(await partsIn(store), 0);
});

testOnStores("large record: a value as earlier releases wrote it is read", async (store) => {
  const { credentials: _, ...fields } = sampleUpstream({ credentials: [] });
  await store.kv.set(keys.upstream("acme"), { version: 1, ...fields, sealedCredentials: [] });
  assertEquals(await getUpstream(store, "acme"), { ...fields, credentials: [] });
});

testOnStores(
  "large record: an entry of the audit log is cut where it is too long",
  async (store) => {
    const names = models(5_000).map(({ id }) => id).join(", ");
    const changes = [{ field: "models", before: names, after: `${names}, another` }];
    await createUpstream(store, sampleUpstream({ models: models(5_000) }), {
      audit: { ...sampleAudit, changes },
    });
    const { entries: [entry] } = await listAuditEntries(store, { limit: 1 });
    const [{ before = "", after = "" }] = entry.changes;
    assertEquals(after, `${before}, another`);
    assert(before.startsWith("…") && before.endsWith("-4999") && before.length < 200, before);
  },
);

Deno.test("large record: isolates that read beside one that writes never see a half", async () => {
  await withTempStore(async (store, path) => {
    await createUpstream(store, sampleUpstream({ models: models(1_200, "v0") }));
    const directory = await Directory.load(store);
    const isolate = startIsolate();
    await isolate.ask({ type: "open", path });
    const writing = isolate.ask({ type: "rewrite-upstream", id: "acme", times: 40 });
    let isWriting = true;
    void writing.finally(() => isWriting = false);
    const seen = new Set<string>();
    while (isWriting) {
      const [{ models }] = await listUpstreams(store);
      const [, writer] = models[0].id.split("/");
      assertEquals(models.length, 1_200);
      assert(models.every(({ id }) => id.split("/")[1] === writer), "of one write");
      seen.add(writer);
    }
    assertEquals(await writing, "rewritten");
    assert(seen.size > 1, `${[...seen]}`);
    await directory.refresh();
    assertEquals(directory.upstreams()[0].models[0].id.split("/")[1], "v40");
    await isolate.ask({ type: "close" });
    isolate.end();
    await directory.close();
  });
});
