import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { clientName } from "../../../lib/console/calls/call_words.ts";
import { barMs, logBars } from "../../../lib/console/calls/log_bars.ts";
import { newCalls } from "../../../lib/console/calls/log_live.ts";
import { readCsv } from "../../ledger/csv.ts";
import { assertRedirect, testConsole, textOf, withLimits } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, addKey } from "../records.ts";
import { callIdAt } from "./call_id.ts";

const refusedBy = {
  name: "key daily budget",
  kind: "money",
  limit: 5_000_000_000n,
  remaining: 120_000_000n,
  resetsAtMs: nowMs + 3_600_000,
} as const;

for (
  const [userAgent, name] of [
    ["claude-cli/2.0.1 (external, cli)", "Claude Code 2.0.1"],
    ["codex_cli_rs/0.50.0 (Debian)", "Codex 0.50.0"],
    ["OpenAI/Python 2.1.0", "OpenAI Python 2.1.0"],
    ["curl/8.5.0", "curl 8.5.0"],
    ["", undefined],
  ] as const
) {
  Deno.test(`client: ${JSON.stringify(userAgent)} is ${name}`, () =>
    assertEquals(clientName(userAgent), name));
}

Deno.test("log bars: never too many, and every call in its own", () => {
  const hourMs = 3_600_000;
  for (const hours of [0.25, 1, 24, 7 * 24, 90 * 24, 5_000 * 24]) {
    const period = { fromMs: nowMs - hours * hourMs, toMs: nowMs + 1 };
    const bars = logBars([{ atMs: nowMs, requests: 2, failures: 1 }], period, "Europe/Berlin");
    assert(bars.length > 4 && bars.length <= 31, `${hours}: ${bars.length}`);
    assertEquals(bars.at(-1)?.requests, 2);
    assertEquals(bars[0].toMs - bars[0].fromMs, barMs(period, "Europe/Berlin"));
  }
});

testConsole("log: each filter in use is taken away by itself", async (console) => {
  await addKey(console.store, { id: "key_1", name: "nightly" });
  await addCall(console.store, { ...callIdAt(60_000, 1) });
  const browser = await console.signedIn(administrator);
  const query = "key=key_1&status=5xx&format=messages&slower=1.5&dearer=0.01&q=curl&period=24h";
  const { html } = await browser.get(`/console/log?${query}`);
  const chips = /<form class="log-filters"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
  for (const text of ["Key: nightly", "> 1.50 s", "> $0.01", "“curl”", "Last 24 hours"]) {
    assertStringIncludes(chips, text);
  }
  const links = [...chips.matchAll(/<a href="([^"]*)"/g)].map(([, href]) =>
    new URL(href.replaceAll("&amp;", "&"), "http://localhost").searchParams
  );
  assertStringIncludes(chips, 'class="link" href="/console/log"');
  assertEquals(links.length, 7);
  for (const left of links) assertEquals(left.size, 6);
  assertEquals(links.map((left) => left.has("slower")).filter((has) => !has).length, 1);
});

testConsole("log: what rows alone tell is searched in all rows", async (console) => {
  for (let n = 0; n < 120; n++) await addCall(console.store, { ...callIdAt(n * 1_000, n) });
  await addCall(console.store, {
    ...callIdAt(7_200_000, 500),
    format: "messages",
    durationMs: 9_000,
    costNanoUsd: 2_000_000_000n,
    userAgent: "claude-cli/2.0.1",
    tag: "nightly",
  });
  const browser = await console.signedIn(administrator);
  for (const query of ["format=messages", "slower=8", "dearer=1", "q=CLAUDE", "tag=nightly"]) {
    const { html } = await browser.get(`/console/log?${query}`);
    assertEquals(idsIn(html), [callIdAt(7_200_000, 500).id], query);
  }
});

testConsole(
  "log: an endpoint that is passed on is found by its name, which a call bears",
  async (console) => {
    await addCall(console.store, callIdAt(0, 1));
    const { id } = callIdAt(1_000, 2);
    await addCall(console.store, { ...callIdAt(1_000, 2), operation: "embed" });
    const browser = await console.signedIn(administrator);
    assertEquals(idsIn((await browser.get("/console/log?format=embed")).html), [id]);
    const answers = await browser.get("/console/log?format=chat-completions");
    assertEquals(idsIn(answers.html), [callIdAt(0, 1).id]);
    assertStringIncludes((await browser.get(`/console/log/${id}`)).html, "Embeddings");
  },
);

testConsole("log: a search that did not reach the end says so and goes on", async (console) => {
  for (let n = 0; n < 2_010; n++) {
    await addCall(console.store, { ...callIdAt(n * 1_000, n), ...(n === 2_005 && { tag: "x" }) });
  }
  withLimits({ logSearchMs: 0 });
  const browser = await console.signedIn(administrator);
  const steps = [(await browser.get("/console/log?tag=x")).html];
  for (let next = nextStep(steps[0]); next; next = nextStep(steps[steps.length - 1])) {
    steps.push((await browser.get(next)).html);
  }
  assertEquals(steps.map((html) => idsIn(html).length), [0, 0, 1]);
  const [first, second, third] = steps.map(textOf);
  assertStringIncludes(first, "No matches so far");
  assertMatch(first, /Searched back to Nov 21, 2026, [\d:]+: 1,000 calls, 0 found/);
  assertMatch(second, /Searched back to Nov 21, 2026, [\d:]+: 2,000 calls, 0 found/);
  assertStringIncludes(third, "Searched all 2,010 calls, 1 found");
});

testConsole(
  "log: the steps of a search that finds few calls, then many, lead to all of them",
  async (console) => {
    for (let n = 0; n < 1_100; n++) {
      const tag = n === 3 || n >= 1_000 ? { tag: "x" } : {};
      await addCall(console.store, { ...callIdAt(n * 1_000, n), ...tag });
    }
    withLimits({ logSearchMs: 0 });
    const browser = await console.signedIn(administrator);
    const steps: [rows: number, text: string | undefined][] = [];
    for (let path: string | undefined = "/console/log?tag=x"; path;) {
      const { html }: { html: string } = await browser.get(path);
      const [, text, next] = /data-search-step="([^"]*)"(?: data-next="([^"]*)")?/.exec(html) ?? [];
      steps.push([idsIn(html).length, text?.replace(/back to .*:/, "back:")]);
      path = next?.replaceAll("&amp;", "&");
    }
    assertEquals(steps, [
      [1, "Searched back: 1,000 calls, 1 found"],
      [50, "Searched back: 1,050 calls, 51 found"],
      [50, "Searched all 1,100 calls, 101 found"],
    ]);
  },
);

testConsole("log: a search that reached the end without a match says so", async (console) => {
  for (let n = 0; n < 1_001; n++) await addCall(console.store, { ...callIdAt(n * 1_000, n) });
  withLimits({ logSearchMs: 0 });
  const browser = await console.signedIn(administrator);
  const first = (await browser.get("/console/log?q=nowhere")).html;
  const last = textOf((await browser.get(nextStep(first) ?? "")).html);
  assertStringIncludes(last, "Searched all 1,001 calls, 0 found");
  assertStringIncludes(last, "No calls match");
});

testConsole("log: a search whose reader has left ends", async (console) => {
  for (let n = 0; n < 1_001; n++) await addCall(console.store, { ...callIdAt(n * 1_000, n) });
  const browser = await console.signedIn(administrator);
  const headers = { cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; ") };
  const textFor = async (signal?: AbortSignal) => {
    const request = new Request("http://localhost/console/log?q=nowhere", { headers, signal });
    return textOf(await (await console.fetch(request)).text());
  };
  assertStringIncludes(await textFor(AbortSignal.abort()), ": 1,000 calls, 0 found");
  assertStringIncludes(await textFor(), "No calls match");
});

/** The address of the link to the next step. */
function nextStep(html: string): string | undefined {
  return /<a class="button small" href="([^"]*before=[^"]*)"/.exec(html)?.[1]
    .replaceAll("&amp;", "&");
}

testConsole(
  "log: the filter that excludes most is named where nothing is found",
  async (console) => {
    for (let n = 0; n < 3; n++) await addCall(console.store, { ...callIdAt(n * 1_000, n) });
    const browser = await console.signedIn(administrator);
    const { html } = await browser.get("/console/log?model=nobody&status=2xx");
    assertStringIncludes(textOf(html), "Model: nobody hides 3 calls");
    assertStringIncludes(html, 'href="/console/log?status=2xx"');
  },
);

testConsole(
  "log: administrators see the calls of all accounts, and whose they are",
  async (console) => {
    await addCall(console.store, { ...callIdAt(1_000, 1), accountId: member.id, upstreamId: "b" });
    await addCall(console.store, { ...callIdAt(2_000, 2) });
    const browser = await console.signedIn(administrator);
    assertEquals(idsIn((await browser.get("/console/log?who=mine")).html).length, 1);
    const all = (await browser.get("/console/log")).html;
    assertEquals(idsIn(all).length, 2);
    assertStringIncludes(all, `title="${member.email}"`);
    const one = (await browser.get(`/console/log?who=everyone&user=${member.email}`)).html;
    assertEquals(idsIn(one), [callIdAt(1_000, 1).id]);
    assertStringIncludes(textOf(one), `Account: ${member.email}`);
    const call = await browser.get(`/console/log/${callIdAt(1_000, 1).id}`);
    assertEquals(call.status, 200);
    assertStringIncludes(textOf(call.html), member.email);
  },
);

testConsole("log: members see nobody else's calls by any address", async (console) => {
  await addCall(console.store, { ...callIdAt(1_000, 1) });
  const browser = await console.signedIn(member);
  const scopes = ["who=everyone", "who=everyone&user=owner", "scope=all", "user=owner@example.com"];
  for (const query of [...scopes, "user=owner", "upstream=b"]) {
    const { html } = await browser.get(`/console/log?${query}`);
    assertEquals(idsIn(html), [], query);
    assert(!html.includes(">Everyone<"), query);
  }
  assertEquals((await browser.get(`/console/log/${callIdAt(1_000, 1).id}`)).status, 404);
});

testConsole(
  "log: an upstream that failed finds the call, which shows the chain",
  async (console) => {
    const attempt = { upstreamModel: "m", startedAfterMs: 1, durationMs: 2 } as const;
    await addCall(console.store, {
      ...callIdAt(1_000, 1),
      upstreamId: "second",
      attempts: [
        { ...attempt, upstreamId: "first", outcome: "timeout", errorCode: "upstream_timeout" },
        { ...attempt, upstreamId: "second", outcome: "completed" },
      ],
    });
    const browser = await console.signedIn(administrator);
    const { html } = await browser.get("/console/log?upstream=first");
    assertEquals(idsIn(html).length, 1);
    assertStringIncludes(html, "first → second");
  },
);

testConsole("log: a row says why its call failed, and its page what to do", async (console) => {
  const call = callIdAt(1_000, 1);
  await addCall(console.store, {
    ...call,
    status: 402,
    outcome: "refused",
    errorCode: "insufficient_quota",
    refusedBy,
  });
  const interrupted = callIdAt(2_000, 2);
  await addCall(console.store, { ...interrupted, outcome: "truncated", errorCode: "interrupted" });
  const browser = await console.signedIn(administrator);
  const list = textOf((await browser.get("/console/log")).html);
  assertStringIncludes(list, "402 The key's daily budget: limit reached");
  assertStringIncludes(list, "Interrupted by restart");
  const { html } = await browser.get(`/console/log/${call.id}`);
  assertStringIncludes(
    textOf(html),
    "The key's daily budget has $0.12 left, too little for this call. Not charged " +
      "An unchanged retry fails again You can fix it",
  );
  assertStringIncludes(textOf(html), "Add funds, raise the budget, or wait for its next period.");
  assertStringIncludes(textOf(html), "The key's daily budget of $5.00 had $0.12 left.");
  assertStringIncludes(html, "/console/token/key_1/edit");
  const other = textOf((await browser.get(`/console/log/${interrupted.id}`)).html);
  assertStringIncludes(other, "The server restarted before the answer was complete.");
});

testConsole(
  "log: an id that is pasted leads to its call, an unknown one says what ids look like",
  async (console) => {
    const call = callIdAt(1_000, 1);
    await addCall(console.store, call);
    const browser = await console.signedIn(administrator);
    for (const field of ["id", "q"]) {
      const answer = await browser.get(`/console/log?${field}=%20${call.id}%20&period=15m`);
      assertRedirect(answer, `/console/log/${call.id}`);
    }
    const unknown = await browser.get("/console/log/req_nothing");
    assertEquals(unknown.status, 404);
    assertStringIncludes(textOf(unknown.html), "days. Request IDs look like req_…");
  },
);

testConsole("log: a call's page leads back to the list as it was", async (console) => {
  const call = callIdAt(1_000, 1);
  await addCall(console.store, call);
  const browser = await console.signedIn(administrator);
  const back = async (referer: string) =>
    (await browser.get(`/console/log/${call.id}`, { referer })).html;
  const own = "http://localhost/console/log?status=failed";
  assertStringIncludes(await back(own), 'href="/console/log?status=failed"');
  assert(!(await back("http://evil.example/console/log?x=1")).includes("x=1"));
});

testConsole("log: views are saved, gone to and deleted, each user's own", async (console) => {
  const browser = await console.signedIn(administrator);
  const post = (form: Record<string, string>) => browser.post("/console/log/views", form);
  const back = "/console/log?status=failed";
  assertRedirect(
    await post({ name: " My  failures ", query: "status=failed&before=1.1.a", back }),
    back,
  );
  const { html } = await browser.get(back);
  assertStringIncludes(textOf(html), "View My failures saved.");
  assertStringIncludes(html, 'href="/console/log?status=failed" aria-current="true"');
  const other = await (await console.signedIn(member)).get("/console/log");
  assert(!other.html.includes("My failures"));
  await post({ name: "", query: "" });
  assertStringIncludes(textOf((await browser.get(back)).html), "Enter a name");
  await post({ delete: "My failures", back });
  const after = textOf((await browser.get(back)).html);
  assertStringIncludes(after, "View My failures deleted.");
  assertStringIncludes(
    textOf((await browser.get("/console/log")).html),
    "Saved views A view saves",
  );
});

testConsole("log: spend is exported by key, model and day", async (console) => {
  const cost = { costNanoUsd: 1_000_000_000n };
  await addCall(console.store, { ...callIdAt(1_000, 1), ...cost });
  await addCall(console.store, { ...callIdAt(2_000, 2), ...cost, model: "other" });
  await addCall(console.store, { ...callIdAt(3_000, 3), ...cost });
  await addCall(console.store, { ...callIdAt(86_400_000, 4), ...cost });
  const browser = await console.signedIn(administrator);
  const { html, headers } = await browser.get("/console/log/export?as=spend&who=mine");
  assertStringIncludes(headers.get("content-disposition") ?? "", "spend-2026-11-21.csv");
  const [, ...lines] = readCsv(html);
  assertEquals(lines.map((cells) => [cells[0], cells[5], cells[6], cells[9]]), [
    ["2026-11-21", "tessera-echo", "2", "2"],
    ["2026-11-21", "other", "1", "1"],
    ["2026-11-20", "tessera-echo", "1", "1"],
  ]);
});

testConsole("log: new calls are counted as they end", async ({ store }) => {
  await addCall(store, { ...callIdAt(60_000, 1) });
  const stop = new AbortController();
  const options = { sinceMs: nowMs, signal: stop.signal, everyMs: 1 };
  const events = newCalls(store, { accountId: "owner" }, options);
  assertEquals((await events.next()).value, ":\n\n");
  await addCall(store, { ...callIdAt(500, 2), durationMs: 1_000 });
  await addCall(store, { ...callIdAt(500, 3), durationMs: 1_000, accountId: member.id });
  assertEquals((await events.next()).value, "data: 1\n\n");
  stop.abort();
  assertEquals((await events.next()).done, true);
});

testConsole("keys of the keyboard are switched off and on", async (console) => {
  const browser = await console.signedIn(administrator);
  assertStringIncludes(
    textOf((await browser.get("/console/log")).html),
    "Turn off keyboard shortcuts",
  );
  assertRedirect(
    await browser.post("/preferences", { keys: "off", back: "/console/log" }),
    "/console/log",
  );
  assertStringIncludes(
    textOf((await browser.get("/console/log")).html),
    "Turn on keyboard shortcuts",
  );
});

function idsIn(html: string): string[] {
  return [...html.matchAll(/class="id" href="[^"]*[?;]call=(req_\w+)"/g)].map(([, id]) => id);
}
