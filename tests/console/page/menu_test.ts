import { assert, assertEquals } from "@std/assert";
import { deleteGroup } from "../../../lib/store/catalog/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { openTestConsole, type TestBrowser, testConsole } from "../console.ts";
import { administrator, member } from "../people.ts";

/** The addresses in an element, from its first tag to its end. */
function hrefsIn(html: string, start: string, end: string): string[] {
  const from = html.indexOf(start);
  assert(from >= 0, start);
  const part = html.slice(from, html.indexOf(end, from));
  return [...part.matchAll(/<a [^>]*href="([^"?]+)/g)].map(([, href]) => href);
}

async function sidebarOf(browser: TestBrowser, path: string): Promise<string[]> {
  const { html } = await browser.get(path);
  return hrefsIn(html, '<nav class="sidebar"', "</nav>").slice(1).map((href) =>
    href.replace("/console", "") || "/"
  );
}

const use = ["/", "/token", "/log", "/pricing", "/playground", "/connect"];

testConsole("menu: members have the pages of use and their credits", async (console) => {
  assertEquals(await sidebarOf(await console.signedIn(member), "/console"), [...use, "/topup"]);
});

testConsole(
  "menu: a team's administrator has everything, parts only in their area",
  async (console) => {
    const browser = await console.signedIn(administrator);
    const before = ["/admin/upstreams", "/admin/groups", "/admin/users", "/admin/projects"];
    const after = ["/admin/audit", "/admin/settings"];
    const settings = ["/admin/tokens", "/admin/webhooks"];
    assertEquals(await sidebarOf(browser, "/console"), [...use, ...before, "/topup", ...after]);
    for (const path of ["/admin/settings", ...settings]) {
      const shown = [...use, ...before, "/topup", ...after, ...settings];
      assertEquals(await sidebarOf(browser, `/console${path}`), shown);
    }
    for (const path of ["/topup", "/admin/codes"]) {
      const shown = [...use, ...before, "/topup", "/admin/codes", ...after];
      assertEquals(await sidebarOf(browser, `/console${path}`), shown);
    }
  },
);

Deno.test({
  name: "console: menu: someone who works alone has funds, groups and projects, too",
  // The worker that checks passwords outlives the test that starts it.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const { console, close } = await openTestConsole({ empty: true });
    try {
      await createUser(console.store, administrator);
      const browser = await console.signedIn(administrator);
      const always = ["/topup", "/admin/groups", "/admin/projects"];
      const shown = await sidebarOf(browser, "/console");
      assertEquals(always.filter((path) => !shown.includes(path)), []);
      assert((await sidebarOf(browser, "/console/admin/codes")).includes("/admin/codes"));
      assert((await browser.get("/console/token/new")).html.includes('id="key-group"'));
      await deleteGroup(console.store, "coding");
      await console.directory.refresh();
      const { html } = await browser.get("/console/token/new");
      assert(html.includes('<input type="hidden" name="group" value="default"'));
      assert(!html.includes('id="key-group"'));
      const made = await browser.post("/console/token/new", { name: "ci", group: "default" });
      assertEquals(made.status, 303);
    } finally {
      await close();
    }
  },
});

testConsole("menu: on a phone More leads to what has no tab", async (console) => {
  const { html } = await (await console.signedIn(administrator)).get("/console");
  const tabs = hrefsIn(html, '<nav class="tabbar"', "</nav>");
  assertEquals(tabs, ["/console", "/console/token", "/console/log", "/console/pricing"]);
  const sheet = hrefsIn(html, 'id="account-menu"', "</section>");
  const expected = ["playground", "connect", "topup", "account", "admin/tokens", "admin/webhooks"];
  assertEquals(expected.filter((path) => !sheet.includes(`/console/${path}`)), []);
  assert(sheet.includes("/docs"));
});

testConsole("menu: a page below a list leads to the list in its title", async (console) => {
  const browser = await console.signedIn(administrator);
  const crumbOf = async (path: string) =>
    /<a class="crumb" href="([^"]+)"/.exec((await browser.get(path)).html)?.[1];
  assertEquals(await crumbOf("/console/admin/groups"), undefined);
  assertEquals(await crumbOf("/console/admin/groups/default"), "/console/admin/groups");
});
