import { assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { adminServices, provideAdmin } from "../../../lib/admin/services.ts";
import { createAuditEntry, listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { createGroup, updateSettings } from "../../../lib/store/catalog/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator, member, nowMs } from "../../console/people.ts";
import { addKey } from "../../console/records.ts";
import { adminTest, look } from "./admin_scene.ts";
import { check, everywhere } from "./look.ts";

async function eachLook(page: Page, name: string, go: () => Promise<unknown>): Promise<void> {
  await everywhere(page, async () => {
    await go();
    await check(page, name);
  });
}

adminTest("settings are whole in both themes at every width", async (scene) => {
  const { page, served: { origin, console: { store, directory } } } = scene;
  const services = adminServices();
  if (!services) throw new Error("The console is not there");
  const webhook = { url: "https://hooks.example.com/tessera", secret: "whsec_x" };
  const alerts = { thresholds: [50, 80, 100], lowBalanceNanoUsd: 5_000_000_000n, webhook };
  provideAdmin({
    ...services,
    config: { ...services.config, alerts },
    alerts: { test: () => Promise.resolve("answered-503") },
  });
  await look(scene, {
    settings: "/console/admin/settings",
    settings_mail: "/console/admin/settings/mail",
    settings_saved: "/console/admin/settings?done=saved",
  });
  await eachLook(page, "admin_settings_failed", async () => {
    await page.goto(`${origin}/console/admin/settings`);
    const test = page.click('form[action$="/settings/test"] button');
    await Promise.all([page.waitForNavigation(), test]);
  });
  const refused = await page.browser().newPage(); // ignores the console error of a 422
  await eachLook(refused, "admin_settings_fault", async () => {
    await refused.goto(`${origin}/console/admin/settings`);
    await refused.$eval("#siteName", (one) => {
      (one as HTMLInputElement).value = "";
      one.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await refused.waitForSelector(".save-bar[data-changed]");
    await Promise.all([
      refused.waitForNavigation(),
      refused.click(".settings-form button.primary"),
    ]);
  });
  await refused.close(); // a tab behind another is drawn slowly
  const notice = "The gateway moves to its new address on Monday at noon.\nKeys and limits stay.";
  const long = { siteName: "w".repeat(60), notice: `${notice} ${"n".repeat(200)}` };
  await updateSettings(store, (settings) => ({ ...settings, ...long, contact: "ops@example.com" }));
  await directory.refresh();
  await look(scene, { settings_long: "/console/admin/settings", notice: "/console/topup" });
});

adminTest("another user's console says whose it is", async (scene) => {
  const { page, served: { origin, console: { store } } } = scene;
  await addKey(store, { accountId: member.id, name: "theirs" });
  await page.goto(`${origin}/console/admin/users/${member.id}`);
  const begin = page.click('form[action$="/view"] button');
  await Promise.all([page.waitForNavigation(), begin]);
  await eachLook(page, "viewing", () => page.goto(`${origin}/console/token`));
  const end = page.click(".viewing button");
  await Promise.all([page.waitForNavigation(), end]);
  assertEquals(page.url(), `${origin}/console/admin/users/${member.id}`);
  assertEquals((await listAuditEntries(store, { limit: 9 })).entries.length, 1);
});

adminTest("what is deleted for good is asked for in words", async (scene) => {
  const { page, served: { origin, console: { store, directory } } } = scene;
  const group = { models: ["*"], formats: ["*"], priceRatio: 1, origin: "console" } as const;
  await createGroup(store, { ...group, id: "unused" });
  for (const [n, name] of ["ci", "laptop", "w".repeat(80)].entries()) {
    await addKey(store, { id: `key_${n}`, name, accountId: member.id, groupId: "coding" });
  }
  const fixed = { groupId: "default", origin: "config" } as const;
  await createGroup(store, { ...group, id: "held" });
  await addKey(store, { id: "key_x", name: "fixed", ...fixed, groupId: "held" });
  await directory.refresh();
  await look(scene, {
    user_delete: `/console/admin/users/${member.id}/delete`,
    group_delete: "/console/admin/groups/coding/delete",
    group_delete_unused: "/console/admin/groups/unused/delete",
    group_delete_held: "/console/admin/groups/held/delete",
  });
  const refused = await page.browser().newPage(); // ignores the console error of a 422
  await eachLook(refused, "admin_user_delete_wrong", async () => {
    await refused.goto(`${origin}/console/admin/users/${member.id}/delete`);
    await refused.type("#email", "somebody@example.com");
    await Promise.all([refused.waitForNavigation(), refused.click("button.danger")]);
  });
});

adminTest("lists of users and changes are whole when they are filtered", async (scene) => {
  const { store } = scene.served.console;
  for (let n = 0; n < 12; n++) {
    const parts = { id: `usr_${n}`, email: `person-${n}@example.com`, createdAtMs: nowMs - n };
    await createUser(store, { ...member, ...parts, enabled: n % 4 !== 0 });
    await addKey(store, { name: "ci", accountId: parts.id, groupId: n % 2 ? "coding" : "default" });
  }
  await createAuditEntry(store, {
    atMs: nowMs,
    actorId: administrator.id,
    actorName: administrator.email,
    kind: "upstream",
    action: "changed",
    targetId: "openai",
    targetName: "openai",
    changes: [
      { field: "models", before: "gpt-5, gpt-5-mini", after: "gpt-5, gpt-5-mini, gpt-5-nano" },
      { field: "credentials", before: "1", after: "2" },
    ],
    ip: "203.0.113.7",
  });
  const { entries: [{ id }] } = await listAuditEntries(store, { limit: 1 });
  await look(scene, {
    users_sorted: "/console/admin/users?sort=spent&status=enabled&group=coding",
    users_deleted: "/console/admin/users?done=deleted",
    audit_filtered: "/console/admin/audit?kind=upstream&actor=owner&since=2026-11-20",
    audit_entry: `/console/admin/audit/${id}?kind=upstream`,
    codes_shown: "/console/admin/users/invited?once=once_x",
  });
});

adminTest("public models and prices are whole in both themes at every width", async (scene) => {
  const { page, served: { origin, console: { store, directory } } } = scene;
  await updateSettings(store, (settings) => ({ ...settings, publicPricing: true }));
  await directory.refresh();
  const guest = await page.browser().createBrowserContext();
  const visited = await guest.newPage();
  await eachLook(visited, "public_pricing", () => visited.goto(`${origin}/pricing`));
  await guest.close();
});
