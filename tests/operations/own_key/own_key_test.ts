import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import Ajv2020 from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";
import { openapi } from "../../../lib/operations/openapi.ts";
import { updateOrganization } from "../../../lib/store/projects/mod.ts";
import { leaveRows } from "../../store/log/log_rows.ts";
import { requestIdOf } from "../../store/log/row_arbitrary.ts";
import { sampleRow } from "../../store/samples.ts";
import { type KeyName, keyScene } from "./key_scene.ts";

const addresses = [
  ["/v1/usage", "OwnUsage"],
  ["/v1/usage?session=cc-1", "OwnUsage"],
  ["/v1/key", "OwnKey"],
  ["/dashboard/billing/subscription", "BillingSubscription"],
  ["/v1/dashboard/billing/subscription", "BillingSubscription"],
  ["/dashboard/billing/usage", "BillingUsage"],
  ["/v1/dashboard/billing/usage", "BillingUsage"],
] as const;

const today = () => new Date().toISOString().slice(0, 10);

Deno.test("a key's usage holds its calls at once, by day and model, with what remains", async () => {
  await using scene = await keyScene();
  const statuses = [
    await scene.call("ci", "m"),
    await scene.call("ci", "m"),
    await scene.call("ci", "n"),
    await scene.call("ci", "unknown"),
  ];
  assertEquals(statuses, [200, 200, 200, 404]);
  const { start_date: _, ...usage } = await scene.json("/v1/usage");
  const row = (requests: number, cost: string, failures = 0) => ({
    requests,
    failures,
    input_tokens: 1000 * (requests - failures),
    cached_input_tokens: 0,
    cache_write_tokens: 0,
    cache_misses: 0,
    cache_saving: "0",
    output_tokens: 2000 * (requests - failures),
    cost,
  });
  const models = [
    { model: "m", ...row(2, "0.036") },
    { model: "n", ...row(1, "0.018") },
    { model: null, ...row(1, "0", 1) },
  ];
  const resets = isJsonObject(usage) && Array.isArray(usage.limits) && usage.limits[0];
  assertEquals(usage, {
    object: "usage",
    end_date: today(),
    currency: "USD",
    total: row(4, "0.054", 1),
    remaining: "0.046",
    limits: [
      {
        name: "key monthly budget",
        owner: "key",
        period: "month",
        limit: "0.1",
        remaining: "0.046",
        resets_at: isJsonObject(resets) ? resets.resets_at : "",
      },
      {
        name: "key total budget",
        owner: "key",
        period: "total",
        limit: "5",
        remaining: "4.946",
        resets_at: null,
      },
    ],
    models,
    days: [{ date: today(), ...row(4, "0.054", 1), models }],
  });
});

Deno.test("a key reads its usage after its budget is spent, and after a change of the month's days", async () => {
  await using scene = await keyScene();
  let calls = 0;
  while (await scene.call("ci", "m") === 200) calls++;
  assert(calls >= 4, `${calls} calls`);
  const { remaining, days } = await scene.json("/v1/usage");
  assertEquals([Number(remaining) < 0.03, (days as unknown[]).length], [true, 1]);
  const { days: none } = await scene.json("/v1/usage?start_date=2026-01-01&end_date=2026-01-31");
  assertEquals(none, []);
});

Deno.test("a key sees nothing of another key of its account", async () => {
  await using scene = await keyScene();
  assertEquals([await scene.call("other", "n"), await scene.call("ci", "m")], [200, 200]);
  for (const [path] of addresses) {
    const text = await (await scene.get(path)).text();
    for (const word of ['"n"', "other", await scene.idOf("other"), "0.036", "3.6"]) {
      const isWord = word === "other" && path.includes("billing/usage");
      assert(isWord || !text.includes(word), `${path} says ${word}: ${text}`);
    }
  }
  const { total } = await scene.json("/v1/usage", "other");
  assertEquals(isJsonObject(total) && total.requests, 1);
  const { total_usage } = await scene.json("/dashboard/billing/usage", "free");
  assertEquals(total_usage, 0);
});

Deno.test("a key sees no amount of a limit that it shares with others", async () => {
  await using scene = await keyScene({
    groups: [{
      id: "default",
      budget: [{ usd: 7000, period: "month" }],
      allowUnpriced: true,
    }],
  });
  const { store } = scene.gateway.parts;
  const budgets = [{ nanoUsd: 50_000n * 10n ** 9n, period: "month" as const }];
  await updateOrganization(store, () => ({ budgets }));
  await scene.call("other", "n");
  for (
    const [path, limitsIn] of [
      ["/v1/usage", (body: JsonObject) => body],
      ["/v1/key", ({ data }: JsonObject) => data as JsonObject],
    ] as const
  ) {
    const { limits, remaining } = limitsIn(await scene.json(path, "free"));
    assert(Array.isArray(limits));
    const shown = limits.filter(isJsonObject).map(({ owner, limit, remaining }) => ({
      owner,
      limit,
      remaining,
    }));
    const hidden = { limit: null, remaining: null };
    assertEquals(shown.toSorted((a, b) => String(a.owner) < String(b.owner) ? -1 : 1), [
      { owner: "group", ...hidden },
      { owner: "organization", ...hidden },
    ], path);
    assertEquals(remaining, null, path);
  }
  const { hard_limit_usd } = await scene.json("/dashboard/billing/subscription", "free");
  assertEquals(hard_limit_usd, 100_000_000);
});

Deno.test("older clients read the limit, and subtract the usage from it", async () => {
  await using scene = await keyScene();
  for (let n = 0; n < 2; n++) await scene.call("ci", "m");
  for (const base of ["", "/v1"]) {
    const { hard_limit_usd, access_until } = await scene.json(
      `${base}/dashboard/billing/subscription`,
    );
    const { total_usage, daily_costs } = await scene.json(
      `${base}/dashboard/billing/usage?start_date=2026-1-1&end_date=${today()}`,
    );
    assertEquals([hard_limit_usd, access_until, total_usage], [0.1, 0, 3.6]);
    const day = Date.parse(today()) / 1000;
    assertEquals(daily_costs, [{ timestamp: day, line_items: [{ name: "m", cost: 3.6 }] }]);
  }
  const { hard_limit_usd } = await scene.json("/dashboard/billing/subscription", "free");
  assertEquals(hard_limit_usd, 100_000_000);
});

Deno.test("GET /v1/key has what OpenRouter's clients read, and the key's rules", async () => {
  await using scene = await keyScene();
  await scene.call("ci", "m");
  const { data } = await scene.json("/v1/key");
  assert(isJsonObject(data));
  const { limits: _, created_at: __, id, ...rest } = data;
  assertEquals(id, await scene.idOf("ci"));
  assertEquals(rest, {
    label: "sk-ci-…jklm",
    usage: 0.018,
    usage_daily: 0.018,
    usage_weekly: 0.018,
    usage_monthly: 0.018,
    limit: 0.1,
    limit_remaining: 0.082,
    limit_reset: "monthly",
    is_free_tier: false,
    is_management_key: false,
    is_provisioning_key: false,
    rate_limit: { requests: -1, interval: "1m" },
    expires_at: null,
    name: "ci",
    group: "default",
    models: ["*"],
    formats: ["*"],
    remaining: "0.082",
    rate_limits: {
      requests_per_minute: null,
      tokens_per_minute: null,
      requests_per_window: {},
      tokens_per_window: {},
      concurrency: null,
    },
  });
  const { data: free } = await scene.json("/v1/key", "free");
  assert(isJsonObject(free));
  assertEquals([free.limit, free.limit_remaining, free.remaining], [null, null, null]);
});

Deno.test("a key's answers are what the description says", async () => {
  const { components } = openapi();
  assert(isJsonObject(components) && isJsonObject(components.schemas));
  // The package's types do not name the default export that Deno sees.
  const Ajv = (Ajv2020 as unknown as { default: typeof import("ajv/dist/2020.js").Ajv2020 })
    .default;
  const ajv = new Ajv({ strict: false, formats: { date: true, "date-time": true } });
  await using scene = await keyScene();
  await scene.call("ci", "m");
  for (const [path, schema] of addresses) {
    for (const key of ["ci", "free"] as KeyName[]) {
      const validate = ajv.compile(components.schemas[schema] as JsonObject);
      validate(await scene.json(path, key));
      assertEquals([path, key, validate.errors ?? []], [path, key, []]);
    }
  }
});

const unreadable = [
  "start_date=yesterday",
  "start_date=2026-02-30",
  "end_date=2026-13-01",
  "start_date=2026-11-02&end_date=2026-11-01",
  `start_date=${"9".repeat(10_000)}`,
  "start_date=0000-01-01",
] as const;

for (const query of unreadable) {
  const shown = query.slice(0, 60);
  Deno.test(`a key's usage refuses ?${shown} in the caller's own format`, async () => {
    await using scene = await keyScene();
    const response = await scene.get(`/v1/usage?${query}`);
    const { error } = await response.json();
    assertEquals([response.status, error.code], [400, "invalid_request"]);
    assertStringIncludes(error.message, "Cannot read the query: ");
    const messages = await scene.get(`/v1/usage?${query}`, "ci", {
      "anthropic-version": "2023-06-01",
    });
    assertEquals([messages.status, (await messages.json()).type], [400, "error"]);
  });
}

Deno.test("a key's usage until the last day that can be written is answered", async () => {
  await using scene = await keyScene();
  await scene.call("ci", "m");
  const ever = "start_date=1970-01-01&end_date=9999-12-31";
  const usage = await scene.json(`/v1/usage?${ever}`);
  assertEquals([usage.start_date, usage.end_date], ["1970-01-01", "9999-12-31"]);
  const { daily_costs: days } = await scene.json(`/dashboard/billing/usage?${ever}`);
  assertEquals(Array.isArray(days) && days.length, 1);
});

Deno.test("a key of a group without chat-completions reads its own usage", async () => {
  await using scene = await keyScene({
    groups: [{ id: "default", formats: ["messages"], allowUnpriced: true }],
  });
  assertEquals(await scene.call("ci", "m"), 403);
  for (const [path] of addresses) {
    const response = await scene.get(path);
    await response.body?.cancel();
    assertEquals([path, response.status], [path, 200]);
  }
});

Deno.test("a key's usage behind a prefix names the base URL that works", async () => {
  await using scene = await keyScene();
  const response = await scene.get("/openai/v1/usage");
  const { error } = await response.json();
  assertEquals(response.status, 404);
  assertStringIncludes(error.message, "use /v1/usage. Set the client's base URL to");
});

Deno.test("a month of a key's usage adds up to its calls, day by day", async () => {
  await using scene = await keyScene();
  const keyId = await scene.idOf("ci");
  const dayMs = 86_400_000;
  const firstMs = Date.UTC(2026, 9, 1);
  const rows = Array.from({ length: 600 }, (_, n) => {
    const atMs = firstMs + (n % 31) * dayMs + n;
    const model = `model-${n % 3}`;
    const id = requestIdOf(atMs, n);
    return sampleRow(n, { id, atMs, keyId, model, upstreamId: "up", costNanoUsd: BigInt(n) });
  });
  await leaveRows(scene.gateway.parts.store, rows);
  const usage = await scene.json("/v1/usage?start_date=2026-10-02&end_date=2026-10-31");
  const within = rows.filter(({ atMs }) => atMs >= firstMs + dayMs);
  const cost = (chosen: typeof rows) =>
    chosen.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n);
  const { total, days, models } = usage;
  assert(isJsonObject(total) && Array.isArray(days) && Array.isArray(models));
  assertEquals([total.requests, days.length, models.length], [within.length, 30, 3]);
  assertEquals(BigInt(Math.round(Number(total.cost) * 1e9)), cost(within));
  const [day] = days;
  assert(isJsonObject(day));
  const own = within.filter(({ atMs }) => atMs < firstMs + 2 * dayMs);
  assertEquals([day.date, day.requests], ["2026-10-02", own.length]);
});
