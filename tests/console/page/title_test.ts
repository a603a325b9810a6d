import { assert, assertEquals } from "@std/assert";
import { testConsole } from "../console.ts";
import { administrator } from "../people.ts";
import { addTeam } from "../team/mod.ts";

/** The titles of a page: that of its tab, and those of its pictures. */
function titlesOf(html: string): readonly string[] {
  return [...html.matchAll(/<title[^>]*>([^<]*)<\/title>/g)].map(([, title]) => title);
}

testConsole(
  "title: the tab has the page's name, and each bar of a chart its own",
  async (console) => {
    await addTeam(console.store);
    await console.directory.refresh();
    const browser = await console.signedIn(administrator);
    const [tab, ...bars] = titlesOf((await browser.get("/console")).html);
    assertEquals(tab, "Overview · Tessera");
    assert(bars.length > 1);
    for (const bar of bars) assert(/\$\d/.test(bar), bar);
  },
);

testConsole("title: the page of a failed request has its own", async (console) => {
  const browser = await console.signedIn(administrator);
  for (const path of ["/console/nothing", "/console/token/%ff", "/console/token/%ff%41"]) {
    const { status, html } = await browser.get(path);
    assertEquals([status, ...titlesOf(html)], [404, "Page not found · Tessera"]);
  }
});

testConsole("a method that no page can have is refused", async (console) => {
  const request = new Request("http://localhost/console", { method: "PROPFIND" });
  const { status, headers } = await console.fetch(request);
  assertEquals([status, headers.has("allow")], [405, true]);
});
