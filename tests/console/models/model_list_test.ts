import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  createModel,
  createUpstream,
  defaultSettings,
  updateGroup,
  updateSettings,
} from "../../../lib/store/catalog/mod.ts";
import { callIdAt } from "../calls/call_id.ts";
import { type TestConsole, testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall } from "../records.ts";
import { sample } from "../upstreams/upstream_scene.ts";

const path = "/console/pricing";

testConsole(
  "model list: filters compose, and all of them stand in the address",
  async (console) => {
    await addModels(console);
    const browser = await console.signedIn(member);
    const cases: [query: string, expected: string[]][] = [
      ["", ["claude-sonnet-4-5", "gpt-4o", "gpt-5-mini", "house"]],
      ["?vendor=openai", ["gpt-4o", "gpt-5-mini"]],
      ["?can=reasoning", ["claude-sonnet-4-5", "gpt-5-mini"]],
      ["?can=reasoning&vendor=openai", ["gpt-5-mini"]],
      ["?can=cache&q=4", ["claude-sonnet-4-5", "gpt-4o"]],
      ["?format=messages", ["claude-sonnet-4-5", "gpt-4o", "gpt-5-mini", "house"]],
      ["?format=nonsense&can=nonsense&q=mini", ["gpt-5-mini"]],
      ["?sort=input", ["gpt-5-mini", "gpt-4o", "claude-sonnet-4-5", "house"]],
      ["?sort=-output", ["claude-sonnet-4-5", "gpt-4o", "gpt-5-mini", "house"]],
      ["?sort=-name&vendor=openai", ["gpt-5-mini", "gpt-4o"]],
      ["?q=OPENAI", ["gpt-4o", "gpt-5-mini"]],
      ["?show=called", []],
      ["?show=unpriced", ["house"]],
      ["?vendor=nobody", []],
    ];
    for (const [query, expected] of cases) {
      assertEquals(namesOf((await browser.get(path + query)).html), expected, query);
    }
    const { html } = await browser.get(`${path}?vendor=openai&sort=-input`);
    assertMatch(html, /aria-sort="descending"[^>]*><a href="[^"]*vendor=openai&amp;sort=input"/);
    assertStringIncludes(textOf(html), "2 of 4 models");
  },
);

testConsole(
  "model list: prices are those of the reader's group, others on demand",
  async (console) => {
    await addModels(console);
    const browser = await console.signedIn(administrator);
    const own = textOf((await browser.get(`${path}?q=mini`)).html);
    assertStringIncludes(own, "$0.25 $2.00 $0.025 acme Catalog –");
    assert(!own.includes("$0.50 · $4.00"));
    const compared = textOf((await browser.get(`${path}?q=mini&compare=groups`)).html);
    assertStringIncludes(compared, "Input · Output, coding");
    assertStringIncludes(compared, "$0.25 $2.00 $0.025 $0.50 · $4.00 acme Catalog –");
    const coding = textOf((await browser.get(`${path}?q=mini&group=coding`)).html);
    assertStringIncludes(coding, "$0.50 $4.00 $0.05 acme Catalog –");
  },
);

testConsole("model list: measured for everybody, spent by the reader alone", async (console) => {
  await addModels(console);
  const { store } = console;
  const call = { model: "gpt-4o", upstreamId: "acme", costNanoUsd: 2_000_000_000n };
  const fast = { firstByteMs: 110, durationMs: 1_120 };
  for (let n = 0; n < 3; n++) await addCall(store, { ...call, ...fast, ...callIdAt(60_000, n) });
  const failed = { status: 502, outcome: "upstream_error" } as const;
  await addCall(store, { ...call, ...failed, ...callIdAt(60_000, 3), accountId: member.id });
  const browser = await console.signedIn(member);
  const { html } = await browser.get(path);
  assertMatch(
    textOf(html),
    /gpt-4o openai 128K 75% 1\d\d ms 47 4 \$2\.50 \$10\.00 \$1\.25 \$2\.00 /,
  );
  assert(!html.includes("acme"), "members do not see upstreams");
  assertEquals(namesOf(html)[0], "gpt-4o", "models without calls come last");
  for (const sort of ["speed", "-success", "-tokens", "-calls", "-spent"]) {
    assertEquals(namesOf((await browser.get(`${path}?sort=${sort}`)).html)[0], "gpt-4o", sort);
  }
  assertEquals(namesOf((await browser.get(`${path}?show=called`)).html), ["gpt-4o"]);
  const owner = await console.signedIn(administrator);
  assertMatch(textOf((await owner.get(path)).html), /gpt-4o .*? \$1\.25 acme Catalog \$8\.00 /);
  console.clock.nowMs += 2 * 86_400_000;
  const later = textOf((await owner.get(`${path}?period=24h`)).html);
  assertMatch(later, /gpt-4o openai 128K no calls – – /);
  assertMatch(textOf((await owner.get(path)).html), /gpt-4o openai 128K 75%/);
});

testConsole("model list: pages are as long as the configuration says", async (console) => {
  const models = Array.from({ length: 60 }, (_, n) => ({ id: `m-${String(n).padStart(2, "0")}` }));
  await createUpstream(console.store, sample({ models }));
  await console.directory.refresh();
  const browser = await console.signedIn(member);
  const first = await browser.get(path);
  assertEquals(namesOf(first.html).length, 50);
  assertStringIncludes(first.html, `href="${path}?page=2"`);
  const second = await browser.get(`${path}?page=2`);
  assertEquals(namesOf(second.html)[0], "m-50");
  assertStringIncludes(second.html, `href="${path}"`);
});

testConsole("model list: open to everybody only where the settings say so", async (console) => {
  await addModels(console);
  const browser = console.browser();
  const closed = await browser.get(`${path}?q=mini`);
  assertStringIncludes(closed.headers.get("location") ?? "", "/login?next=");
  await updateSettings(console.store, (settings) => ({ ...settings, publicPricing: true }));
  await console.directory.refresh();
  assert(!defaultSettings.publicPricing);
  const open = await browser.get(`${path}?q=mini`);
  assertEquals(open.headers.get("location"), "/pricing?q=mini");
  const { status, html } = await browser.get("/pricing?q=mini&sort=-input");
  assertEquals([status, namesOf(html)], [200, ["gpt-5-mini"]]);
  assert(!textOf(html).includes("Last 24 hours"));
  assertStringIncludes((await browser.get("/login")).html, 'href="/pricing"');
});

function namesOf(html: string): string[] {
  return [...html.matchAll(/role="rowheader"[^>]*>(?:<a[^>]*>|<span[^>]*>)([^<]*)</g)]
    .map(([, name]) => name);
}

async function addModels({ store, directory }: TestConsole): Promise<void> {
  const ids = ["gpt-5-mini", "gpt-4o", "claude-sonnet-4-5", "house"];
  await createUpstream(store, sample({ id: "acme", models: ids.map((id) => ({ id })) }));
  await createModel(store, { id: "house", createdAtMs: 0, origin: "console" });
  await updateGroup(store, "coding", (group) => ({ ...group, priceRatio: 2 }));
  await directory.refresh();
}
