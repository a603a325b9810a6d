import { assert, assertEquals } from "@std/assert";
import type { Page } from "puppeteer-core";
import { getApiKey } from "../../../../lib/store/api_keys/mod.ts";
import { administrator, nowMs } from "../../../console/people.ts";
import { teamCalls } from "../../../console/team/calls.ts";
import { teamKeys } from "../../../console/team/keys.ts";
import { teamUsers } from "../../../console/team/people.ts";
import { Counted } from "./counted.ts";
import { assertTarget } from "./target.ts";
import { teamJourney } from "./team_journey.ts";

const leaked =
  teamKeys.find(({ accountId, enabled, expiresAtMs }) =>
    accountId !== administrator.id && enabled && expiresAtMs === undefined
  ) ?? teamKeys[0];

teamJourney("J4: the organization's dearest key is one click away", async (person, { origin }) => {
  const { page } = person;
  await page.goto(`${origin}/console?period=30d`);
  await person.follow('main a[href*="by=key"]');
  assertTarget("J4 the organization's dearest key", person);
  const { name, dollars } = dearest(({ keyName }) => keyName, ({ keyId }) => keyId);
  await assertFirstRow(page, name, dollars);
});

teamJourney("J4: what one user spent is one click away", async (person, { origin }) => {
  const { page } = person;
  await page.goto(`${origin}/console?period=30d`);
  const byUser = dearest(({ accountId }) => emailOf(accountId), ({ accountId }) => accountId);
  if (!await page.$('main a[href*="by=user"][aria-current="true"]')) {
    await person.follow('main a[href*="by=user"]');
  }
  assertTarget("J4 what one user spent", person);
  await assertFirstRow(page, byUser.name, byUser.dollars);
});

teamJourney("J2: a leaked key of another account is disabled", async (person, served) => {
  const { page } = person;
  await page.goto(`${served.origin}/console`, { waitUntil: "networkidle0" });
  await person.press("k", "Control");
  await person.type("[role=combobox]:focus", leaked.lastFour);
  await page.waitForSelector(
    `[role=option] [href*="${leaked.id}"], [role=option][href*="${leaked.id}"]`,
  );
  await person.enter();
  await person.follow('main form[action$="/enabled"] button');
  assertTarget("J2 another account's leaked key is disabled", person);
  assertEquals((await getApiKey(served.console.store, leaked.id))?.enabled, false);
});

const searched = [
  { kind: "a key", text: leaked.name, path: "/console/token/" },
  { kind: "a user", text: teamUsers[30].email, path: `/console/admin/users/${teamUsers[30].id}` },
  { kind: "a model", text: "kimi-k2", path: "/console/pricing/model" },
  { kind: "an upstream", text: "bedrock", path: "/console/admin/upstreams/bedrock-frankfurt" },
  { kind: "a project", text: "customer-support", path: "/console/admin/projects/customer" },
  { kind: "a call", text: teamCalls[200].id, path: `/console/log/${teamCalls[200].id}` },
  { kind: "a page", text: "webhooks", path: "/console/admin/webhooks" },
] as const;

teamJourney("J8: anything is found by its name in 2 steps", async (person, { origin }) => {
  for (const { kind, text, path } of searched) {
    const again = new Counted(person.page);
    await person.page.goto(`${origin}/console`, { waitUntil: "networkidle0" });
    await again.press("k", "Control");
    await again.type("[role=combobox]:focus", text);
    await person.page.waitForSelector(`[role=option][aria-selected=true][href^="${path}"]`);
    await again.enter();
    const { pathname } = new URL(person.page.url());
    assert(pathname.startsWith(path), `${kind}: ${text} leads to ${pathname}`);
    assertTarget("J8 anything by its name", again);
  }
});

teamJourney("J8: anything is found without a script", async ({ page }, { origin }) => {
  await page.setJavaScriptEnabled(false);
  for (const { kind, text, path } of searched) {
    await page.goto(`${origin}/console/search?q=${encodeURIComponent(text)}`);
    const links = await page.$$eval(
      "main a",
      (found) => found.map((one) => one.getAttribute("href")),
    );
    links.push(new URL(page.url()).pathname); // the ID of a call leads to it
    assert(links.some((href) => href?.startsWith(path)), `${kind}: ${text} is not among ${links}`);
  }
});

const dayMs = 86_400_000;
/** The start of the 30 UTC days that end with today. */
const monthMs = Math.floor(nowMs / dayMs) * dayMs - 29 * dayMs;

/** The key or account with the highest spend in 30 days. */
function dearest(
  nameOf: (row: typeof teamCalls[number]) => string,
  idOf: (row: typeof teamCalls[number]) => string,
) {
  const calls = teamCalls.filter(({ atMs }) => atMs >= monthMs);
  const groups = [...Map.groupBy(calls, idOf).values()].map((rows) => ({
    name: nameOf(rows[0]),
    sum: rows.reduce(sumOf, 0n),
  }));
  const [{ name, sum }] = groups.sort((one, other) => Number(other.sum - one.sum));
  return { name, dollars: dollarsOf(sum) };
}

function sumOf(sum: bigint, { costNanoUsd = 0n }: typeof teamCalls[number]): bigint {
  return sum + costNanoUsd;
}

function emailOf(id: string): string {
  return teamUsers.find((user) => user.id === id)?.email ?? id;
}

function dollarsOf(nanoUsd: bigint): string {
  return `$${(Number(nanoUsd) / 1e9).toFixed(2)}`;
}

/** The first row of a table has a name and an amount, and is in sight without scrolling. */
async function assertFirstRow(page: Page, name: string, dollars: string): Promise<void> {
  const rows = await page.$$eval(
    "main tbody tr:first-child",
    (found) =>
      found.filter((row) => row.getBoundingClientRect().bottom <= innerHeight)
        .map((row) => (row as HTMLElement).innerText.replace(/\s+/g, " ")),
  );
  assert(
    rows.some((row) => row.includes(name) && row.includes(dollars)),
    `${name} ${dollars} is not first in ${rows.join("\n")}`,
  );
}
