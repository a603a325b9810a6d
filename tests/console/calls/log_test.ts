import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { noUsage } from "../../../lib/canonical/mod.ts";
import { costAccount } from "../../../lib/console/calls/cost_account.ts";
import { logSearchPath, readLogSearch } from "../../../lib/console/calls/log_search.ts";
import { curlSnippet } from "../../../lib/console/connect/client_snippets.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, addKey } from "../records.ts";
import { callIdAt } from "./call_id.ts";

const reader = { nowMs, timeZone: "Asia/Shanghai", upstreams: true, who: "mine" } as const;

for (
  const { name, query, filter } of [
    { name: "nothing", query: "", filter: {} },
    {
      name: "days of the reader's zone, both included",
      query: "since=2026-11-20&until=2026-11-21&period=7d",
      filter: { fromMs: Date.UTC(2026, 10, 19, 16), toMs: Date.UTC(2026, 10, 21, 16) },
    },
    {
      name: "a period from the beginning of an hour",
      query: "period=24h&from=2020-01-01",
      filter: { fromMs: Date.UTC(2026, 10, 20, 9) },
    },
    { name: "no such day", query: "since=2026-02-31&period=constructor", filter: {} },
    {
      name: "an upstream",
      query: "upstream=acme&status=5xx",
      filter: { upstreamId: "acme", status: "5xx" },
    },
  ]
) {
  Deno.test(`log search: ${name}`, () => {
    const search = readLogSearch(new URLSearchParams(query), reader);
    assertEquals<unknown>(search.filter, filter);
    const again = new URL(logSearchPath(search), "http://localhost").searchParams;
    assertEquals(readLogSearch(again, reader), search);
  });
}

Deno.test("log search: who may not know upstreams cannot ask for one", () => {
  const fields = new URLSearchParams("upstream=acme");
  assertEquals(readLogSearch(fields, { ...reader, upstreams: false }).filter, {});
});

Deno.test("cost account: lines add up to the charge and what was not covered", () => {
  const account = costAccount(
    {
      costNanoUsd: 5n,
      uncoveredNanoUsd: 2n,
      costLines: [
        { bucket: "inputTokens", quantity: 3, nanoUsd: 4n },
        { bucket: "hosted-tool:search", quantity: 2, nanoUsd: 3n },
      ],
    } as unknown as Parameters<typeof costAccount>[0],
  ); // the fields that it reads
  assertEquals(account?.sumNanoUsd, 7n);
  assertEquals(account?.restNanoUsd, 0n);
  assertEquals(account?.lines.map(({ rateNanoUsd, per }) => [rateNanoUsd, per]), [
    [1_333_333n, 1_000_000],
    [2n, 1],
  ]);
});

Deno.test("curl: a model's name is one word for the shell and one part of the address", () => {
  const snippet = curlSnippet("http://localhost", "generate-content", { model: "a'b/../c" });
  assertStringIncludes(snippet, "models/a'\\''b%2F..%2Fc:generateContent'");
  assertStringIncludes(snippet, "YOUR_KEY");
});

testConsole("log: the figures are those of the filter", async (console) => {
  const { store } = console;
  const priced = { keyId: "key_1", upstreamId: "acme", costNanoUsd: 1_000_000n };
  await addCall(store, { ...callIdAt(60_000, 1), ...priced });
  await addCall(store, { ...callIdAt(60_000, 2), ...priced, model: "other", keyId: "key_2" });
  await addCall(store, {
    ...callIdAt(60_000, 3),
    upstreamId: "acme",
    outcome: "timeout",
    status: 504,
    usage: { ...noUsage },
  });
  await addCall(store, { ...callIdAt(60_000, 4), accountId: member.id, ...priced });
  const browser = await console.signedIn(administrator);
  const totals = async (query: string) =>
    totalsOf((await browser.get(`/console/log${query}`)).html);
  assertStringIncludes(await totals("?who=mine"), "Calls 3 Failed 1 33.3%");
  assertStringIncludes(await totals("?who=mine"), "Cost $0.002");
  assertStringIncludes(await totals("?who=mine"), "2.5K in 112 out");
  assertStringIncludes(await totals("?key=key_2"), "Calls 1 Failed 0 0%");
  assertStringIncludes(await totals("?model=other&period=24h"), "Cost $0.001");
  assertStringIncludes(await totals("?status=failed"), "Calls 1 Failed 1 100%");
  const { html } = await browser.get("/console/log?status=failed");
  assertEquals([...html.matchAll(/class="id"/g)].length, 1);
});

testConsole("log: a filter that nothing meets is not an empty log", async (console) => {
  await addCall(console.store, { ...callIdAt(60_000, 1) });
  const browser = await console.signedIn(administrator);
  const text = textOf((await browser.get("/console/log?model=nobody")).html);
  assertStringIncludes(text, "No calls match");
  assertStringIncludes(text, "Clear filters");
  assert(!text.includes("No calls yet"));
});

testConsole("log: the form says again what the address says", async (console) => {
  await addKey(console.store, { id: "key_1", name: "ci" });
  await addCall(console.store, { ...callIdAt(60_000, 1) });
  const browser = await console.signedIn(administrator);
  const query = "?key=key_1&model=x&status=5xx&since=2026-11-01&until=2026-11-02";
  const { html } = await browser.get(`/console/log${query}`);
  for (const value of ["key_1", "x", "5xx"]) {
    assert(new RegExp(`<option value="${value}" selected`).test(html), value);
  }
  for (const day of ["2026-11-01", "2026-11-02"]) assertStringIncludes(html, `value="${day}"`);
});

testConsole("log: only administrators are told of upstreams", async (console) => {
  const attempts = [{
    upstreamId: "acme-secret",
    upstreamModel: "acme-1",
    startedAfterMs: 2,
    durationMs: 40,
    status: 503,
    outcome: "upstream_error",
    errorCode: "upstream_overloaded",
  }] as const;
  const call = { upstreamId: "acme-secret", attempts };
  await addCall(console.store, { id: "req_1", ...call });
  await addCall(console.store, { id: "req_2", accountId: member.id, ...call });
  const admin = textOf(
    (await (await console.signedIn(administrator)).get("/console/log/req_1")).html,
  );
  assertStringIncludes(admin, "Attempt 1: acme-secret / acme-1");
  assertStringIncludes(admin, "503 · started at 2 ms · took 40 ms · upstream_overloaded");
  const browser = await console.signedIn(member);
  const own = await browser.get("/console/log/req_2");
  assertStringIncludes(textOf(own.html), "Attempt 1 503 · started at 2 ms");
  assert(!own.html.includes("acme-secret"));
  assert(!(await browser.get("/console/log")).html.includes('name="upstream"'));
});

testConsole(
  "call: what its upstream states and what was counted stand beside each other",
  async (console) => {
    const { store } = console;
    const usage = { ...noUsage, inputTokens: 12, outputTokens: 40 };
    const absurd = { ...noUsage, inputTokens: 900_000_000, outputTokens: 900_000_000 };
    const answered = { upstreamId: "acme", usage };
    const counted = { ...answered, usageSource: "counted" as const, statedUsage: absurd };
    const stated = {
      ...answered,
      usage: absurd,
      usageSource: "upstream" as const,
      countedUsage: usage,
    };
    await addCall(store, { ...callIdAt(60_000, 1), ...counted, id: "req_1" });
    await addCall(store, { ...callIdAt(60_000, 2), ...stated, id: "req_2" });
    const browser = await console.signedIn(administrator);
    assertStringIncludes(
      textOf((await browser.get("/console/log/req_1")).html),
      "The upstream reported 900,000,000 input and 900,000,000 output tokens",
    );
    assertStringIncludes(
      textOf((await browser.get("/console/log/req_2")).html),
      "The gateway counted 12 input and 40 output tokens.",
    );
    const chinese = { "accept-language": "zh-CN" };
    assertStringIncludes(
      textOf((await browser.get("/console/log/req_1", chinese)).html),
      "上游报告了 900,000,000 个输入 Token 和 900,000,000 个输出 Token",
    );
    assertStringIncludes(
      textOf((await browser.get("/console/log/req_2", chinese)).html),
      "网关统计到 12 个输入 Token 和 40 个输出 Token",
    );
  },
);

testConsole("call: the curl command holds no secret", async (console) => {
  await addCall(console.store, { id: "req_1", format: "messages", model: "m'1" });
  const browser = await console.signedIn(administrator);
  const text = textOf((await browser.get("/console/log/req_1")).html);
  assertStringIncludes(text, "curl 'http://localhost/v1/messages'");
  assertStringIncludes(text, "x-api-key: YOUR_KEY");
  assert(!/sk-[0-9A-Za-z]{8}/.test(text));
});

function totalsOf(html: string): string {
  const totals = /<dl class="totals[\s\S]*?<\/dl>/.exec(html)?.[0];
  return totals === undefined ? "" : textOf(`<body${totals}`).replace(/^<body /, "");
}
