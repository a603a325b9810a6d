import { assert, assertEquals, assertThrows } from "@std/assert";
import { childPublicKey } from "../../../lib/child_key.ts";
import { digestOf } from "../../../lib/store/mod.ts";
import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import { FieldReport } from "../../../tools/migration/source_object.ts";
import { newApiTables, planNewApi } from "../../../tools/migration/new_api/plan.ts";
import { readTables } from "../../../tools/migration/tables/tables.ts";
import { bcryptHash, makeNewApi, newApiKey, newApiMysqlDump } from "./new_api_sample.ts";
import { withFiles } from "./temp_files.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");

/** Plans the sample database, or a dump. */
async function planOf(dump?: string) {
  const report = new FieldReport();
  let plan: ReturnType<typeof planNewApi> | undefined;
  await withFiles({ "dump.sql": dump ?? "" }, async (folder) => {
    const path = dump === undefined ? `${folder}/one-api.db` : `${folder}/dump.sql`;
    if (dump === undefined) makeNewApi(path);
    plan = planNewApi(await readTables(path, newApiTables), { report, nowMs });
  });
  assert(plan);
  return { plan, fields: report.lines() };
}

Deno.test("new-api: channels become upstreams with their keys, models, groups and order", async () => {
  const { plan } = await planOf();
  const [openai, anthropic, ...more] = plan.upstreams;
  assertEquals(more, []);
  assertEquals(
    [openai.id, openai.preset, openai.credentials, openai.priority, openai.weight, openai.enabled],
    ["new-api-openai-1", "openai", ["sk-upstream-1"], 10, 1, true],
  );
  assertEquals(openai.models, [
    { id: "gpt-4o" },
    { id: "gpt-4", upstreamModel: "gpt-4o" },
    { id: "dall-e-3" },
  ]);
  assertEquals(openai.groups, ["default", "new-api-vip"]);
  assertEquals(
    [anthropic.id, anthropic.endpoints, anthropic.enabled],
    ["new-api-anthropic-2", { messages: "https://api.anthropic.com" }, false],
  );
});

Deno.test("new-api: ratios become prices in USD, and groups keep their factors", async () => {
  const { plan } = await planOf();
  const prices = Object.fromEntries(plan.models.map(({ id, price }) => [id, price]));
  assertEquals(prices, {
    "gpt-4o": { input: 2.5, output: 10, cachedInput: 1.25 },
    "claude-sonnet-4-5": { input: 3, output: 15 }, // five times, as in the catalog
    "dall-e-3": { input: 0, output: 0, request: 0.04 },
  });
  const groups = plan.groups.map(({ id, priceRatio, forMembers }) => [id, priceRatio, forMembers]);
  assertEquals(groups, [
    ["new-api-vip", 0.8, true],
    [`new-api-${digestOf("企业").slice(0, 10)}`, 2, undefined],
  ]);
});

Deno.test("new-api: users keep their passwords and balances, and deleted ones are left out", async () => {
  const { plan } = await planOf();
  const users = plan.users.map(({ email, role, spending, passwordHash, createdAtMs }) => [
    email,
    role,
    spending,
    passwordHash,
    createdAtMs,
  ]);
  assertEquals(users, [
    ["root@example.com", "administrator", "prepaid", bcryptHash, 1_700_000_000_000],
    ["li@new-api.invalid", "member", "prepaid", bcryptHash, nowMs],
  ]);
  const [root, li] = plan.users;
  assertEquals(plan.grants.map(({ accountId, nanoUsd }) => [accountId, nanoUsd]), [
    [root.id, 1_000_000_000n],
    [li.id, 2_500_002_000n],
  ]);
});

Deno.test("new-api: keys go on working with sk- in front, with their limits", async () => {
  const { plan } = await planOf();
  const [prod, auto, spent, ...more] = plan.keys;
  assertEquals(more, []);
  const { id: _, ...fields } = prod;
  assertEquals(fields, {
    accountId: plan.users[1].id,
    name: "prod",
    digest: digestOf(`sk-${newApiKey}`),
    publicKey: childPublicKey(`sk-${newApiKey}`),
    prefix: "sk-Xq3",
    lastFour: "UzPlC".slice(-4),
    groupId: "new-api-vip",
    enabled: true,
    models: ["gpt-4o", "gpt-4"],
    ipAllowList: ["203.0.113.7", "198.51.100.0/24"],
    budgets: [{ nanoUsd: 500_000_000n, period: "total" }],
    createdAtMs: 1_700_000_100_000,
    origin: "console",
  });
  assertEquals([auto.groupId, auto.enabled, auto.budgets], ["default", true, undefined]);
  assertEquals([spent.enabled, spent.budgets], [false, undefined]);
});

Deno.test("new-api: every field has a line, and codes that are left have a notice", async () => {
  const { plan, fields } = await planOf();
  const found = fields.map(({ place, field, outcome }) => `${place}.${field} ${outcome}`);
  for (
    const line of [
      "options.SMTPToken unknown",
      "options.ModelRatio changed",
      "channels.param_override unknown",
      "channels.type unknown",
      "channels.key taken",
      "users.password changed",
      "users.quota changed",
      "users.deleted_at changed",
      "tokens.allow_ips taken",
      "tokens.user_id unknown",
    ]
  ) assert(found.includes(line), `${line} is missing from\n${found.join("\n")}`);
  assertEquals(plan.notices, [
    "redemptions (1): unused redemption codes: create new ones in the console",
  ]);
});

Deno.test("new-api: a dump of MySQL reads like a database", async () => {
  const { plan } = await planOf(newApiMysqlDump);
  const emails = plan.users.map(({ email }) => email);
  assertEquals(emails[0], `user-${digestOf("7").slice(0, 8)}@new-api.invalid`);
  assertEquals(plan.users.map(({ passwordHash }) => passwordHash), [bcryptHash, undefined]);
  assertEquals(plan.grants.map(({ nanoUsd }) => nanoUsd), [3_000_000_000n]);
  assertEquals(plan.keys.map(({ digest }) => digest), [digestOf(`sk-${newApiKey}`)]);
});

Deno.test("new-api: a list of addresses that cannot be read admits nobody", async () => {
  const dump = newApiMysqlDump
    .replace("`unlimited_quota` tinyint(1)", "`allow_ips` text, `unlimited_quota` tinyint(1)")
    .replace("`name`, `unlimited_quota`) VALUES", "`name`, `allow_ips`, `unlimited_quota`) VALUES")
    .replace("'k',1)", "'k','*.example.com',1)");
  const { plan } = await planOf(dump);
  assertEquals(plan.keys[0].ipAllowList, ["192.0.2.1"]);
});

Deno.test("new-api: refuses a database without channels and users", () => {
  const { reason } = assertThrows(
    () => planNewApi(new Map(), { report: new FieldReport(), nowMs }),
    ImportRefusal,
  );
  assertEquals(reason, "the database has neither channels nor users");
});
