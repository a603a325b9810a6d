import { assertEquals, assertStringIncludes } from "@std/assert";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { createUpstream } from "../../lib/store/catalog/mod.ts";
import { startApi } from "./api.ts";

const upstream = {
  id: "up",
  endpoints: { messages: "https://203.0.114.9" },
  credentials: ["x"],
  models: [{ id: "m" }],
  priority: 0,
  weight: 1,
  groups: ["team"],
  timeouts: { connectMs: 1_000, firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
  enabled: true,
  origin: "console",
} as const;

Deno.test("management: a group is created, changed and deleted, each with its entry", async () => {
  await using api = await startApi();
  const made = await api.ask("POST", "/groups", {
    body: { id: "team", models: ["gpt-*", "gpt-*"] },
  });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  assertEquals(made.body, {
    id: "team",
    models: ["gpt-*"],
    formats: ["*"],
    price_ratio: 1,
    allow_unpriced: null,
    for_members: false,
    budgets: { day: null, week: null, month: null, total: null, session: null },
    budget_time_zone: null,
    limits: { requests_per_minute: null, tokens_per_minute: null, concurrency: null },
    requests_per_window: {},
    tokens_per_window: {},
    origin: "console",
  });
  const read = await api.ask("GET", "/groups/team");
  assertEquals(read.headers.get("etag"), made.headers.get("etag"));
  const change = {
    price_ratio: 1.2,
    formats: ["messages"],
    for_members: true,
    allow_unpriced: true,
  };
  const changed = await api.ask("PATCH", "/groups/team", { body: change });
  assertEquals(changed.body, { ...made.body, ...change });
  assertEquals((await api.ask("GET", "/groups")).body.data.map(({ id }: { id: string }) => id), [
    "default",
    "team",
  ]);
  assertEquals((await api.ask("DELETE", "/groups/team")).status, 204);
  const { entries } = await listAuditEntries(api.store, { filter: { kind: "group" }, limit: 9 });
  assertEquals(entries.map(({ action }) => action), ["deleted", "changed", "created"]);
});

Deno.test("management: a group with keys is deleted once they have another", async () => {
  await using api = await startApi();
  await api.ask("POST", "/groups", { body: { id: "team" } });
  const { body: key } = await api.ask("POST", "/keys", { body: { name: "k", group: "team" } });
  const refused = await api.ask("DELETE", "/groups/team");
  assertEquals([refused.status, refused.body.error.code], [409, "object_in_use"]);
  for (const to of ["none", "team"]) {
    assertEquals((await api.ask("DELETE", `/groups/team?move_keys_to=${to}`)).status, 400);
  }
  assertEquals((await api.ask("DELETE", "/groups/team?move_keys_to=default")).status, 204);
  assertEquals((await api.ask("GET", `/keys/${key.id}`)).body.group, "default");
});

Deno.test("management: a group that others need, and wrong fields, are refused", async () => {
  await using api = await startApi();
  await api.ask("POST", "/groups", { body: { id: "team" } });
  await createUpstream(api.store, upstream);
  const held = await api.ask("DELETE", "/groups/team");
  assertEquals([held.status, held.body.error.code], [409, "object_in_use"]);
  assertStringIncludes(held.body.error.message, "upstream up");
  assertEquals((await api.ask("DELETE", "/groups/default")).body.error.code, "object_protected");
  assertEquals((await api.ask("POST", "/groups", { body: { id: "team" } })).status, 409);
  for (
    const [fields, param] of [
      [{ id: "a b" }, "id"],
      [{ id: "x", models: [] }, "models"],
      [{ id: "x", models: ["a b"] }, "models[0]"],
      [{ id: "x", formats: ["soap"] }, "formats[0]"],
      [{ id: "x", price_ratio: -1 }, "price_ratio"],
      [{ id: "x", price_ratio: 1001 }, "price_ratio"],
      [{ id: "x", price_ratio: 0.1234567 }, "price_ratio"],
      [{ id: "x", limits: { concurrency: 1e12 } }, "limits.concurrency"],
    ] as const
  ) {
    const { status, body } = await api.ask("POST", "/groups", { body: fields });
    assertEquals([status, body.error.param], [400, param], JSON.stringify(fields));
  }
});
