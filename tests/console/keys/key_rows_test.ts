import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { getApiKey } from "../../../lib/store/api_keys/mod.ts";
import { assertRedirect, testConsole } from "../console.ts";
import { administrator } from "../people.ts";
import { addKey } from "../records.ts";
import { addTeam } from "../team/mod.ts";

testConsole("key list: fifty rows are a small page", async (console) => {
  await addTeam(console.store);
  await console.directory.refresh();
  const { html } = await (await console.signedIn(administrator)).get("/console/token?who=everyone");
  assertEquals(html.split('popovertarget="menu-').length - 1, 50);
  const stream = new Blob([html]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = (await new Response(stream).bytes()).length;
  assert(bytes < 14_800, `${bytes} bytes`);
});

testConsole("key list: the menus of all rows share a form", async (console) => {
  await addKey(console.store, { id: "key_1", name: "nightly" });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console/token?q=night");
  const shared = /<form id="keys-row"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
  const fields = Object.fromEntries(
    [...shared.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  assertEquals(fields, { back: "/console/token?q=night", action: "limit" });
  const menu = /id="menu-key_1"[\s\S]*?<\/div>/.exec(html)?.[0] ?? "";
  assertStringIncludes(menu, 'form="keys-row" name="key" value="key_1"');
  assertStringIncludes(menu, 'formaction="/console/token/key_1/enabled" name="enabled"');
  const off = await browser.post("/console/token/key_1/enabled", { ...fields, enabled: "false" });
  assertRedirect(off, "/console/token?q=night");
  assertEquals((await getApiKey(console.store, "key_1"))?.enabled, false);
  const limit = await browser.post("/console/token/bulk", { ...fields, key: "key_1" });
  assertEquals(limit.status, 200);
  assertStringIncludes(limit.html, "nightly");
});
