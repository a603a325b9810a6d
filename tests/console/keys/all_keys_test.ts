import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { getApiKey, listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { spend } from "../../alerts/alerting.ts";
import { callIdAt } from "../calls/call_id.ts";
import { type TestBrowser, testConsole, textOf } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall, addKey } from "../records.ts";

const usd = 1_000_000_000n;
const monthMs = 31 * 86_400_000;

async function addTwo(store: Store): Promise<void> {
  await addKey(store, { id: "key_own", name: "own" });
  await addKey(store, { id: "key_leaked", name: "leaked", accountId: member.id });
}

async function rowsAt(browser: TestBrowser, query: string): Promise<string[]> {
  const { html } = await browser.get(`/console/token${query}`);
  return [...html.matchAll(/class="name[^"]*"><span><a[^>]*>([^<]*)/g)].map(([, name]) => name);
}

async function lastEntry(store: Store) {
  return (await listAuditEntries(store, { limit: 1 })).entries[0];
}

testConsole(
  "all keys: administrators see everyone's with owners, members their own",
  async ({ store, signedIn }) => {
    await addTwo(store);
    const browser = await signedIn(administrator);
    assertEquals((await rowsAt(browser, "")).toSorted(), ["leaked", "own"]);
    assertEquals(await rowsAt(browser, "?who=mine"), ["own"]);
    assertEquals(await rowsAt(browser, "?q=member%40"), ["leaked"]);
    assertEquals(await rowsAt(browser, `?owner=${member.id}`), ["leaked"]);
    const { html } = await browser.get("/console/token");
    assertStringIncludes(html, `href="/console/admin/users/${member.id}"`);
    const other = await signedIn(member);
    assertEquals(await rowsAt(other, "?who=everyone"), ["leaked"]);
    assertEquals(await rowsAt(other, "?who=everyone&q=own"), []);
  },
);

testConsole(
  "all keys: a member's key is disabled in one form, named with its owner, and undone",
  async ({ store, signedIn }) => {
    await addTwo(store);
    const browser = await signedIn(administrator);
    assertEquals((await browser.get("/console/token/key_leaked")).status, 200);
    await browser.post("/console/token/key_leaked/enabled", { enabled: "false" });
    assertEquals((await getApiKey(store, "key_leaked"))?.enabled, false);
    const { actorName, targetName, action } = await lastEntry(store);
    assertEquals([actorName, targetName, action], [
      administrator.email,
      `leaked (${member.email})`,
      "disabled",
    ]);
    const { html } = await browser.get("/console/token");
    const undo = /<form class="undo"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
    assertStringIncludes(undo, 'action="/console/token/key_leaked/enabled"');
  },
);

testConsole(
  "all keys: a rotation shows the secret once, to the administrator",
  async ({ store, signedIn }) => {
    await addTwo(store);
    const before = await getApiKey(store, "key_leaked");
    const browser = await signedIn(administrator);
    await browser.post("/console/token/key_leaked/rotate", { grace: "now" });
    const after = await getApiKey(store, "key_leaked");
    assert(after && after.digest !== before?.digest);
    const { html } = await browser.get("/console/token");
    assertStringIncludes(textOf(html), "leaked has a new secret");
    assert(!textOf((await browser.get("/console/token")).html).includes("leaked has a new secret"));
    const owner = await signedIn(member);
    assert(!(await owner.get("/console/token")).html.includes("has a new secret"));
  },
);

for (const path of ["", "/edit", "/rotate", "/delete"]) {
  testConsole(
    `all keys: a member finds no ${path || "page"} of another's key`,
    async ({ store, signedIn }) => {
      await addTwo(store);
      const browser = await signedIn(member);
      assertEquals((await browser.get(`/console/token/key_own${path}`)).status, 404);
      assertEquals(
        (await browser.post("/console/token/key_own/enabled", { enabled: "false" })).status,
        404,
      );
      assertEquals((await getApiKey(store, "key_own"))?.enabled, true);
    },
  );
}

testConsole(
  "all keys: all keys of a filter are disabled, and enabled again at once",
  async ({ store, signedIn }) => {
    for (let n = 0; n < 60; n++) {
      await addKey(store, { id: `key_${n}`, name: `k${n}`, accountId: member.id });
    }
    await addKey(store, { id: "key_own", name: "own" });
    const browser = await signedIn(administrator);
    const form = { action: "disable", all: "yes", back: `/console/token?owner=${member.id}` };
    await browser.post("/console/token/bulk", form);
    const off = (await listApiKeys(store)).filter(({ enabled }) => !enabled);
    assertEquals(off.length, 60);
    assertStringIncludes(textOf((await browser.get("/console/token")).html), "60 keys disabled.");
    assertEquals((await browser.get("/console/token?status=disabled")).status, 200);
  },
);

testConsole(
  "all keys: a member's form changes only the member's own keys",
  async ({ store, signedIn }) => {
    await addTwo(store);
    const browser = await signedIn(member);
    for (const action of ["disable", "rotate", "limit", "delete"]) {
      await browser.post("/console/token/bulk", [
        ["action", action],
        ["sure", "yes"],
        ["amount", "5"],
        ["key", "key_own"],
      ]);
      await browser.post("/console/token/bulk", {
        action,
        sure: "yes",
        amount: "5",
        all: "yes",
        back: "/console/token?who=everyone&q=own",
      });
    }
    const [own] = await listApiKeys(store, { accountId: administrator.id });
    assertEquals([own.enabled, own.budgets, own.previous], [true, undefined, undefined]);
    assertEquals(await lastEntry(store), undefined);
  },
);

testConsole(
  "all keys: a limit is set for several, other periods stay, and it is undone",
  async ({ store, signedIn }) => {
    await addTwo(store);
    const daily = { nanoUsd: usd, period: "day" } as const;
    await addKey(store, { id: "key_daily", name: "daily", budgets: [daily] });
    const browser = await signedIn(administrator);
    const keys: [string, string][] = [["key", "key_leaked"], ["key", "key_daily"], [
      "action",
      "limit",
    ]];
    const asked = await browser.post("/console/token/bulk", keys);
    assertStringIncludes(textOf(asked.html), "Limit 2 keys?");
    const sure: [string, string][] = [...keys, ["sure", "yes"], ["period", "month"]];
    assertEquals(
      (await browser.post("/console/token/bulk", [...sure, ["amount", "x"]])).status,
      422,
    );
    await browser.post("/console/token/bulk", [...sure, ["amount", "12.50"]]);
    const monthly = { nanoUsd: 12_500_000_000n, period: "month" } as const;
    assertEquals((await getApiKey(store, "key_leaked"))?.budgets, [monthly]);
    assertEquals((await getApiKey(store, "key_daily"))?.budgets, [daily, monthly]);
    const { html } = await browser.get("/console/token");
    const undo = /<form class="undo"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
    const fields = [...undo.matchAll(/name="(\w+)" value="([^"]*)"/g)]
      .map(([, name, value]): [string, string] => [name, value]);
    await browser.post("/console/token/bulk", fields);
    assertEquals((await getApiKey(store, "key_leaked"))?.budgets, undefined);
    assertEquals((await getApiKey(store, "key_daily"))?.budgets, [daily]);
    const wrong = await browser.post("/console/token/bulk", [...sure, ["length", "5x"], [
      "amount",
      "3",
    ]]);
    assertEquals(wrong.status, 422);
    assertStringIncludes(textOf(wrong.html), "Enter a length such as 5h");
    assertStringIncludes(wrong.html, 'value="5x"');
    await browser.post("/console/token/bulk", [...sure, ["length", "300m"], ["amount", "3"]]);
    const rolling = { nanoUsd: 3_000_000_000n, period: "5h" } as const;
    assertEquals((await getApiKey(store, "key_daily"))?.budgets, [daily, rolling]);
    await browser.post("/console/token/bulk", [...sure, ["length", "5h"], ["amount", ""]]);
    assertEquals((await getApiKey(store, "key_daily"))?.budgets, [daily]);
  },
);

testConsole("all keys: several secrets are rotated and shown once", async ({ store, signedIn }) => {
  await addTwo(store);
  const browser = await signedIn(administrator);
  const form: [string, string][] = [["action", "rotate"], ["key", "key_own"], [
    "key",
    "key_leaked",
  ]];
  assertStringIncludes((await browser.post("/console/token/bulk", form)).html, 'name="grace"');
  const { headers } = await browser.post("/console/token/bulk", [...form, ["sure", "yes"]]);
  const path = headers.get("location") ?? "";
  const { html } = await browser.get(path);
  assertEquals(html.match(/(own|leaked)\tsk-\w+/g)?.length, 2);
  assertStringIncludes(textOf((await browser.get(path)).html), "The secrets were already shown");
});

testConsole("all keys: the filters say how many each shows", async ({ store, signedIn }) => {
  await addTwo(store);
  const budgets = [{ nanoUsd: 10n * usd, period: "month" }] as const;
  await addKey(store, { id: "key_near", name: "near", accountId: member.id, budgets });
  await spend(store, "budget:key:key_near:2026-11", 850);
  await addKey(store, { id: "key_old", name: "old", createdAtMs: nowMs - monthMs });
  await addKey(store, { id: "key_off", name: "off", enabled: false });
  const browser = await signedIn(administrator);
  const text = textOf((await browser.get("/console/token")).html);
  assertStringIncludes(text, "All 5 Disabled 1 Near limit 1 Unused 30 days 1");
  assertEquals(await rowsAt(browser, "?status=unused"), ["old"]);
  assertEquals(await rowsAt(browser, "?status=near"), ["near"]);
});

testConsole(
  "all keys: the export has every amount exactly, and members get their own",
  async ({ store, signedIn }) => {
    await addTwo(store);
    const call = { ...callIdAt(60_000, 1), keyId: "key_leaked", accountId: member.id };
    await addCall(store, { ...call, costNanoUsd: 1_234_567_891n });
    const browser = await signedIn(administrator);
    const { html: csv } = await browser.get("/console/token/export");
    const line = csv.split("\r\n").find((one) => one.startsWith("key_leaked")) ?? "";
    assertStringIncludes(line, member.email);
    assertStringIncludes(line, ",1,0,1.234567891,");
    const own = await (await signedIn(member)).get("/console/token/export?who=everyone");
    assertEquals(own.html.trim().split("\r\n").length, 2);
  },
);
