import { assert, assertEquals } from "@std/assert";
import { addTeam } from "../../console/team/mod.ts";
import { getApiKey } from "../../../lib/store/api_keys/mod.ts";
import { addKey } from "../../console/records.ts";
import { signedInTest } from "./usage_pages.ts";

const pages = ["/console/token?who=everyone", "/console/token?who=mine"];

signedInTest("a row of keys has a name and its secret in one line", async (page, served) => {
  await addTeam(served.console.store);
  await served.console.directory.refresh();
  for (const path of pages) {
    await page.setViewport({ width: 1_440, height: 900 });
    await page.goto(served.origin + path);
    for (const [width, most] of [[1_440, 42], [768, 42], [390, 66], [320, 66]]) {
      await page.setViewport({ width, height: 900 });
      const hidden = await page.$eval(".scroll", (list) => list.scrollWidth - list.clientWidth);
      if (width !== 768) assertEquals(hidden, 0, `${path} at ${width}`);
      const rows = await page.$$eval(
        "tbody tr",
        (all) =>
          all.filter((row) => !row.querySelector(".name .second, .limit-used")).map((row) => {
            const [name, secret] = [...row.querySelectorAll(".name a, .name code")]
              .map((one) => one.getBoundingClientRect());
            return {
              height: Math.round(row.getBoundingClientRect().height),
              isBeside: secret.top < name.bottom && secret.bottom > name.top,
              // On a phone a secret without room is in a second line that is not shown.
              isHidden:
                secret.top >= (row.querySelector(".name")?.getBoundingClientRect().bottom ?? 0),
              nameWidth: name.width,
            };
          }),
      );
      assert(rows.length > 4 && rows.some(({ isBeside }) => isBeside), path);
      for (const { height, isBeside, isHidden, nameWidth } of rows) {
        const isOneLine = isBeside || (width < 761 && isHidden);
        assertEquals([isOneLine, height <= most, nameWidth > 20], [true, true, true], `${width}`);
      }
    }
  }
});

signedInTest("without a script a row's menu disables its key", async (page, served) => {
  const { store } = served.console;
  for (const id of ["key_1", "key_2"]) await addKey(store, { id, name: id });
  await page.setJavaScriptEnabled(false);
  await page.goto(`${served.origin}/console/token?q=key`);
  await page.click("[popovertarget=menu-key_2]");
  await Promise.all([page.waitForNavigation(), page.click("#menu-key_2 [name=enabled]")]);
  assertEquals(new URL(page.url()).search, "?q=key");
  const states = await Promise.all(["key_1", "key_2"].map((id) => getApiKey(store, id)));
  assertEquals(states.map((one) => one?.enabled), [true, false]);
  await page.click("[popovertarget=menu-key_1]");
  await Promise.all([page.waitForNavigation(), page.click("#menu-key_1 [name=key]")]);
  assert((await page.content()).includes("key_1"), "asks for the limit");
});
