import { assertEquals, assertRejects } from "@std/assert";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { defaultSettings, readSettings, updateSettings } from "../../../lib/store/catalog/mod.ts";
import { Directory } from "../../../lib/store/directory/mod.ts";
import { keys } from "../../../lib/store/keys.ts";
import { withCommit } from "../failing_store.ts";
import { eventually, testOnStores } from "../temp_store.ts";

const entry = {
  atMs: 1_000,
  actorId: "owner",
  actorName: "mira@example.com",
  kind: "settings",
  action: "changed",
  targetId: "settings",
  targetName: "Settings",
  changes: [],
} as const;

testOnStores("settings: the defaults until somebody changes them", async (store) => {
  assertEquals(await readSettings(store), defaultSettings);
  const named = await updateSettings(store, (settings) => ({ ...settings, siteName: "Acme" }));
  assertEquals(named, { ...defaultSettings, siteName: "Acme" });
  assertEquals(await readSettings(store), named);
});

testOnStores("settings: changes at the same time are all kept", async (store) => {
  const changes = [{ siteName: "Acme" }, { contact: "ops@example.com" }, { publicPricing: true }];
  await Promise.all(
    changes.map((change) => updateSettings(store, (settings) => ({ ...settings, ...change }))),
  );
  assertEquals(await readSettings(store), Object.assign({}, defaultSettings, ...changes));
});

testOnStores(
  "settings: a record of before a field existed has the field's default",
  async (store) => {
    await store.kv.set(keys.settings, { version: 1, siteName: "Acme" });
    assertEquals(await readSettings(store), { ...defaultSettings, siteName: "Acme" });
  },
);

testOnStores("settings: the directory hears of a change", async (store) => {
  const directory = await Directory.load(store);
  try {
    assertEquals(directory.settings(), defaultSettings);
    await updateSettings(store, (settings) => ({ ...settings, notice: "Maintenance at noon" }));
    assertEquals(
      await eventually(() => directory.settings().notice === "Maintenance at noon"),
      true,
    );
  } finally {
    await directory.close();
  }
});

testOnStores("settings: a change and its audit entry stand or fall together", async (store) => {
  const broken = withCommit(store, () => Promise.reject(new Error("the store is away")));
  const rename = (to: typeof store) =>
    updateSettings(to, (settings) => ({ ...settings, siteName: "Acme" }), { audit: () => entry });
  await assertRejects(() => rename(broken), Error, "the store is away");
  assertEquals(await readSettings(store), defaultSettings);
  assertEquals((await listAuditEntries(store, { limit: 9 })).entries, []);
  await rename(store);
  assertEquals((await listAuditEntries(store, { limit: 9 })).entries.length, 1);
});
