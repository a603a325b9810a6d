import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { moveAccount } from "../../../lib/accounts/mod.ts";
import { createProject } from "../../../lib/store/projects/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { sampleProject } from "../../store/samples.ts";
import { callIdAt } from "../calls/call_id.ts";
import { type TestConsole, testConsole, textOf } from "../console.ts";
import { administrator, member, user } from "../people.ts";
import { addCall, addKey } from "../records.ts";

const [minuteMs, dayMs, usd] = [60_000, 86_400_000, 1_000_000_000n];
const others = Array.from(
  { length: 60 },
  (_, at) => user({ id: `usr_${at}`, email: `m${at}@example.com`, role: "member" }),
);

/** Research, administered by `member`, with 60 members; the first two have called. */
async function research({ store, directory }: TestConsole): Promise<void> {
  const budgets = [{ nanoUsd: 20n * usd, period: "month" }] as const;
  await createProject(store, sampleProject({ administrators: [member.id], budgets }));
  for (const one of others) {
    await createUser(store, one);
    await moveAccount(store, one.id, "research");
  }
  await addKey(store, { id: "key_0", name: "zero", accountId: "usr_0" });
  await addKey(store, { id: "key_1", name: "first", accountId: "usr_1" });
  const call = { projectId: "research", upstreamId: "acme", tags: ["env=live", "team=a"] };
  const calls = [
    { accountId: "usr_0", keyId: "key_0", model: "one", costNanoUsd: 3n * usd, agoMs: dayMs },
    { accountId: "usr_1", keyId: "key_1", model: "two", costNanoUsd: 5n * usd, agoMs: minuteMs },
    { accountId: "usr_1", keyId: "playground_usr_1", model: "two", costNanoUsd: usd, agoMs: 1 },
  ];
  for (const [at, { agoMs, ...one }] of calls.entries()) {
    await addCall(store, { ...call, ...callIdAt(agoMs, at), ...one });
  }
  // Elsewhere, and of the same account: of no project.
  await addCall(store, {
    ...callIdAt(2, 9),
    accountId: "usr_1",
    keyId: "key_1",
    costNanoUsd: 90n * usd,
  });
  await directory.refresh();
}

testConsole(
  "project: spend by member, key, model and tag, for both its readers",
  async (console) => {
    await research(console);
    const rows = {
      user: ["m1@example.com 2 100% 67%", "m0@example.com 1 100% 33%"],
      key: ["first m1 1 100% 56%", "zero m0 1 100% 33%", "Playground m1 1 100% 11%"],
      model: ["two 2 100% 67%", "one 1 100% 33%"],
      "tag&tag_key=env": ["env=live 3 100% 100%"],
    };
    for (
      const [reader, path] of [
        [administrator, "/console/admin/projects/research"],
        [member, "/console/projects/research"],
      ] as const
    ) {
      const browser = await console.signedIn(reader);
      for (const [by, texts] of Object.entries(rows)) {
        const { html } = await browser.get(`${path}?by=${by}`);
        const text = textOf(html);
        for (const row of [...texts, "Spend, 30 days $9.00"]) assertStringIncludes(text, row);
        assertEquals(html.includes("/console/log?who=everyone"), reader === administrator);
      }
      const yesterday = await browser.get(`${path}?period=yesterday`);
      assertStringIncludes(textOf(yesterday.html), "m0@example.com 1 100% 100%");
      const { html: csv } = await browser.get(
        `/console/export?project=research&by=user&period=yesterday`,
      );
      assertMatch(csv, /,usr_0,m0@example\.com,,1,0,/);
      const wrong = await browser.get("/console/export?project=nothing");
      assertEquals(wrong.status, 404);
    }
  },
);

testConsole(
  "project: members and keys are lists, with pages, an order and spend",
  async (console) => {
    await research(console);
    const browser = await console.signedIn(administrator);
    const path = "/console/admin/projects/research";
    const { html } = await browser.get(path);
    assertStringIncludes(textOf(html), "m1 Enabled 1 2 $6.00 Remove m0 Enabled 1 1 $3.00");
    assertStringIncludes(textOf(html), "60 members");
    assertStringIncludes(html, `href="${path}?page=2"`);
    const limits = html.indexOf('id="limits-in-force"');
    assert(limits > 0 && limits < html.indexOf('id="spend"'), "budgets come first");
    const named = textOf((await browser.get(`${path}?sort=name&period=7d`)).html);
    assertStringIncludes(named, "m0 Enabled 1 1 $3.00 Remove m10 Enabled");
    const keys = (await browser.get(`${path}?show=keys&period=7d&by=model`)).html;
    assertMatch(textOf(keys), /first m1 Enabled .* 1 \$5\.00 Disable zero m0 Enabled/);
    const sorted = /<a href="([^"]*sort=name[^"]*)"/.exec(keys)?.[1].replaceAll("&amp;", "&") ?? "";
    for (const kept of ["show=keys", "period=7d", "by=model"]) assertStringIncludes(sorted, kept);
    assertEquals((await browser.get(sorted)).status, 200);
  },
);
