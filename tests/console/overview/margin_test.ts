import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readCsv } from "../../ledger/csv.ts";
import { callIdAt } from "../calls/call_id.ts";
import { type TestConsole, testConsole } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall, addKey, upstreamRecord } from "../records.ts";
import { addressOf, consoleRoutes } from "../routes.ts";
import { createUpstream } from "../../../lib/store/catalog/mod.ts";

const call = callIdAt(60_000, 1);
const charged = {
  accountId: member.id,
  keyId: "key_member",
  model: "acme-large",
  upstreamId: "acme",
  upstreamModel: "large",
  costNanoUsd: 4_000_000_000n,
};
/** A cost of $1.317793, so a margin of $2.682207. */
const upstreamCost = { nanoUsd: 1_317_793_000n, isStated: true } as const;
const operatorsWords = [
  "1.317793",
  "1.32",
  "2.682207",
  "2.68",
  "upstream_cost",
  "margin_usd",
  "Upstream cost",
  "Margin",
];

async function addCosts({ store }: TestConsole) {
  await addKey(store, { id: charged.keyId, accountId: member.id });
  await createUpstream(store, upstreamRecord({ id: "acme", origin: "console" }));
  await addCall(store, { ...call, ...charged, upstreamCost });
}

const queries = [
  "",
  "who=everyone",
  ...["upstream", "margin"].flatMap((measure) => [
    `measure=${measure}`,
    `who=everyone&by=upstream&measure=${measure}`,
    `by=key&period=24h&measure=${measure}`,
  ]),
  ...["csv", "jsonl", "spend"].map((as) => `as=${as}&who=everyone`),
  `call=${call.id}`,
];
const samples: Readonly<Record<string, string>> = {
  "/console/token/": charged.keyId,
  "/console/log/": call.id,
  "/console/projects/": "none",
  "/console/account/passkeys/": "0".repeat(64),
  "/console/account/identities/": "1".repeat(64),
};
const members = consoleRoutes.filter(({ pattern }) =>
  pattern.startsWith("/console") && !pattern.startsWith("/console/admin")
);

testConsole("margin: no page and no export shows a member what calls cost", async (console) => {
  await addCosts(console);
  const browser = await console.signedIn(member);
  let answered = 0;
  for (const { pattern } of members) {
    for (const query of queries) {
      const path = `${addressOf(pattern, samples)}?${query}`;
      const { status, html, headers } = await browser.get(path);
      const isStream = headers.get("content-type")?.startsWith("text/event-stream");
      if (status === 200) answered++;
      const said = operatorsWords.filter((word) => html.includes(word));
      assertEquals(said, [], path);
      if (isStream) break; // slow, and the others ignore the query
    }
  }
  assert(answered > 150, `${answered} answers`);
});

testConsole("margin: an administrator sees it by call, key and upstream", async (console) => {
  await addCosts(console);
  const browser = await console.signedIn(administrator);
  const page = async (path: string) => (await browser.get(path)).html;
  const one = await page(`/console/log/${call.id}`);
  for (const word of ["1.317793", "2.682207", "Upstream cost", "as the upstream stated it"]) {
    assertStringIncludes(one, word);
  }
  for (const by of ["user", "group", "key", "upstream", "model"]) {
    const overview = `/console?who=everyone&by=${by}`;
    assertStringIncludes(await page(`${overview}&measure=margin`), "$2.68");
    assertStringIncludes(await page(`${overview}&measure=upstream`), "$1.32");
  }
  assertStringIncludes(await page("/console/log?who=everyone"), "$2.68");
});

testConsole("margin: an administrator's exports have it", async (console) => {
  await addCosts(console);
  const browser = await console.signedIn(administrator);
  const exports = ["/console/export?who=everyone&by=upstream", "/console/log/export?as=csv"];
  for (const path of [...exports, "/console/log/export?as=spend"]) {
    const [head, row] = readCsv((await browser.get(`${path}&who=everyone`)).html);
    const cell = (name: string) => row[head.indexOf(name)];
    assertEquals([cell("upstream_cost_usd"), cell("margin_usd")], ["1.317793", "2.682207"], path);
  }
  const { html } = await browser.get("/console/log/export?as=jsonl&who=everyone");
  const { upstream_cost_usd, upstream_cost_stated, margin_usd } = JSON.parse(html);
  assertEquals([upstream_cost_usd, upstream_cost_stated, margin_usd], [
    "1.317793",
    true,
    "2.682207",
  ]);
});

testConsole("margin: a loss is shown, and ranked beside the gains", async (console) => {
  await addCosts(console);
  const loss = { ...charged, model: "acme-small", costNanoUsd: 1_000_000_000n };
  await addCall(console.store, {
    ...callIdAt(50_000, 2),
    ...loss,
    upstreamCost: { nanoUsd: 9_500_000_000n },
  });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console?who=everyone&by=model&measure=margin");
  assertStringIncludes(html, "−$8.50");
  const [small, large] = ["small", "large"].map((name) => html.lastIndexOf(`model=acme-${name}`));
  assert(small > 0 && small < large, "the larger amount comes first");
});
