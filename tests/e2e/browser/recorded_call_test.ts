import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "puppeteer-core";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";
import { callIdAt } from "../../console/calls/call_id.ts";
import { member } from "../../console/people.ts";
import { addCall, addContent, addKey } from "../../console/records.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

const hostile = `</pre><script>document.title = "owned"</script> \u202etxt.exe \u001b[2J`;
const request = {
  model: "m",
  messages: [{ role: "system", content: "Be kind" }, { role: "user", content: hostile }],
};
const answer = {
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{
    index: 0,
    finish_reason: "tool_calls",
    message: {
      role: "assistant",
      content: "forty-two",
      tool_calls: [{
        id: "t1",
        type: "function",
        function: { name: "look_up", arguments: '{"city":"Rome"}' },
      }],
    },
  }],
};

/** A recorded call of a member, and one that is not recorded. */
async function addRecorded({ console: { store } }: ServedConsole): Promise<string> {
  await createUser(store, member);
  await addKey(store, { id: "key_1", accountId: member.id });
  const { id } = await addCall(store, { ...callIdAt(60_000, 1), accountId: member.id });
  await addCall(store, { ...callIdAt(86_400_000, 2), accountId: member.id, status: 402 });
  await addContent(store, { id, accountId: member.id, keyId: "key_1" }, [request, answer]);
  return id;
}

async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

signedInTest(
  "an operator reads a recorded prompt after two clicks, which is audited",
  async (page, served) => {
    const id = await addRecorded(served);
    await page.goto(`${served.origin}/console/log?who=everyone`);
    await page.click(`tbody a.id[title="${id}"]`);
    const show = await page.waitForSelector(`a[href="/console/log/${id}/content"]`);
    await Promise.all([page.waitForNavigation(), show?.click()]);
    const text = await page.$eval("main", (main) => main.textContent ?? "");
    for (const said of ["Be kind", "</pre><script>", "⟨U+202E⟩txt.exe", "⟨U+001B⟩[2J"]) {
      assertStringIncludes(text, said);
    }
    assertStringIncludes(text, "look_up");
    assert(!(await page.title()).includes("owned"));
    const { store } = served.console;
    const { entries } = await listAuditEntries(store, { filter: { kind: "call" }, limit: 9 });
    assertEquals(entries.map(({ action, targetId }) => [action, targetId]), [["content-read", id]]);
  },
);

signedInTest(
  "a recording is started and stopped on the page of its key, without a script",
  async (page, served) => {
    await addRecorded(served);
    await page.setJavaScriptEnabled(false);
    await page.goto(`${served.origin}/console/token/key_1`);
    await press(page, "form[action$='/recording'] button");
    assertStringIncludes(await page.content(), "Requests and answers are recorded until");
    await press(page, "form[action$='/recording'] button");
    assertStringIncludes(await page.content(), "Requests and answers are not recorded.");
  },
);

signedInTest(
  "failed calls are filtered on a phone in the sheet of all filters",
  async (page, served) => {
    await addRecorded(served);
    await page.setViewport({ width: 390, height: 844 });
    await page.goto(`${served.origin}/console/log?who=everyone`);
    await page.click(".log-filters .sheet-opener");
    const outside = await page.$$eval(
      ".log-filters .sheet :is(select, input, button)",
      (all) =>
        all.filter((one) => {
          const { left, right, width } = one.getBoundingClientRect();
          return width > 1 && (left < 0 || right > innerWidth);
        }).map((one) => one.getAttribute("name") ?? one.textContent),
    );
    assertEquals(outside, []);
    await Promise.all([page.waitForNavigation(), page.select('select[name="status"]', "4xx")]);
    assertEquals((await page.$$("tbody a.id")).length, 1);
    const lines = await page.$eval(
      "tbody .what-came .status",
      (one) => one.getClientRects().length,
    );
    assert(lines <= 2, `402 is in ${lines} lines`); // its icon and its text
  },
);

signedInTest("the pages of a recorded call are whole", async (page, served) => {
  const id = await addRecorded(served);
  await lookAt(page, served.origin, { content: `/console/log/${id}/content` });
});
