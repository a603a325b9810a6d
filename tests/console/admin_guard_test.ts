import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { assertRedirect, testConsole, textOf } from "./console.ts";
import { administrator, member } from "./people.ts";

/** Every address under `/console/admin`, found in `routes/` itself, so that none is forgotten. */
const folder = new URL("../../routes/console/admin/", import.meta.url);
const addresses = [...addressesIn(folder, "/console/admin")];

function* addressesIn(url: URL, path: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(url)) {
    const part = name.replace(/\.tsx?$/, "").replace(/^\[(\w+)\]$/, "some-$1");
    if (isDirectory) yield* addressesIn(new URL(`${name}/`, url), `${path}/${part}`);
    else if (!name.startsWith("_")) yield part === "index" ? path : `${path}/${part}`;
  }
}

assert(addresses.length > 0);

for (const path of addresses) {
  testConsole(`${path} is refused to members`, async (console) => {
    const nobody = await console.browser().get(path);
    assertRedirect(nobody, `/login?next=${encodeURIComponent(path)}`);
    const browser = await console.signedIn(member);
    const read = await browser.get(path);
    assertEquals(read.status, 403);
    assertStringIncludes(textOf(read.html), "Your role does not allow this");
    assertEquals((await browser.post(path, { name: "x", enabled: "true" })).status, 403);
    assertEquals((await listAuditEntries(console.store, { limit: 1 })).entries, []);
  });

  testConsole(`${path} takes no form of another site`, async (console) => {
    const browser = await console.signedIn(administrator);
    const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    assertEquals((await browser.post(path, { name: "x" }, headers)).status, 403);
    assertEquals((await listAuditEntries(console.store, { limit: 1 })).entries, []);
  });
}

testConsole("only administrators are shown the way to the administration", async (console) => {
  const shown = async (who: typeof member) =>
    (await (await console.signedIn(who)).get("/console/topup")).html.includes("/console/admin/");
  assertEquals([await shown(administrator), await shown(member)], [true, false]);
});
