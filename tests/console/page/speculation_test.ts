import { assertEquals, assertStringIncludes } from "@std/assert";
import { testConsole } from "../console.ts";
import { administrator } from "../people.ts";
import { addKey } from "../records.ts";

const ahead = { "sec-purpose": "prefetch" };

testConsole("speculation: pages name the rules, and are loaded ahead", async (console) => {
  const browser = await console.signedIn(administrator);
  const { headers } = await browser.get("/console");
  assertEquals(headers.get("speculation-rules"), '"/console/speculation-rules"');
  const rules = await browser.get("/console/speculation-rules");
  assertEquals(rules.headers.get("content-type"), "application/speculationrules+json");
  assertEquals(JSON.parse(rules.html).prefetch[0].eagerness, "moderate");
  assertEquals((await browser.get("/console/pricing", ahead)).status, 200);
});

testConsole("speculation: a waiting message is shown to nobody ahead", async (console) => {
  const { id } = await addKey(console.store, { name: "ci-nightly" });
  const browser = await console.signedIn(administrator);
  await browser.post(`/console/token/${id}/enabled`, { enabled: "false" });
  assertEquals((await browser.get("/console/token", ahead)).status, 503);
  assertStringIncludes((await browser.get("/console/token")).html, 'role="status"');
  assertEquals((await browser.get("/console/token", ahead)).status, 200);
});

for (
  const path of [
    "/console/log/export",
    "/console/export?by=key",
    "/console/token/rotated",
    "/console/admin/users/invited",
    "/console/admin/tokens/made",
    "/console/account/totp/codes",
    "/console/connect/events",
  ]
) {
  testConsole(`speculation: ${path} is never loaded ahead`, async ({ signedIn }) => {
    assertEquals((await (await signedIn(administrator)).get(path, ahead)).status, 503);
  });
}
