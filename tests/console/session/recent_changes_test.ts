import { assertEquals, assertStringIncludes } from "@std/assert";
import { changesPerMinuteMax } from "../../../lib/admin/services.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addKey } from "../records.ts";

testConsole("nobody sends form after form without end", async (console) => {
  const { store, clock } = console;
  await addKey(store, { id: "key_m", accountId: member.id });
  const [browser, other] = [await console.signedIn(member), await console.signedIn(administrator)];
  const toggle = () => browser.post("/console/token/key_m/enabled", { enabled: "false" });
  for (let n = 0; n < changesPerMinuteMax; n++) assertEquals((await toggle()).status, 303);
  const refused = await toggle();
  assertEquals(refused.status, 429);
  assertStringIncludes(textOf(refused.html), "Try again shortly.");
  assertEquals((await browser.get("/console/token")).status, 200, "reading goes on");
  assertEquals((await other.post("/console/token/columns", {})).status, 303, "others go on");
  clock.nowMs += 60_000;
  assertEquals((await toggle()).status, 303);
});
