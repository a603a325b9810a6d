import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { getApiKey } from "../../../../lib/store/api_keys/mod.ts";
import { addKey } from "../../../console/records.ts";
import { signedInTest } from "../usage_pages.ts";
import { Counted } from "./counted.ts";
import { assertTarget } from "./target.ts";

const menu = ".act .icon-button";

signedInTest(
  "J2: a key is rotated in 3 clicks, its old secret works for a day",
  async (page, served) => {
    const { store } = served.console;
    const before = await addKey(store, { id: "key_1", name: "prod-api" });
    await page.goto(`${served.origin}/console/token`);
    const person = new Counted(page);
    await person.click(menu);
    await person.follow('.act :popover-open a[href$="/rotate"]');
    await person.follow(".card button.primary");
    assertTarget("J2 a key is rotated", person);
    assertStringIncludes(await page.content(), "prod-api has a new secret");
    await person.click(".secret .copy-wrap button");
    const after = await getApiKey(store, "key_1");
    assert(after?.digest !== before.digest);
    assertEquals(after?.previous?.digest, before.digest);
    assertEquals(after?.createdAtMs, before.createdAtMs);
  },
);

signedInTest("J2: a leaked key is blocked in 2 clicks, and undone in 1", async (page, served) => {
  const { store } = served.console;
  await addKey(store, { id: "key_1", name: "prod-api" });
  await page.goto(`${served.origin}/console/token`);
  const person = new Counted(page);
  await person.click(menu);
  await person.follow(".act :popover-open button.item");
  assertTarget("J2 a leaked key is blocked", person);
  assertEquals((await getApiKey(store, "key_1"))?.enabled, false);
  await person.follow(".undo button");
  assertEquals(person.clicks, 3);
  assertEquals((await getApiKey(store, "key_1"))?.enabled, true);
});
