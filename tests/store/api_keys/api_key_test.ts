import { assertEquals, assertRejects } from "@std/assert";
import { issueApiKey, rotateApiKey } from "../../../lib/accounts/mod.ts";
import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  getApiKeyByDigest,
  listApiKeys,
  moveApiKeys,
  noteApiKeyUse,
  updateApiKey,
} from "../../../lib/store/api_keys/mod.ts";
import { digestOf } from "../../../lib/store/kv/digest.ts";
import { StoreError } from "../../../lib/store/mod.ts";
import { sampleKey } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

const full = sampleKey({
  budgets: [{ nanoUsd: 9_007_199_254_740_993n, period: "week" }],
  limits: { concurrency: 2 },
  models: ["acme-*"],
  ipAllowList: ["10.0.0.0/8"],
  expiresAtMs: 5,
});

testOnStores(
  "API key: made, found by id and digest, listed newest first, deleted",
  async (store) => {
    const second = sampleKey({ id: "key_2", name: "two", digest: "d2", createdAtMs: 2 });
    const other = sampleKey({ id: "key_3", digest: "d3", accountId: "usr_2", createdAtMs: 3 });
    for (const apiKey of [full, second, other]) await createApiKey(store, apiKey);
    assertEquals(await getApiKey(store, full.id), full);
    assertEquals(await getApiKeyByDigest(store, full.digest), full);
    assertEquals(await listApiKeys(store, { accountId: "owner" }), [second, full]);
    assertEquals(await listApiKeys(store), [other, second, full]);
    assertEquals(await deleteApiKey(store, full.id), true);
    assertEquals(await deleteApiKey(store, full.id), false);
    assertEquals(await getApiKeyByDigest(store, full.digest), undefined);
    await createApiKey(store, full);
  },
);

testOnStores("API key: more keys than one read takes are all listed", async (store) => {
  const numbers = Array.from({ length: 25 }, (_, index) => index);
  for (const n of numbers) {
    await createApiKey(store, sampleKey({ id: `key_${n}`, name: `${n}`, digest: `d${n}` }));
  }
  await noteApiKeyUse(store, new Map(numbers.map((n) => [`key_${n}`, n + 1])));
  const found = await listApiKeys(store, { accountId: "owner" });
  assertEquals(found.length, 25);
  for (const { name, lastUsedAtMs } of found) assertEquals(lastUsedAtMs, Number(name) + 1);
});

testOnStores("API key: a name is unique in its account, and only there", async (store) => {
  await createApiKey(store, full);
  const sameName = sampleKey({ id: "key_2", digest: "d2" });
  const error = await assertRejects(() => createApiKey(store, sameName), StoreError);
  assertEquals(error.code, "already_exists");
  await createApiKey(store, { ...sameName, accountId: "usr_2" });
  const sameSecret = sampleKey({ id: "key_3", name: "three" });
  await assertRejects(() => createApiKey(store, sameSecret), StoreError);
});

testOnStores("API key: a rename frees the old name and cannot take another's", async (store) => {
  await createApiKey(store, full);
  await createApiKey(store, sampleKey({ id: "key_2", name: "two", digest: "d2" }));
  await updateApiKey(store, "key_1", (apiKey) => ({ ...apiKey, name: "uno" }));
  await updateApiKey(store, "key_2", (apiKey) => ({ ...apiKey, name: "one" }));
  await assertRejects(
    () => updateApiKey(store, "key_2", (apiKey) => ({ ...apiKey, name: "uno" })),
    StoreError,
  );
  const names = (await listApiKeys(store, { accountId: "owner" })).map(({ name }) => name);
  assertEquals(names.sort(), ["one", "uno"]);
});

testOnStores("API key: changes that race all count", async (store) => {
  await createApiKey(store, sampleKey({ limits: { concurrency: 0 } }));
  await Promise.all(Array.from({ length: 10 }, () =>
    updateApiKey(store, "key_1", (apiKey) => ({
      ...apiKey,
      limits: { concurrency: (apiKey.limits?.concurrency ?? 0) + 1 },
    }))));
  assertEquals((await getApiKey(store, "key_1"))?.limits?.concurrency, 10);
});

testOnStores("API key: its last use is kept apart and never goes back", async (store) => {
  await createApiKey(store, full);
  await noteApiKeyUse(store, new Map([["key_1", 2_000]]));
  await noteApiKeyUse(store, new Map([["key_1", 1_000]]));
  assertEquals((await getApiKey(store, "key_1"))?.lastUsedAtMs, 2_000);
  await updateApiKey(store, "key_1", (apiKey) => ({ ...apiKey, lastUsedAtMs: 9 }));
  assertEquals((await listApiKeys(store))[0]?.lastUsedAtMs, 2_000);
});

testOnStores("API key: a rotation keeps the key and ends the old secret", async (store) => {
  const { apiKey, secret } = await issueApiKey(store, {
    accountId: "owner",
    name: "one",
    groupId: "default",
    enabled: true,
  }, { nowMs: 1 });
  const graceful = await rotateApiKey(store, apiKey.id, { graceMs: 1_000, nowMs: 10 });
  assertEquals(graceful?.apiKey.previous?.expiresAtMs, 1_010);
  assertEquals((await getApiKeyByDigest(store, digestOf(secret)))?.id, apiKey.id);
  assertEquals((await getApiKeyByDigest(store, digestOf(graceful?.secret ?? "")))?.id, apiKey.id);
  const sudden = await rotateApiKey(store, apiKey.id, { graceMs: 0, nowMs: 20 });
  assertEquals(sudden?.apiKey.previous, undefined);
  for (const gone of [secret, graceful?.secret ?? ""]) {
    assertEquals(await getApiKeyByDigest(store, digestOf(gone)), undefined);
  }
  assertEquals((await getApiKeyByDigest(store, digestOf(sudden?.secret ?? "")))?.name, "one");
});

testOnStores(
  "moveApiKeys: forty in a commit, those that are in the group, and again",
  async (store) => {
    const made = Array.from(
      { length: 45 },
      (_, n) => sampleKey({ id: `key_${n}`, name: `n${n}`, digest: `d${n}` }),
    );
    const elsewhere = { ...made[0], groupId: "other" };
    const declared = { ...made[1], origin: "config" } as const;
    for (const key of [elsewhere, declared, ...made.slice(2)]) await createApiKey(store, key);
    let commits = 0;
    store.onChange(() => commits++);
    const ids = made.map(({ id }) => id);
    const from = made[0].groupId;
    await moveApiKeys(store, ids, { from, to: "next" });
    assertEquals(commits, 2);
    await moveApiKeys(store, [...ids, "key_gone"], { from, to: "last" });
    const counts = Object.groupBy(await listApiKeys(store), ({ groupId }) => groupId);
    assertEquals([counts.next?.length, counts.other?.length, counts[from]?.length], [43, 1, 1]);
    assertEquals(counts.last, undefined);
  },
);
