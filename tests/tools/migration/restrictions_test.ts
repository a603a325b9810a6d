import { assert, assertEquals } from "@std/assert";
import { digestOf } from "../../../lib/store/mod.ts";
import { nothing, resolvePlan } from "../../../tools/migration/resolve.ts";
import { FieldReport, type SourceFields } from "../../../tools/migration/source_object.ts";
import { TakenNames } from "../../../tools/migration/identity.ts";
import { planLiteLlm } from "../../../tools/migration/litellm/plan.ts";
import { planNewApi } from "../../../tools/migration/new_api/plan.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");
const token = digestOf("sk-1");

async function liteLlm(tables: Readonly<Record<string, readonly SourceFields[]>>) {
  const report = new FieldReport();
  const source = { config: {}, tables: new Map(Object.entries(tables)), variables: [] };
  return { plan: await planLiteLlm(source, { report, nowMs }), fields: report.lines() };
}

function newApi(tables: Readonly<Record<string, readonly SourceFields[]>>) {
  const report = new FieldReport();
  const plan = planNewApi(new Map(Object.entries(tables)), { report, nowMs });
  return { plan, fields: report.lines() };
}

/** Asserts that the report says that something was disabled because of the field. */
function assertDisabled(fields: ReturnType<FieldReport["lines"]>, field: string): void {
  const line = fields.find((one) => one.field === field);
  assertEquals(line?.outcome, "changed", field);
  assert(/^disabled|^a group without models/.test(line?.how ?? ""), line?.how);
}

for (
  const [field, value] of [
    ["expires", "infinity"],
    ["expires", "01/02/2024 10h"],
    ["blocked", "on"],
    ["max_budget", "1,000"],
    ["models", "gpt-4o"],
    ["rpm_limit", "0"],
    ["tpm_limit", 0],
    ["max_parallel_requests", "0"],
    ["rpm_limit", "many"],
    ["allowed_routes", '["info_routes"]'],
  ] as const
) {
  Deno.test(`litellm: a key with ${field} ${value} is disabled, and a line says so`, async () => {
    const row = { token, key_alias: "a", [field]: value };
    const { plan, fields } = await liteLlm({ LiteLLM_VerificationToken: [row] });
    assertEquals(plan.keys.map(({ enabled }) => enabled), [false]);
    assertDisabled(fields, field);
  });
}

Deno.test("litellm: a team and a user that nothing is left for may do nothing", async () => {
  const { plan, fields } = await liteLlm({
    LiteLLM_TeamTable: [
      { team_id: "t1", rpm_limit: "0" },
      { team_id: "t2", models: "gpt-4o" },
    ],
    LiteLLM_UserTable: [{ user_id: "u1", max_budget: "1,000" }, { user_id: "u2", tpm_limit: 0 }],
  });
  assertEquals(plan.groups.map(({ models }) => models), Array(2).fill(["no-default-models"]));
  assertEquals(plan.users.map(({ enabled }) => enabled), [false, false]);
  for (const field of ["rpm_limit", "models", "max_budget", "tpm_limit"]) {
    assertDisabled(fields, field);
  }
});

Deno.test("litellm: keys with routes of models, and with fields that can be read, stay enabled", async () => {
  const { plan } = await liteLlm({
    LiteLLM_VerificationToken: [
      { token, allowed_routes: ["/v1/chat/completions"], rpm_limit: "5", max_budget: "1e3" },
      { token: digestOf("sk-2"), allowed_routes: "{llm_api_routes}", expires: "2030-01-01" },
    ],
  });
  assertEquals(plan.keys.map(({ enabled }) => enabled), [true, true]);
  assertEquals(plan.keys[1].expiresAtMs, Date.parse("2030-01-01T00:00:00Z"));
});

Deno.test("litellm: a user's models bind the user's keys without a team", async () => {
  const { plan } = await liteLlm({
    LiteLLM_TeamTable: [{ team_id: "t", models: "{a}" }],
    LiteLLM_UserTable: [{ user_id: "u", models: '{gpt-4o,"openai/*"}' }],
    LiteLLM_VerificationToken: [
      { token, user_id: "u" },
      { token: digestOf("sk-2"), user_id: "u", models: "{openai/gpt-5,claude}" },
      { token: digestOf("sk-3"), user_id: "u", models: "{claude}" },
      { token: digestOf("sk-4"), user_id: "u", team_id: "t" },
    ],
  });
  assertEquals(plan.keys.map(({ models }) => models), [
    ["gpt-4o", "openai/*"],
    ["openai/gpt-5"],
    ["no-default-models"],
    undefined,
  ]);
});

Deno.test("litellm: budgets of team members have a notice", async () => {
  const { plan } = await liteLlm({
    LiteLLM_TeamMembership: [
      { user_id: "u", team_id: "t", budget_id: "b" },
      { user_id: "v", team_id: "t" },
    ],
  });
  assertEquals(plan.notices, [
    "LiteLLM_TeamMembership (1): budgets of team members are left out: give their keys budgets",
  ]);
});

Deno.test("litellm: teams of one name are groups of their own", async () => {
  const teams = ["customer-a", "customer-b"].map((team_id) => ({ team_id, team_alias: "sales" }));
  const { plan } = await liteLlm({ LiteLLM_TeamTable: teams });
  assertEquals(new Set(plan.groups.map(({ id }) => id)).size, 2);
  assert(plan.groups.every(({ id }) => id.startsWith("litellm-sales-")));
});

for (
  const [field, value] of [
    ["expired_time", "2024-01-01"],
    ["status", "disabled"],
    ["model_limits_enabled", "on"],
    ["model_limits_enabled", 1],
  ] as const
) {
  Deno.test(`new-api: a key with ${field} ${value} is disabled, and a line says so`, () => {
    const row = { id: 1, user_id: 7, key: "k", unlimited_quota: 1, model_limits: "" };
    const { plan, fields } = newApi({
      users: [{ id: 7, username: "u", group: "default" }],
      tokens: [{ ...row, [field]: value }, { ...row, id: 2, key: "l" }],
    });
    assertEquals(plan.keys.map(({ enabled }) => enabled), [false, true]);
    assertDisabled(fields, field);
  });
}

Deno.test("new-api: a user whose status cannot be read is disabled", () => {
  const { plan } = newApi({ users: [{ id: 7, username: "u", status: "x" }] });
  assertEquals(plan.users.map(({ enabled }) => enabled), [false]);
});

Deno.test("new-api: groups whose names differ in capitals keep their own prices", () => {
  const { plan } = newApi({
    users: [{ id: 7, username: "u", group: "vip" }, { id: 8, username: "v", group: "VIP" }],
    options: [{ key: "GroupRatio", value: '{"default":1,"VIP":2,"vip":0.5}' }],
  });
  const ratios = plan.groups.map(({ id, priceRatio }) => [id.slice(0, 11), priceRatio]);
  assertEquals(ratios, [["new-api-vip", 0.5], ["new-api-vip", 2]]);
  assertEquals(new Set(plan.groups.map(({ id }) => id)).size, 2);
});

Deno.test("migration: of two records with one name, the second is reported as left out", async () => {
  const { plan } = await liteLlm({ LiteLLM_TeamTable: [{ team_id: "t" }, { team_id: "t" }] });
  const { groups, lines } = resolvePlan("litellm", plan, nothing);
  assertEquals(groups.length, 1);
  assertEquals(lines.map(({ result, detail }) => [result, detail]), [
    ["created", undefined],
    ["present", "left out: another record of the import has its name"],
  ]);
});

Deno.test("migration: 20,000 keys of one name are named in a second", () => {
  const start = performance.now();
  const names = new TakenNames(["ci", "ci 3"]);
  const taken = Array.from({ length: 20_000 }, () => names.take("ci"));
  assertEquals([taken.slice(0, 3), taken.at(-1)], [["ci 2", "ci 4", "ci 5"], "ci 20002"]);
  assert(performance.now() - start < 1_000);
});
