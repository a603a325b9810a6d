import { assertStringIncludes } from "@std/assert";
import { teamCalls } from "../../../console/team/calls.ts";
import { textInSight } from "./in_sight.ts";
import { assertTarget } from "./target.ts";
import { teamJourney } from "./team_journey.ts";

const firstDayMs = Date.UTC(2026, 9, 23);

/** The name and the sum of the key that spent most in the 30 days up to today. */
function dearest(): readonly [name: string, dollars: string] {
  const shown = teamCalls.filter(({ atMs }) => atMs >= firstDayMs);
  const byKey = [...Map.groupBy(shown, ({ keyId }) => keyId).values()].map((calls) => ({
    name: calls[0].keyName,
    nanoUsd: calls.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n),
  }));
  const [{ name, nanoUsd }] = byKey.toSorted((one, other) => Number(other.nanoUsd - one.nanoUsd));
  return [name, `$${(Number(nanoUsd) / 1e9).toFixed(2)}`];
}

teamJourney("J4: the organization's dearest key is one click away", async (person, { origin }) => {
  const { page } = person;
  await page.goto(`${origin}/console?period=30d`);
  await person.follow('main a[href*="by=key"]');
  assertTarget("J4 the organization's dearest key", person);
  const first = await page.$eval(
    "[aria-labelledby=spend] tbody tr",
    (row) => row instanceof HTMLElement ? row.innerText : "",
  );
  for (const said of dearest()) {
    assertStringIncludes(first, said);
    await page.$eval("[aria-labelledby=spend] tbody tr", (row) =>
      row.scrollIntoView({ block: "center" }));
    assertStringIncludes(await textInSight(page), said);
  }
});
