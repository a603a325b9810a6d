import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { testConsole } from "../console.ts";
import { administrator } from "../people.ts";
import { teamCalls } from "../team/calls.ts";
import { addTeam } from "../team/mod.ts";

const [{ keyId, accountId }] = teamCalls;
const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** The overview's bars choose their step for its table. */
const ofTable = ["/console?who=everyone&period=14d", "/console?who=mine&period=24h"];

/** Each page with bars by its chart, the filter of their links and the length of a bar. */
const pages = [
  [`/console/token/${keyId}`, "cost-chart", `key=${keyId}`, dayMs],
  [`/console/admin/users/${accountId}`, "cost-chart", `who=everyone&user=${accountId}`, dayMs],
  ["/console/pricing/model?name=gpt-5-mini", "measured", "model=gpt-5-mini", dayMs],
  ["/console/admin/upstreams/openai", "by-hour-chart", "who=everyone&upstream=openai", hourMs],
  ["/console/admin/groups/coding", "cost-chart", "who=everyone&group=coding", dayMs],
  ["/console/admin/groups/coding", "calls-chart", "who=everyone&group=coding", dayMs],
] as const;

testConsole(
  "charts: a bar of the overview chooses its step for the table and the log",
  async (console) => {
    await addTeam(console.store);
    await console.directory.refresh();
    const browser = await console.signedIn(administrator);
    for (const path of ofTable) {
      const { html } = await browser.get(path);
      const hrefs = [...html.matchAll(/<a href="([^"]*at=\d+)"/g)].map(([, href]) =>
        href.replaceAll("&amp;", "&")
      );
      assertEquals(hrefs.length, path.includes("24h") ? 24 : 14);
      const at = hrefs.length - 2;
      const chosen = await browser.get(hrefs[at]);
      const from = Number(new URL(hrefs[at], "http://localhost").searchParams.get("at")) * 1_000;
      const to = from + (path.includes("24h") ? hourMs : dayMs);
      const times = new URLSearchParams({ from: isoOf(from), to: isoOf(to) });
      const log = `${path.replace(/.*who=(\w+).*/, "/console/log?who=$1")}&${times}`;
      assertStringIncludes(chosen.html, `href="${log.replaceAll("&", "&amp;")}"`);
      const back = path.replaceAll("&", "&amp;");
      assertStringIncludes(chosen.html, `href="${back}">Whole period`);
    }
  },
);

function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

testConsole("charts: each bar is a link to the calls of its hour or day", async (console) => {
  await addTeam(console.store);
  await console.directory.refresh();
  const browser = await console.signedIn(administrator);
  for (const [path, id, filter, lengthMs] of pages) {
    const { html } = await browser.get(path);
    const chart = html.slice(Math.max(0, html.indexOf(`id="${id}"`)));
    assert(chart !== html, `${path} has no ${id}`);
    const svg = /<svg class="plot-area"[\s\S]*?<\/svg>/.exec(chart)?.[0] ?? "";
    const bars = svg.split('class="reach"').length - 1;
    const links = [...svg.matchAll(/<a href="([^"]*)"/g)].map(([, href]) =>
      href.replaceAll("&amp;", "&")
    );
    assertEquals([links.length, bars > 1], [bars, true], `${path} ${id}`);
    for (const href of links) {
      const { searchParams: fields, pathname } = new URL(href, "http://localhost");
      const { from = "", to = "", ...filters } = Object.fromEntries(fields);
      assertEquals(pathname, "/console/log");
      assertEquals(filters, { ...filters, ...Object.fromEntries(new URLSearchParams(filter)) });
      assertEquals(Date.parse(to) - Date.parse(from), lengthMs, href);
    }
    assertEquals((await browser.get(links[0])).status, 200, links[0]);
  }
});

testConsole("charts: a group has its outcomes by day, like an upstream", async (console) => {
  await addTeam(console.store);
  await console.directory.refresh();
  const browser = await console.signedIn(administrator);
  for (const path of ["/console/admin/groups/coding", "/console/admin/upstreams/openai"]) {
    const { html } = await browser.get(path);
    const chart = /id="(?:calls|by-hour)-chart"[\s\S]*?<\/figure>/.exec(html)?.[0] ?? "";
    for (const name of ["Failed", "Succeeded"]) assertStringIncludes(chart, name);
    assertStringIncludes(chart, 'class="data-1"');
  }
  const { html } = await browser.get("/console/admin/groups/coding");
  const failed = /<figure>[\s\S]*?<\/figure>/.exec(html.slice(html.indexOf('id="calls-chart"')));
  assertStringIncludes(failed?.[0] ?? "", 'class="data-bad"');
});
