import { createBatch } from "../../../lib/funds/mod.ts";
import { createAuditEntry } from "../../../lib/store/audit/mod.ts";
import { createGroup, createUpstream } from "../../../lib/store/catalog/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { administrator, member, nowMs } from "../../console/people.ts";
import { adminTest, look } from "./admin_scene.ts";
import { check, everywhere, show } from "./look.ts";

adminTest("the audit log is whole in both themes at every width", async (scene) => {
  const { store } = scene.served.console;
  for (let n = 0; n < 60; n++) {
    await createAuditEntry(store, {
      atMs: nowMs - 90_000 * n,
      actorId: administrator.id,
      actorName: administrator.email,
      kind: n % 3 ? "user" : "key",
      action: n % 3 ? "changed" : "created",
      targetId: `usr_${n}`,
      targetName: n === 1 ? `${"w".repeat(60)}@example.com` : `person-${n}@example.com`,
      changes: n % 3 ? [{ field: "role", before: "member", after: "administrator" }] : [],
      ...(n % 3 === 1 &&
        { reason: "Joins the team that looks after the gateway from December on" }),
      ip: "203.0.113.7",
    });
  }
  await look(scene, {
    audit: "/console/admin/audit",
    audit_none: "/console/admin/audit?action=deleted&q=nobody",
  });
});

adminTest("users are whole in both themes at every width", async (scene) => {
  const { served: { origin, console: { store } }, page } = scene;
  const long = `${"w".repeat(60)}@example.com`;
  await createUser(store, { ...member, id: "usr_long", email: long, enabled: false });
  await look(scene, {
    users: "/console/admin/users",
    users_none: "/console/admin/users?q=nobody",
    user: `/console/admin/users/${member.id}?done=saved`,
    user_first: "/console/admin/users/owner",
    user_long: "/console/admin/users/usr_long",
    user_disable: `/console/admin/users/${member.id}/enabled`,
    invite: "/console/admin/users/invite",
  });
  await everywhere(page, async (width) => {
    await page.goto(`${origin}/console/admin/users/invite`);
    await page.type("#email", `lea-${width}@example.com`);
    await page.type("#credit", "5");
    await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
    await page.click(".secret summary");
    const link = await page.$eval(".secret .value", (one) => one.textContent ?? "");
    await check(page, "admin_invited");
    const guest = await page.browser().createBrowserContext();
    const invited = await guest.newPage();
    await show(invited, "light", width);
    await invited.goto(link);
    await check(invited, `invitation`);
    await guest.close();
  });
});

adminTest("redemption codes are whole in both themes at every width", async (scene) => {
  const { served: { origin, console: { store } }, page } = scene;
  await look(scene, { codes_empty: "/console/admin/codes" });
  const draft = { amountNanoUsd: 20_000_000_000n, count: 60, usesMax: 3 };
  const made: Awaited<ReturnType<typeof createBatch>>[] = [];
  for (const name of ["Spring workshop", "w".repeat(100)]) {
    const expiresAtMs = nowMs + 90 * 86_400_000;
    const options = { nowMs: nowMs - made.length * 3_600_000, codesMax: 60 };
    made.push(await createBatch(store, administrator, { ...draft, name, expiresAtMs }, options));
  }
  const ids = made.map((one) => one.type === "created" ? one.batch.id : "");
  await look(scene, {
    codes: "/console/admin/codes",
    codes_new: "/console/admin/codes/new",
    batch: `/console/admin/codes/${ids[0]}?done=code-enabled`,
    batch_long: `/console/admin/codes/${ids[1]}`,
    batch_disable: `/console/admin/codes/${ids[1]}/enabled`,
  });
  await everywhere(page, async () => {
    await page.goto(`${origin}/console/admin/codes/new`);
    await page.type("#name", "Autumn");
    await page.type("#amount", "12.50");
    await page.type("#count", "2");
    await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
    await check(page, "admin_codes_made");
  });
  await page.click(".button.primary[download]");
});

adminTest("groups are whole in both themes at every width", async (scene) => {
  const { store, directory } = scene.served.console;
  await look(scene, { groups_empty: "/console/admin/groups" });
  const group = { models: ["*"], formats: ["messages"], priceRatio: 1.5 } as const;
  await createGroup(store, { ...group, id: "declared", origin: "config" });
  await createGroup(store, { ...group, id: "w".repeat(64), origin: "console" });
  await createUpstream(store, {
    id: "vendor",
    endpoints: { messages: "https://203.0.114.9" },
    credentials: [],
    models: ["gpt-5", "house-model", "m".repeat(100)].map((id) => ({ id })),
    priority: 0,
    weight: 1,
    groups: ["default", "declared"],
    timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    enabled: true,
    origin: "console",
  });
  await directory.refresh();
  await look(scene, {
    groups: "/console/admin/groups?done=saved",
    groups_matrix: "/console/admin/groups?models=1",
    group: "/console/admin/groups/default",
    group_declared: "/console/admin/groups/declared",
    group_new: "/console/admin/groups/new",
    prices: "/console/pricing/proposals",
  });
});
