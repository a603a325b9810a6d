import { assertEquals, assertStringIncludes } from "@std/assert";
import { noUsage, type Usage } from "../../lib/canonical/mod.ts";
import { type CacheAlert, listAlerts } from "../../lib/store/alerts/mod.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { eventOfAlert } from "../../lib/webhooks/alert_event.ts";
import { testConsole, textOf } from "../console/console.ts";
import { administrator, member, nowMs as consoleNowMs } from "../console/people.ts";
import { addKey } from "../console/records.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";
import { nowMs, openAlerts } from "./alerting.ts";

const wrote: Usage = { ...noUsage, cacheWrite5mTokens: 10_000 };
const read: Usage = { ...noUsage, cacheReadTokens: 10_000 };
const minuteMs = 60_000;

/** The calls of a session, one after the other; a write of 10,000 tokens costs $0.0075 more than none. */
function callsOf(
  usages: readonly Usage[],
  { gapMs = minuteMs, atMs = nowMs, ...fields }: Partial<RequestLogRow> & { gapMs?: number } = {},
): RequestLogRow[] {
  return usages.map((usage, n) =>
    sampleRow(n, {
      id: requestIdOf(atMs + n * gapMs, n),
      atMs: atMs + n * gapMs,
      upstreamId: "up",
      upstreamFormat: "messages",
      usage,
      costLines: [{
        bucket: "cacheWrite5mTokens",
        quantity: 10_000,
        nanoUsd: 37_500_000n,
        savedNanoUsd: usage === read ? 27_000_000n : -7_500_000n,
      }],
      session: { id: "s" },
      ...fields,
    })
  );
}

async function cacheAlerts(store: Store): Promise<CacheAlert[]> {
  const { alerts } = await listAlerts(store, { limit: 50 });
  return alerts.filter((alert) => alert.type === "cache");
}

/** Stores the calls, and lets two isolates check them. */
async function alertsOn(store: Store, calls: readonly RequestLogRow[]): Promise<CacheAlert[]> {
  await leaveRows(store, calls);
  await using one = openAlerts(store);
  await using other = openAlerts(store);
  for (const call of calls) for (const { alerts } of [one, other]) alerts.noteCall(call);
  for (const { alerts } of [one, other, one]) await alerts.check();
  return await cacheAlerts(store);
}

testOnStores("caches that are written and never read raise one alert a session", async (store) => {
  const calls = callsOf([wrote, wrote, wrote]);
  const [alert, ...others] = await alertsOn(store, calls);
  assertEquals(others, []);
  const { sessionId, calls: counted, writtenTokens, lostNanoUsd, advice, callId } = alert;
  assertEquals(
    [sessionId, counted, writtenTokens, lostNanoUsd, advice, callId],
    ["s", 3, 30_000, 22_500_000n, "breakpoints", calls[2].id],
  );
  const { type, data } = JSON.parse(eventOfAlert(alert).body);
  assertEquals([type, data.lostUsd, data.sessionId], ["cache.never_read", "0.0225", "s"]);
  assertStringIncludes(data.message, "wrote 30000 tokens to caches in 24 hours and read none");
  assertStringIncludes(data.message, "Take cache_control off these calls");
  await alertsOn(store, callsOf([wrote, wrote, wrote], { atMs: nowMs + minuteMs / 2 }));
  assertEquals((await cacheAlerts(store)).length, 1);
});

const quiet: Readonly<Record<string, readonly RequestLogRow[]>> = {
  "two writes": callsOf([wrote, wrote]),
  "a read": callsOf([wrote, read, wrote, wrote, wrote]),
  "little written": callsOf(Array(3).fill({ ...noUsage, cacheWrite5mTokens: 100 })),
  "writes that cost nothing": callsOf([wrote, wrote, wrote], { costLines: [] }),
};

for (const [name, calls] of Object.entries(quiet)) {
  testOnStores(`caches raise no alert: ${name}`, async (store) => {
    assertEquals(await alertsOn(store, calls), []);
  });
}

testOnStores("caches raise no alert if another isolate's calls read them", async (store) => {
  await leaveRows(store, callsOf([read], { atMs: nowMs - minuteMs }));
  assertEquals(await alertsOn(store, callsOf([wrote, wrote, wrote])), []);
});

const advised: Readonly<Record<string, readonly [advice: string, Parameters<typeof callsOf>[1]]>> =
  {
    "calls far apart": ["lifetime", { gapMs: 6 * minuteMs }],
    "a block that changes": ["stable-prefix", { cacheMiss: "tool 7" }],
    "a changing model": ["one-model", { cacheMiss: "model" }],
    "a changing upstream": ["one-upstream", { cacheMiss: "upstream" }],
    "an old Claude Code": ["attribution", {
      cacheMiss: "system",
      userAgent: "claude-cli/2.1.180 (x)",
    }],
    "a Claude Code without the fault": [
      "stable-prefix",
      { cacheMiss: "system", userAgent: "claude-cli/2.1.181 (x)" },
    ],
    "breakpoints of the gateway": ["automatic-caching", { format: "responses" }],
    "calls without a session": ["breakpoints", { session: undefined }],
  };

for (const [name, [advice, fields]] of Object.entries(advised)) {
  testOnStores(`the advice about unread caches for ${name} is ${advice}`, async (store) => {
    const [alert] = await alertsOn(store, callsOf([wrote, wrote, wrote], fields));
    assertEquals(alert.advice, advice);
    const { data } = JSON.parse(eventOfAlert(alert).body);
    assertEquals(data.miss, fields?.cacheMiss ?? (fields?.gapMs ? "expired" : undefined));
    if (data.miss) assertStringIncludes(data.message, ` Cause: ${data.miss}.`);
  });
}

testConsole("attention: the owner of a key hears of caches that nobody reads", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_1", name: "agents", accountId: member.id });
  const calls = callsOf([wrote, wrote, wrote], {
    atMs: consoleNowMs - 10 * minuteMs,
    accountId: member.id,
  });
  await leaveRows(store, calls);
  await using test = openAlerts(store, {}, { nowMs: consoleNowMs });
  for (const call of calls) test.alerts.noteCall(call);
  await test.alerts.check();
  const browser = await console.signedIn(member);
  const { html } = await browser.get("/console");
  const text = textOf(html);
  assertStringIncludes(text, "wrote 30,000 tokens to prompt caches in 24 hours and read none");
  assertStringIncludes(text, "Take cache_control off these calls");
  assertStringIncludes(html, 'href="/console/token/key_1/sessions?session=s"');
  const chinese = await browser.get("/console", { "accept-language": "zh-CN" });
  assertStringIncludes(textOf(chinese.html), "写入了 30,000 个 Token，但从未读取");
  const all = textOf((await (await console.signedIn(administrator)).get("/console")).html);
  assertStringIncludes(all, "wrote 30,000 tokens");
});
