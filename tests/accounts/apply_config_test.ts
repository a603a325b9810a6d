import { assert, assertEquals, assertRejects } from "@std/assert";
import { applyConfig } from "../../lib/accounts/apply_config.ts";
import {
  createApiKey,
  getApiKey,
  getApiKeyByDigest,
  listApiKeys,
} from "../../lib/store/api_keys/mod.ts";
import type { DeclaredKey, DeclaredRecords } from "../../lib/store/catalog/declared.ts";
import {
  createUpstream,
  getGroup,
  getUpstream,
  listGroups,
  listModels,
  listUpstreams,
} from "../../lib/store/catalog/mod.ts";
import { Directory } from "../../lib/store/directory/mod.ts";
import { getChange } from "../../lib/store/kv/change.ts";
import { digestOf } from "../../lib/store/kv/digest.ts";
import { type Store, StoreError } from "../../lib/store/mod.ts";
import type { Bounds } from "../../lib/store/money/mod.ts";
import { firstAccountId, getUser } from "../../lib/store/users/mod.ts";
import { sampleKey, sampleUpstream } from "../store/samples.ts";
import { restarted, testOnStores } from "../store/temp_store.ts";

const { origin: _, ...declaredUpstream } = sampleUpstream();
const empty: DeclaredRecords = { upstreams: [], models: [], groups: [], keys: [] };

function key(name: string, value: string, fields: Partial<DeclaredKey> = {}): DeclaredKey {
  return { name, value, groupId: "default", enabled: true, ...fields };
}

const bounds: Bounds = {
  budgets: [{ nanoUsd: 7n, period: "month", timeZone: "Europe/Berlin" }],
  limits: { requestsPerMinute: 3 },
};
const full: DeclaredRecords = {
  upstreams: [declaredUpstream],
  models: [{ id: "acme-large", contextWindow: 9, price: { input: 3, output: 15 } }],
  groups: [{ id: "vip", models: ["acme-*"], formats: ["messages"], priceRatio: 2, ...bounds }],
  keys: [key("ci", "sk-ci-0123456789abcdef", { budgets: [{ nanoUsd: 5n, period: "day" }] })],
};

async function holdings(store: Store) {
  const lists = await Promise.all([
    listUpstreams(store),
    listModels(store),
    listGroups(store),
    listApiKeys(store),
  ]);
  return lists.map((list) => list.map((item) => item.id));
}

testOnStores(
  "applyConfig makes what is declared, and nothing more the second time",
  async (store) => {
    await applyConfig(store, full, 1_000);
    assertEquals(await getUpstream(store, "acme"), { ...declaredUpstream, origin: "config" });
    const [upstreams, models, groups] = await holdings(store);
    assertEquals([upstreams, models, groups], [["acme"], ["acme-large"], ["default", "vip"]]);
    const apiKey = await getApiKeyByDigest(store, digestOf("sk-ci-0123456789abcdef"));
    assertEquals(apiKey?.accountId, firstAccountId);
    assertEquals(apiKey?.budgets, [{ nanoUsd: 5n, period: "day" }]);
    const group = await getGroup(store, "vip");
    assertEquals([group?.budgets, group?.limits], [bounds.budgets, bounds.limits]);
    assertEquals([apiKey?.origin, apiKey?.createdAtMs], ["config", 1_000]);
    const change = await getChange(store);
    await applyConfig(store, full, 2_000);
    assertEquals(await getChange(store), change);
  },
);

testOnStores(
  "applyConfig removes what is no longer declared and leaves the console's",
  async (store) => {
    await createUpstream(store, sampleUpstream({ id: "by-hand" }));
    await createApiKey(store, sampleKey({ name: "by hand" }));
    await applyConfig(store, full);
    await applyConfig(store, empty);
    assertEquals(await holdings(store), [["by-hand"], [], ["default"], ["key_1"]]);
  },
);

testOnStores("applyConfig gives a key a new value, and keeps its id and age", async (store) => {
  await applyConfig(store, { ...empty, keys: [key("ci", "sk-first-0123456789abc")] }, 1_000);
  const [before] = await listApiKeys(store);
  await applyConfig(store, { ...empty, keys: [key("ci", "sk-second-0123456789ab")] }, 2_000);
  const after = await getApiKeyByDigest(store, digestOf("sk-second-0123456789ab"));
  assertEquals([after?.id, after?.createdAtMs], [before?.id, 1_000]);
  assertEquals(await getApiKeyByDigest(store, digestOf("sk-first-0123456789abc")), undefined);
});

testOnStores(
  "applyConfig lets two keys exchange their values, and one take a removed one's",
  async (store) => {
    const [one, two] = ["sk-one-0123456789abcde", "sk-two-0123456789abcde"];
    await applyConfig(store, { ...empty, keys: [key("a", one), key("b", two)] });
    await applyConfig(store, { ...empty, keys: [key("a", two), key("b", one)] });
    assertEquals((await getApiKeyByDigest(store, digestOf(two)))?.name, "a");
    assertEquals((await getApiKeyByDigest(store, digestOf(one)))?.name, "b");
    await applyConfig(store, { ...empty, keys: [key("c", one)] });
    assertEquals((await listApiKeys(store)).map(({ name }) => name), ["c"]);
  },
);

testOnStores("applyConfig takes over a record of the console with the same id", async (store) => {
  await createUpstream(store, sampleUpstream({ weight: 9, credentials: ["old"] }));
  await applyConfig(store, full);
  const upstream = await getUpstream(store, "acme");
  assertEquals([upstream?.origin, upstream?.weight], ["config", 1]);
  assertEquals(upstream?.credentials, ["acme-secret"]);
});

testOnStores("applyConfig refuses a key whose name a console key has", async (store) => {
  await createApiKey(store, sampleKey({ name: "ci" }));
  const error = await assertRejects(() => applyConfig(store, full), StoreError);
  assert(
    error.message.startsWith("Cannot declare API key ci: the first administrator already has"),
  );
  assertEquals((await getApiKey(store, "key_1"))?.digest, sampleKey().digest);
});

testOnStores(
  "applyConfig gives the default group back to the console, never deletes it",
  async (store) => {
    const group = { id: "default", models: ["acme-*"], formats: ["*"] as const, priceRatio: 2 };
    await applyConfig(store, { ...empty, groups: [group] });
    assertEquals((await getGroup(store, "default"))?.origin, "config");
    await applyConfig(store, empty);
    assertEquals(await getGroup(store, "default"), { ...group, formats: ["*"], origin: "console" });
  },
);

testOnStores("applyConfig in several isolates at once ends as if in one", async (store) => {
  const applied = await Promise.all(Array.from({ length: 6 }, () => applyConfig(store, full)));
  const [upstreams, models, groups, apiKeys] = await holdings(store);
  assertEquals([upstreams, models, groups], [["acme"], ["acme-large"], ["default", "vip"]]);
  assertEquals(apiKeys?.length, 1);
  assertEquals(applied.filter((notices) => notices?.setupLink !== undefined).length, 1);
  assertEquals(
    await getApiKeyByDigest(store, digestOf("sk-ci-0123456789abcdef")) !== undefined,
    true,
  );
});

testOnStores(
  "applyConfig makes a first key at the very first start only, once for all isolates",
  async (store) => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => applyConfig(store, empty)));
    const secrets = applied.flatMap((notices) => notices?.firstKeySecret ?? []);
    assertEquals(secrets.length, 1);
    const directory = await Directory.load(store);
    const apiKey = await directory.findKey(secrets[0] ?? "");
    assertEquals([apiKey?.name, apiKey?.enabled], ["printed-at-start", true]);
    await directory.close();
    assertEquals((await applyConfig(restarted(store), empty))?.firstKeySecret, undefined);
  },
);

testOnStores("applyConfig makes no first key where keys are declared, nor later", async (store) => {
  assertEquals((await applyConfig(store, full))?.firstKeySecret, undefined);
  assertEquals((await applyConfig(restarted(store), empty))?.firstKeySecret, undefined);
});

testOnStores("applyConfig makes the declared administrator once, and no link", async (store) => {
  const administrator = { email: "root@b.test", password: "correct horse" };
  const applied = await Promise.all(
    Array.from({ length: 3 }, () => applyConfig(store, { ...empty, administrator })),
  );
  assert(applied.every((notices) => notices?.setupLink === undefined));
  const user = await getUser(store, firstAccountId);
  assertEquals([user?.email, user?.role, user?.enabled], ["root@b.test", "administrator", true]);
  assert(user?.passwordHash?.startsWith("$argon2id$v=19$m=19456,t=2,p=1$"));
  await applyConfig(store, { ...empty, administrator: { ...administrator, password: "changed!" } });
  assertEquals((await getUser(store, firstAccountId))?.passwordHash, user?.passwordHash);
});

testOnStores(
  "applyConfig creates many keys and models in few commits, and each once",
  async (store) => {
    let commits = 0;
    const stop = store.onChange(() => commits++);
    const declared: DeclaredRecords = {
      ...empty,
      models: Array.from({ length: 600 }, (_, at) => ({ id: `many-${at}` })),
      keys: Array.from({ length: 600 }, (_, at) => key(`many ${at}`, `sk-many-0123456789-${at}`)),
    };
    await applyConfig(store, declared, 1_000);
    stop();
    assertEquals((await listModels(store)).length, 600);
    assertEquals((await listApiKeys(store)).length, 600);
    assert(commits < 60, `${commits} commits`);
  },
);

testOnStores(
  "applyConfig names the key that is in the way of many others",
  async (store) => {
    const declared = (at: number) => key(`many ${at}`, `sk-many-0123456789-${at}`);
    const theirs = sampleKey({ accountId: firstAccountId, name: "many 40" });
    await createApiKey(store, theirs);
    const keys = Array.from({ length: 60 }, (_, at) => declared(at));
    const error = await assertRejects(() => applyConfig(store, { ...empty, keys }), StoreError);
    assert(error.message.startsWith("Cannot declare API key many 40"), error.message);
  },
);
