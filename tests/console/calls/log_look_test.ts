import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { formatsFor } from "../../../lib/console/page/format.ts";
import { assertRedirect, testConsole } from "../console.ts";
import { administrator, member, nowMs } from "../people.ts";
import { addCall } from "../records.ts";
import { callIdAt } from "./call_id.ts";

const dayMs = 86_400_000;

for (
  const [locale, timeZone, ageMs, brief] of [
    ["en", "UTC", 0, "08:40:15"],
    ["en", "UTC", 8 * 3_600_000, "00:40:15"],
    ["en", "UTC", 9 * 3_600_000, "Nov 20 23:40"],
    ["en", "Asia/Shanghai", 9 * 3_600_000, "07:40:15"],
    ["zh-CN", "Asia/Shanghai", dayMs, "11月20日 16:40"],
    ["en", "UTC", 365 * dayMs, "Nov 21, 2025, 08:40:15"],
  ] as const
) {
  Deno.test(`brief time: ${brief} in ${timeZone}, ${locale}`, () =>
    assertEquals(formatsFor({ locale, timeZone, nowMs }).brief(nowMs - ageMs), brief));
}

testConsole("log: short times, exact in the title, and the zone once", async (console) => {
  await addCall(console.store, { ...callIdAt(60_000, 1) });
  await addCall(console.store, { ...callIdAt(8 * dayMs, 2) });
  const browser = await console.signedIn(administrator);
  browser.cookies.set("tessera_zone", "Asia%2FShanghai");
  const { html } = await browser.get("/console/log");
  const rows = rowsIn(html);
  assertMatch(rows, /title="2026-11-21 08:39:15 UTC">16:39:15<\/time>/);
  assertMatch(rows, /title="2026-11-13 08:40:15 UTC">16:40:15<\/time>/);
  assertMatch(rows, /<tr class="group-head"[^>]*><td[^>]*>Nov 13, 2026<\/td>/); // today has no head
  assertEquals(rows.split("group-head").length, 2);
  assertEquals(html.split("Times in Asia/Shanghai").length, 2);
});

testConsole("log: its density and its columns are the reader's", async (console) => {
  await addCall(console.store, { ...callIdAt(60_000, 1) });
  const browser = await console.signedIn(administrator);
  const before = (await browser.get("/console/log?period=24h")).html;
  assertEquals(headsIn(before), [
    ...["Time", "Status", "Model", "Key", "Account", "Tokens in", "Tokens out"],
    ...["First byte", "Duration", "Cost"],
  ]);
  assert(!before.includes('class="table dense"'));
  const form = [
    ["back", "/console/log?period=24h"],
    ["density", "compact"],
    ...["output", "cost", "no such column"].map((column) => ["column", column]),
  ];
  // Pairs keep the repeated field.
  const answer = await browser.post("/preferences", form as unknown as Record<string, string>);
  assertRedirect(answer, "/console/log?period=24h");
  const { html } = await browser.get("/console/log?period=24h");
  assertEquals(headsIn(html), ["Time", "Status", "Model", "Tokens out", "Cost"]);
  assertStringIncludes(html, 'class="table dense"');
  const shown =
    /<form[^>]*action="\/preferences"(?:(?!<\/form>)[\s\S])*name="density"[\s\S]*?<\/form>/
      .exec(html)?.[0] ?? "";
  assertEquals(checkedIn(shown), ["compact", "output", "cost"]);
});

testConsole("log: a choice without columns is one, and a broken one none", async (console) => {
  await addCall(console.store, { ...callIdAt(60_000, 1), accountId: member.id });
  const browser = await console.signedIn(member);
  await browser.post("/preferences", { back: "/console/log", density: "comfortable" });
  assertEquals(headsIn((await browser.get("/console/log")).html), ["Time", "Status", "Model"]);
  for (const cookie of ["huge.key", "%E0%A4%A", "__proto__"]) {
    browser.cookies.set("tessera_log", cookie);
    assertEquals(headsIn((await browser.get("/console/log")).html).length, 9, cookie);
  }
});

function rowsIn(html: string): string {
  return /<div id="found-calls">[\s\S]*?<\/table>/.exec(html)?.[0] ?? "";
}

function headsIn(html: string): string[] {
  return [...rowsIn(html).matchAll(/<th scope="col"[^>]*>([^<]*)</g)].map(([, text]) => text);
}

function checkedIn(form: string): string[] {
  return [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input)
    .filter((input) => / checked[ /=>]/.test(input))
    .map((input) => /value="([^"]*)"/.exec(input)?.[1] ?? "");
}
