import { assertEquals, assertStringIncludes } from "@std/assert";
import { getProject } from "../../../../lib/store/projects/mod.ts";
import { getUserByEmail, listInvitations } from "../../../../lib/store/users/mod.ts";
import { callIdAt } from "../../../console/calls/call_id.ts";
import { nowMs } from "../../../console/people.ts";
import { addCall, addContent, addKey } from "../../../console/records.ts";
import { teamCalls } from "../../../console/team/calls.ts";
import { teamUsers } from "../../../console/team/people.ts";
import { stock } from "../stocked_console.ts";
import type { ServedConsole } from "../served_console.ts";
import { signedInTest } from "../usage_pages.ts";
import { Counted } from "./counted.ts";
import { assertTarget } from "./target.ts";

const usd = 1_000_000_000n;
const dayMs = 86_400_000;

/** A journey of the lead of a team, on a desktop and on a phone. */
function leadJourney(
  name: string,
  test: (person: Counted, served: ServedConsole) => Promise<void>,
  widths: readonly number[] = [1440, 390],
): void {
  for (const width of widths) {
    signedInTest(`${name}, at ${width} px`, async (page, served) => {
      await stock(served);
      await page.setViewport({ width, height: 900 });
      await page.goto(`${served.origin}/console?who=everyone`);
      await test(new Counted(page), served);
    });
  }
}

/** The user whose calls of a UTC day cost most. */
function topSpender(fromMs: number): string | undefined {
  const spent = new Map<string, bigint>();
  for (const { accountId, atMs, costNanoUsd = 0n } of teamCalls) {
    if (atMs < fromMs || atMs >= fromMs + dayMs) continue;
    spent.set(accountId, (spent.get(accountId) ?? 0n) + costNanoUsd);
  }
  const [[id = ""] = []] = [...spent].sort(([, a], [, b]) => Number(b - a));
  return teamUsers.find((one) => one.id === id)?.email ?? "owner@example.com";
}

leadJourney("J9: who spent most yesterday", async (person) => {
  await person.click("[popovertarget=periods]");
  await person.follow('a[href*="period=yesterday"]');
  assertTarget("J9 who spent most yesterday", person);
  const midnightMs = nowMs - nowMs % dayMs;
  const first = await person.page.$eval(
    "[aria-labelledby=spend] tbody tr",
    (row) => row.textContent ?? "",
  );
  assertStringIncludes(first, topSpender(midnightMs - dayMs)?.split("@")[0] ?? "");
});

leadJourney("J10: what bounds a key", async (person, { console: { store }, origin }) => {
  const budgets = [{ period: "month", nanoUsd: 20n * usd }] as const;
  await addKey(store, { id: "key_bound", name: "aa-bound", budgets });
  await person.page.goto(`${origin}/console/token?q=aa-bound`);
  await person.follow('main a[href="/console/token/key_bound"]');
  assertTarget("J10 what bounds a key", person);
  const text = await person.page.$eval(
    "[aria-labelledby=limits-in-force]",
    (one) => one.textContent ?? "",
  );
  assertStringIncludes(text, "$20");
});

leadJourney("J11: raise a project's budget", async (person, { console: { store }, origin }) => {
  await person.page.goto(`${origin}/console/admin/projects`);
  await person.follow('main a[href="/console/admin/projects/research"]');
  await person.click('a[href="#budgets"]');
  await person.page.waitForFunction(() => document.activeElement?.id === "budgetDay");
  await person.page.keyboard.type("25");
  await person.enter();
  assertTarget("J11 raise a project's budget", person);
  const { budgets = [] } = await getProject(store, "research") ?? {};
  assertEquals(budgets, [{ period: "day", nanoUsd: 25n * usd }]);
});

leadJourney("J12: invite somebody who can call", async (person, { console: { store }, origin }) => {
  await person.page.goto(`${origin}/console/admin/users/invite`);
  await person.type("#email", "new@example.com");
  await person.type("#credit", "5");
  await person.enter();
  assertTarget("J12 invite somebody who can call", person);
  assertEquals(await getUserByEmail(store, "new@example.com"), undefined);
  const invited = (await listInvitations(store)).find(({ email }) => email === "new@example.com");
  assertEquals(invited?.creditNanoUsd, 5n * usd);
});

leadJourney("J13: all alerts", async (person) => {
  await person.follow('main a[href^="/console/alerts"]');
  assertTarget("J13 all alerts", person);
  assertEquals(new URL(person.page.url()).pathname, "/console/alerts");
});

leadJourney("J14: failed calls on a phone", async (person, { origin }) => {
  await person.page.goto(`${origin}/console/log?who=everyone`);
  await person.click(".sheet-opener");
  await person.page.select("select[name=status]", "failed"); // two clicks
  await person.page.waitForFunction(() => location.search.includes("status=failed"));
  assertTarget("J14 failed calls on a phone", { clicks: person.clicks + 2, fields: 0 });
  assertEquals(await person.page.$$eval("tbody tr .status.ok", (all) => all.length), 0);
}, [390]);

leadJourney("J15: a recorded prompt", async (person, { console: { store }, origin }) => {
  const { id: keyId } = await addKey(store, { id: "key_recorded", name: "recorded" });
  const { id, accountId } = await addCall(store, { ...callIdAt(60_000, 987), keyId });
  await addContent(store, { id, keyId, accountId });
  await person.page.goto(`${origin}/console/log?who=everyone`);
  await person.click(`tbody a.id[title="${id}"]`);
  await person.follow(`a[href="/console/log/${id}/content"]`);
  assertTarget("J15 a recorded prompt", person);
  const text = await person.page.$eval("main", (one) => one.textContent ?? "");
  assertStringIncludes(text, "What is the answer?");
});
