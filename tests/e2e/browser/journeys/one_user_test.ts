import { assertStringIncludes } from "@std/assert";
import { teamCalls } from "../../../console/team/calls.ts";
import { addTeam } from "../../../console/team/mod.ts";
import { spentByAccount } from "../../../console/team/spending.ts";
import { teamUsers } from "../../../console/team/people.ts";
import { signedInTest } from "../usage_pages.ts";
import { Counted } from "./counted.ts";
import { textInSight } from "./in_sight.ts";
import { assertTarget } from "./target.ts";

const usd = 1_000_000_000n;

signedInTest("J4: what one of 51 users spent is one click away", async (page, served) => {
  await addTeam(served.console.store);
  await served.console.directory.refresh();
  await page.setViewport({ width: 1440, height: 900 });
  const spent = spentByAccount();
  const spender = teamUsers.find(({ id }) => id !== "owner" && (spent.get(id) ?? 0n) > 2n * usd);
  const { id, email } = spender ?? teamUsers[0];
  await page.goto(`${served.origin}/console/admin/users?q=${encodeURIComponent(email)}`);
  const person = new Counted(page);
  await person.follow(`main a[href="/console/admin/users/${id}"]`);
  assertTarget("J4 what one user spent", person);
  const own = teamCalls.filter(({ accountId }) => accountId === id);
  const sum = own.reduce((total, { costNanoUsd = 0n }) => total + costNanoUsd, 0n);
  assertStringIncludes(await textInSight(page), `$${(Number(sum) / 1e9).toFixed(2)}`);
});
