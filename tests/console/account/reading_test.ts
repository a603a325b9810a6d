import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { noUsage } from "../../../lib/canonical/mod.ts";
import { createModel, createUpstream } from "../../../lib/store/catalog/mod.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, addKey, upstreamRecord } from "../records.ts";

testConsole("overview: the steps of a first call, then what was done", async (console) => {
  const browser = await console.signedIn(administrator);
  const before = textOf((await browser.get("/console")).html);
  assertStringIncludes(before, "First steps 1 Account : Done owner@example.com 2 Upstream Choose");
  for (const url of ["http://localhost/v1", "http://localhost/v1beta"]) {
    assertStringIncludes(before, url);
  }
  await addKey(console.store, {});
  await addCall(console.store, { id: "req_1", outcome: "refused", status: 401 });
  const tried = textOf((await browser.get("/console")).html);
  assertStringIncludes(tried, "2 Upstream Choose");
  await addCall(console.store, { id: "req_2" });
  const after = textOf((await browser.get("/console")).html);
  assert(!after.includes("First steps"));
  assertStringIncludes(after, "Spend by");
});

testConsole("log: a page at a time, newest first, and both ends say so", async (console) => {
  const browser = await console.signedIn(administrator);
  assertStringIncludes(textOf((await browser.get("/console/log")).html), "No calls yet");
  for (let n = 0; n < 60; n++) await addCall(console.store, { id: idOf(n) });
  const first = await browser.get("/console/log");
  assertEquals(idsIn(first.html).length, 50);
  assertEquals(idsIn(first.html)[0], idOf(59));
  assert(!first.html.includes(">First page<"));
  const older = /href="(\/console\/log\?before=[^"]+)"/.exec(first.html)?.[1] ?? "";
  const second = await browser.get(older);
  assertEquals(idsIn(second.html), Array.from({ length: 10 }, (_, n) => idOf(9 - n)));
  assert(!second.html.includes(">Older<"));
  assertStringIncludes(second.html, ">First page<");
  const end = await browser.get("/console/log?before=0.0.");
  assertStringIncludes(textOf(end.html), "No older calls");
});

testConsole("log: what is no id changes nothing", async (console) => {
  await addCall(console.store, { id: "req_1" });
  const browser = await console.signedIn(administrator);
  for (const before of ["<script>", "req_", "../x", "req_" + "0".repeat(500)]) {
    const { status, html } = await browser.get(`/console/log?before=${encodeURIComponent(before)}`);
    assertEquals(status, 200);
    assertEquals(idsIn(html), ["req_1"]);
  }
});

testConsole("log: the search leads to the call's own page", async (console) => {
  await addCall(console.store, { id: "req_1" });
  const browser = await console.signedIn(administrator);
  assertRedirect(await browser.get("/console/log?id=%20req_1%20"), "/console/log/req_1");
  const odd = await browser.get("/console/log?id=..%2F..%2Flogin");
  assertRedirect(odd, "/console/log/..%2F..%2Flogin");
  assertEquals((await browser.get("/console/log/..%2F..%2Flogin")).status, 404);
});

testConsole("call: what happened, what to do, and every fact", async (console) => {
  await addCall(console.store, {
    id: "req_1",
    status: 502,
    outcome: "upstream_error",
    errorCode: "upstream_unreachable",
    upstreamModel: "acme-small-2",
    userAgent: "<img src=x>",
    ip: "203.0.113.7",
    usage: { ...noUsage, inputTokens: 12, cacheReadTokens: 1_000, outputTokens: 7 },
    usageSource: "counted",
    notes: [{ path: "tools[0].strict", action: "dropped", reason: "not in this format" }],
  });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console/log/req_1");
  const text = textOf(html);
  for (
    const part of [
      "The gateway could not connect to the upstream. Not charged.",
      "Upstream model acme-small-2",
      "2026-11-21 08:39:15 UTC",
      "Input, read from cache 1,000",
      "The gateway counted these tokens",
      "Dropped tools[0].strict not in this format",
      "1.42 s",
    ]
  ) assertStringIncludes(text, part);
  assert(!html.includes("<img"));
});

testConsole("call: what it cost, for what, and what was not charged", async (console) => {
  await addCall(console.store, {
    id: "req_1",
    costNanoUsd: 5_000_000n,
    uncoveredNanoUsd: 1_500_000n,
    costLines: [
      { bucket: "inputTokens", quantity: 1_234, nanoUsd: 1_500_000n },
      { bucket: "hosted-tool:web-search", quantity: 2, nanoUsd: 4_000_000n },
      { bucket: "request", quantity: 1, nanoUsd: 1_000_000n },
      { bucket: "reasoningTokens", quantity: 7, nanoUsd: 0n },
    ],
  });
  await addCall(console.store, { id: "req_2" });
  const browser = await console.signedIn(administrator);
  const text = textOf((await browser.get("/console/log/req_1")).html);
  for (
    const part of [
      "Input, uncached 1,234 at $1.215559 per million $0.0015",
      "web-search 2 at $0.002 each $0.004",
      "Per call 1 at $0.001 each $0.001",
      "Total $0.0065",
      "Exceeds the balance, not charged −$0.0015",
      "Charged $0.005",
    ]
  ) assertStringIncludes(text, part);
  assert(!text.includes("Reasoning"));
  assert(!textOf((await browser.get("/console/log/req_2")).html).includes("Charged"));
});

testConsole("call: one without usage and with an unknown code still shows", async (console) => {
  await addCall(console.store, {
    id: "req_1",
    status: 400,
    outcome: "refused",
    errorCode: "constructor",
    usage: undefined,
  });
  const browser = await console.signedIn(administrator);
  const { status, html } = await browser.get("/console/log/req_1");
  assertEquals(status, 200);
  assert(!textOf(html).includes("Tokens No token usage"));
  assert(!html.includes("native code"));
});

testConsole("times are in the reader's zone, their titles in UTC", async (console) => {
  await addCall(console.store, { id: "req_1" });
  const browser = await console.signedIn(administrator);
  browser.cookies.set("tessera_zone", "Asia%2FShanghai");
  const { html } = await browser.get("/console/log");
  assertStringIncludes(html, ">16:39:15<");
  assertStringIncludes(html, 'title="2026-11-21 08:39:15 UTC"');
  browser.cookies.set("tessera_zone", "Nowhere%2FAtAll");
  assertStringIncludes((await browser.get("/console/log")).html, ">08:39:15<");
});

testConsole(
  "models: what the account's groups are served, and in which formats",
  async (console) => {
    const { store, directory } = console;
    await createUpstream(
      store,
      upstreamRecord({ id: "acme", models: [{ id: "acme-*" }, { id: "fast" }] }),
    );
    await createUpstream(
      store,
      upstreamRecord({ id: "other", models: [{ id: "x" }], groups: ["coding"] }),
    );
    await createUpstream(
      store,
      upstreamRecord({ id: "off", models: [{ id: "off" }], enabled: false }),
    );
    await createModel(store, {
      id: "acme-large",
      contextWindow: 200_000,
      price: { input: 3, output: 15 },
      createdAtMs: nowMs,
      origin: "config",
    });
    await directory.refresh();
    const browser = await console.signedIn(member);
    const { html } = await browser.get("/console/pricing");
    const text = textOf(html);
    for (const part of ["2 models", "acme-large", "fast", "200K"]) {
      assertStringIncludes(text, part);
    }
    assertStringIncludes(text, "$3.00 $15.00");
    assertStringIncludes(
      text,
      "Prices are in USD per 1M tokens and include the group's multiplier",
    );
    assert(!html.includes("name=off") && !html.includes("name=x"));
    const admin = await console.signedIn(administrator);
    assertStringIncludes(textOf((await admin.get("/console/pricing")).html), "3 models");
    const found = textOf((await browser.get("/console/pricing?q=LARGE")).html);
    assert(found.includes("acme-large") && !found.includes("fast"));
    const none = textOf((await browser.get("/console/pricing?q=zzz")).html);
    assertStringIncludes(none, "No models match");
  },
);

testConsole("the bare address leads to the console", async (console) => {
  const { status, headers } = await console.browser().get("/");
  assertEquals([status, headers.get("location")], [302, "/console"]);
});

function idOf(n: number): string {
  return `req_${String(n).padStart(4, "0")}`;
}

function idsIn(html: string): string[] {
  return [...html.matchAll(/class="id"[^>]*title="(req_[^"]+)"/g)].map(([, id]) => id);
}
