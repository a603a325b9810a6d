import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import type { RequestLogRow } from "../../../../lib/store/log/mod.ts";
import { teamCalls } from "../../../console/team/calls.ts";
import { Counted } from "./counted.ts";
import { textInSight } from "./in_sight.ts";
import { assertTarget } from "./target.ts";
import { teamJourney } from "./team_journey.ts";

const windows = [{ width: 1440, height: 900 }, { width: 390, height: 844 }] as const;

/** Each kind of failure, and what is in sight of its status and cause. */
const failures = [
  { code: "rate_limit_exceeded", outcome: "upstream_error", said: ["429", "openai"] },
  { code: "rate_limit_exceeded", outcome: "refused", said: ["429", "requests per minute"] },
  { code: "upstream_timeout", outcome: "timeout", said: ["504"] },
  { code: "upstream_overloaded", outcome: "upstream_error", said: ["502"] },
  { code: "upstream_unreachable", outcome: "upstream_error", said: ["502"] },
  { code: "upstream_unauthorized", outcome: "upstream_error", said: ["502"] },
  { code: "context_length_exceeded", outcome: "upstream_error", said: ["400"] },
  { code: "insufficient_quota", outcome: "refused", said: ["402"] },
  { code: "model_not_found", outcome: "refused", said: ["404", "gpt-5-minni"] },
  { code: "model_unpriced", outcome: "refused", said: ["403", "price"] },
] as const;

teamJourney(
  "J3: why each kind of call failed is in sight after a click",
  async (person, served) => {
    const faults: string[] = [];
    for (const { code, outcome, said } of failures) {
      const row = teamCalls.find((one) => one.errorCode === code && one.outcome === outcome);
      assert(row, code);
      for (const size of windows) {
        await person.page.setViewport(size);
        await openFromLog(person.page, served.origin, row);
        faults.push(
          ...(await missingIn(person.page, said)).map((part) =>
            `${code} (${outcome}) at ${size.width} px: ${part}`
          ),
        );
      }
    }
    assertEquals(faults, []);
  },
);

/** One click on the row, in the log of failed calls with this key. */
async function openFromLog(page: Page, origin: string, { id, keyId }: RequestLogRow) {
  await page.goto(`${origin}/console/log?status=failed&period=30d&who=everyone&key=${keyId}`, {
    waitUntil: "networkidle0",
  });
  const person = new Counted(page);
  await person.click(`main a[href*="${id}"]`);
  await page.waitForSelector(".verdict", { visible: true });
  await page.waitForNetworkIdle({ idleTime: 150, concurrency: 1 });
  assertTarget("J3 why a call failed, from the log", person);
}

/** The words, the charge and the next step, as far as they are out of sight. */
async function missingIn(page: Page, said: readonly string[]): Promise<string[]> {
  const text = await textInSight(page);
  const verdict = await page.$eval(".verdict", (one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return { isInside: top >= 0 && bottom <= innerHeight, text: one.textContent ?? "" };
  });
  assertStringIncludes(verdict.text, "harged");
  return [
    ...said.filter((part) => !text.includes(part)),
    ...(text.includes("Not charged") ? [] : ["the charge"]),
    ...(verdict.isInside ? [] : ["the whole verdict with its next step"]),
  ];
}
