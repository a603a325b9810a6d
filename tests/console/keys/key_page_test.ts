import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { getApiKey, getApiKeyByDigest } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { digestOf } from "../../../lib/store/kv/digest.ts";
import { spend } from "../../alerts/alerting.ts";
import { callIdAt } from "../calls/call_id.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, addKey } from "../records.ts";

const usd = 1_000_000_000n;
const hourMs = 3_600_000;
const secretPattern = /sk-[0-9A-Za-z]{34}/;

testConsole("key: its settings, its budgets and its calls", async (console) => {
  const { store } = console;
  await addKey(store, {
    id: "key_1",
    name: "prod-api",
    models: ["acme-*"],
    limits: { requestsPerMinute: 600 },
    budgets: [
      { nanoUsd: 10n * usd, period: "month" },
      { nanoUsd: 2n * usd, period: "day", timeZone: "Asia/Shanghai" },
    ],
  });
  await spend(store, "budget:key:key_1:2026-11", 920);
  await addCall(store, { ...callIdAt(60_000, 1), upstreamId: "acme", costNanoUsd: 5n * usd });
  await addCall(store, { ...callIdAt(60_000, 2), keyId: "key_2", model: "not-this" });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console/token/key_1");
  const text = textOf(html);
  for (
    const part of [
      "Spend, 30 days $5.00",
      "Calls 1 No failures",
      "Monthly limit 92% used Key, $0.80 left",
      "Limits in force Key Requests per minute 0 of 600 600 left, resets 08:41:00 (UTC)",
      "Monthly budget $9.20 of $10.00 $0.80 left, resets Dec 1 00:00 (UTC)",
      "Daily budget $0.00 of $2.00 $2.00 left, resets 16:00:00 (Asia/Shanghai)",
      "Models acme-*",
      "Requests per minute 600",
      "Allowed addresses Any address",
    ]
  ) assertStringIncludes(text, part);
  assert(!text.includes("not-this"));
});

testConsole("key: another account's pages are as unknown as none", async (console) => {
  await addKey(console.store, { id: "key_1", name: "prod-api" });
  await addKey(console.store, { id: "key_2", name: "declared", origin: "config" });
  const other = await console.signedIn(member);
  for (const page of ["", "/edit", "/rotate"]) {
    assertEquals((await other.get(`/console/token/key_1${page}`)).status, 404, page);
  }
  for (const page of ["/edit", "/rotate"]) {
    assertEquals((await other.post(`/console/token/key_1${page}`, { name: "x" })).status, 404);
  }
  const own = await console.signedIn(administrator);
  assertEquals((await own.get("/console/token/key_2")).status, 200);
  assertEquals((await own.post("/console/token/key_2/rotate", {})).status, 403);
  assertEquals((await getApiKey(console.store, "key_1"))?.name, "prod-api");
});

testConsole("rotate: the form names what used the secret in the last hour", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_1", name: "prod-api" });
  const browser = await console.signedIn(administrator);
  const form = async () => textOf((await browser.get("/console/token/key_1/rotate")).html);
  await addCall(store, { ...callIdAt(2 * hourMs, 1), ip: "198.51.100.9" });
  assertStringIncludes(await form(), "The secret was not used in the last hour.");
  for (let number = 2; number < 4; number++) {
    const client = { ip: "198.51.100.24", userAgent: "OpenAI/JS 6.7.0" };
    await addCall(store, { ...callIdAt(number * 60_000, number), ...client });
  }
  assertStringIncludes(
    await form(),
    "used for 2 calls in the last hour, most recently from 198.51.100.24, OpenAI JS 6.7.0.",
  );
});

testConsole("rotate: the same key with a new secret, the old one ends later", async (console) => {
  const { store } = console;
  const before = await addKey(store, { id: "key_1", name: "prod-api", models: ["a"] });
  const browser = await console.signedIn(administrator);
  const page = textOf((await browser.get("/console/token/key_1/rotate")).html);
  assertStringIncludes(page, "Rotate prod-api?");
  const answer = await browser.post("/console/token/key_1/rotate", { grace: "24h" });
  assertRedirect(answer, "/console/token");
  const { html } = await browser.get("/console/token");
  assertStringIncludes(textOf(html), "prod-api has a new secret");
  const secret = secretPattern.exec(html)?.[0] ?? "";
  const after = await getApiKeyByDigest(store, digestOf(secret));
  assertEquals([after?.id, after?.models], ["key_1", ["a"]]);
  assertEquals(after?.previous?.digest, before.digest);
  assertEquals(after?.previous?.expiresAtMs, nowMs + 24 * hourMs);
  assert(!secretPattern.test((await browser.get("/console/token")).html));
  const detail = textOf((await browser.get("/console/token/key_1")).html);
  assertStringIncludes(detail, "works until Nov 22, 2026, 08:40:15");
  const { entries: [entry] } = await listAuditEntries(store, { limit: 1 });
  assertEquals([entry.kind, entry.action, entry.targetId], ["key", "rotated", "key_1"]);
});

const atOnce: readonly Record<string, string>[] = [{}, { grace: "now" }, { grace: "forever" }];
for (const form of atOnce) {
  testConsole(`rotate: ${JSON.stringify(form)} ends the old secret at once`, async (console) => {
    const before = await addKey(console.store, { id: "key_1" });
    const browser = await console.signedIn(administrator);
    await browser.post("/console/token/key_1/rotate", form);
    assertEquals(await getApiKeyByDigest(console.store, before.digest), undefined);
  });
}

testConsole("edit: what the form says, and what it does not ask for stays", async (console) => {
  const { store } = console;
  const expiresAtMs = nowMs + 90 * hourMs;
  const before = await addKey(store, {
    id: "key_1",
    name: "prod-api",
    enabled: false,
    expiresAtMs,
    ipAllowList: ["203.0.113.7"],
    budgets: [{ nanoUsd: usd, period: "month" }, { nanoUsd: 9n * usd, period: "total" }],
  });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console/token/key_1/edit");
  for (
    const value of [
      'value="prod-api"',
      'value="2026-11-25"',
      'name="budgetTotal"',
      'value="9"',
      "203.0.113.7</textarea>",
    ]
  ) {
    assertStringIncludes(html, value);
  }
  const form = { name: "prod", group: "coding", expiry: "date", date: "2026-11-25" };
  const answer = await browser.post("/console/token/key_1/edit", {
    ...form,
    budgetWeek: "2.5",
    budgetTotal: "9",
    budgetZone: "asia/shanghai",
    concurrency: "3",
  });
  assertRedirect(answer, "/console/token");
  assertStringIncludes(textOf((await browser.get("/console/token")).html), "prod was changed.");
  const { ipAllowList: _, ...kept } = before;
  const after = await getApiKey(store, "key_1");
  assertEquals<unknown>(after, {
    ...kept,
    name: "prod",
    groupId: "coding",
    limits: { concurrency: 3 },
    budgets: [
      { nanoUsd: 2_500_000_000n, period: "week", timeZone: "Asia/Shanghai" },
      { nanoUsd: 9n * usd, period: "total", timeZone: "Asia/Shanghai" },
    ],
  });
});

testConsole("edit: what cannot be is marked, and nothing is changed", async (console) => {
  const before = await addKey(console.store, { id: "key_1", name: "one" });
  await addKey(console.store, { name: "taken" });
  const browser = await console.signedIn(administrator);
  for (
    const [form, text] of [
      [{ name: "taken", group: "default" }, "already have a key with this name"],
      [{ name: "one", group: "gone" }, "Choose one of your groups"],
      [
        { name: "one", group: "default", budgetDay: "1", budgetZone: "Mars/One" },
        "Unknown time zone",
      ],
    ] as const
  ) {
    const answer = await browser.post("/console/token/key_1/edit", form);
    assertEquals(answer.status, 422);
    assertStringIncludes(textOf(answer.html), text);
  }
  assertEquals(await getApiKey(console.store, "key_1"), before);
});

testConsole("key: one choice of the period covers its figures and its chart", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_1", name: "prod-api", lastUsedAtMs: nowMs - 50 * hourMs });
  await addCall(store, { ...callIdAt(50 * hourMs, 1), costNanoUsd: 5n * usd });
  const browser = await console.signedIn(administrator);
  const week = textOf((await browser.get("/console/token/key_1?period=7d")).html);
  assertStringIncludes(week, "Spend, 7 days $5.00");
  assertStringIncludes(week, "Calls 1 No failures");
  const { html } = await browser.get("/console/token/key_1?period=24h");
  const day = textOf(html);
  assertStringIncludes(day, "Spend, 24 hours $0.00");
  assertStringIncludes(
    day,
    "No calls in this period: 24 hours. Last call: 2 days ago. Show 30 days",
  );
  assertStringIncludes(html, 'href="/console/token/key_1?period=30d"');
  for (const period of ["", "1y", "constructor"]) {
    const { status, html } = await browser.get(`/console/token/key_1?period=${period}`);
    assertEquals(status, 200, period);
    assertStringIncludes(textOf(html), "Spend, 30 days $5.00");
  }
});
