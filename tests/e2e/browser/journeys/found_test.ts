import { assert, assertEquals } from "@std/assert";
import { getApiKey } from "../../../../lib/store/api_keys/mod.ts";
import { administrator } from "../../../console/people.ts";
import { teamCalls } from "../../../console/team/calls.ts";
import { teamKeys } from "../../../console/team/keys.ts";
import { teamUsers } from "../../../console/team/people.ts";
import { Counted } from "./counted.ts";
import { assertTarget } from "./target.ts";
import { teamJourney } from "./team_journey.ts";

const { id: callId } = teamCalls[200];
const user = teamUsers[30];

/** What is typed, and where the first hit leads. */
const searched = [
  { text: "batch-embeddings", path: "/console/token/" },
  { text: user.email, path: `/console/admin/users/${user.id}` },
  { text: "kimi-k2", path: "/console/pricing/model" },
  { text: callId, path: `/console/log/${callId}` },
  { text: "bedrock-frank", path: "/console/admin/upstreams/bedrock-frankfurt" },
  { text: "webhooks", path: "/console/admin/webhooks" },
];

teamJourney("J8: anything is found by its name in 2 clicks", async ({ page }, { origin }) => {
  for (const { text, path } of searched) {
    await page.goto(`${origin}/console`, { waitUntil: "networkidle0" });
    const person = new Counted(page);
    await person.click(".find input");
    await person.type(".find input", text);
    await person.follow(`.hits a[href^="${path}"]`);
    assertTarget("J8 anything by its name", person);
    const { pathname } = new URL(page.url());
    assert(pathname.startsWith(path), `${text} leads to ${pathname}`);
  }
});

teamJourney("J8: anything is found without a script", async ({ page }, { origin }) => {
  await page.setJavaScriptEnabled(false);
  for (const { text, path } of searched) {
    await page.goto(`${origin}/console/search?q=${encodeURIComponent(text)}`);
    const found = await page.$$eval("main a", (all) => all.map((one) => one.getAttribute("href")));
    const isThere = found.some((href) => href?.startsWith(path)) ||
      new URL(page.url()).pathname.startsWith(path);
    assert(isThere, `${text} is not among ${found}`);
  }
});

const leaked = teamKeys.filter(({ accountId, enabled, expiresAtMs }) =>
  accountId !== administrator.id && enabled && expiresAtMs === undefined
)[12];

teamJourney("J2: a leaked key of another account is disabled", async (person, served) => {
  const { page } = person;
  await page.goto(`${served.origin}/console`, { waitUntil: "networkidle0" });
  await person.click(".find input");
  await person.type(".find input", leaked.lastFour);
  await person.follow(`.hits a[href="/console/token/${leaked.id}"]`);
  await person.follow('main button[name="enabled"][value="false"]');
  assertTarget("J2 another account's leaked key is disabled", person);
  assertEquals((await getApiKey(served.console.store, leaked.id))?.enabled, false);
});
