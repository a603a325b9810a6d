import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readCsv } from "../../ledger/csv.ts";
import { assertRedirect, testConsole } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall } from "../records.ts";

testConsole("log: a member's export holds the own account's calls only", async (console) => {
  await addCall(console.store, { id: "req_1", accountId: member.id });
  await addCall(console.store, { id: "req_2", accountId: administrator.id });
  const browser = await console.signedIn(member);
  for (const query of ["", "?format=csv", "?account=owner", "?scope=all", "?who=everyone"]) {
    const { status, headers, html } = await browser.get(`/console/log/export${query}`);
    assertEquals(status, 200);
    assertStringIncludes(headers.get("content-type") ?? "", "text/csv");
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(
      headers.get("content-disposition"),
      'attachment; filename="calls-2026-11-21.csv"',
    );
    assertEquals(readCsv(html).map(([id]) => id), ["request_id", "req_1"]);
  }
});

testConsole("log: an administrator exports the own calls, or everybody's", async (console) => {
  await addCall(console.store, { id: "req_1", accountId: member.id });
  await addCall(console.store, { id: "req_2", accountId: administrator.id });
  const browser = await console.signedIn(administrator);
  const own = await browser.get("/console/log/export?format=jsonl&who=mine");
  assertStringIncludes(own.headers.get("content-type") ?? "", "application/x-ndjson");
  assertEquals(own.html.trimEnd().split("\n").map((line) => JSON.parse(line).request_id), [
    "req_2",
  ]);
  const all = await browser.get("/console/log/export?format=jsonl");
  assertEquals(all.html.trimEnd().split("\n").length, 2);
});

testConsole("log: who is not signed in exports nothing", async (console) => {
  const answer = await console.browser().get("/console/log/export?who=everyone");
  assertRedirect(answer, "/login?next=%2Fconsole%2Flog%2Fexport%3Fwho%3Deveryone");
});

testConsole(
  "log: a filter in the address holds for the page, its pages and its exports",
  async (console) => {
    for (let n = 0; n < 120; n++) {
      const id = `req_${String(n).padStart(4, "0")}`;
      await addCall(console.store, { id, model: n % 2 ? "m/1 &" : "m2", keyId: `key_${n % 3}` });
    }
    const browser = await console.signedIn(administrator);
    const path = `/console/log?model=${encodeURIComponent("m/1 &")}&from=nonsense`;
    const first = await browser.get(path);
    const ids = (html: string) => [...html.matchAll(/class="id" href="[^"]*call=(req_\d+)"/g)];
    assertEquals(ids(first.html).length, 50);
    const links = [...first.html.matchAll(/href="(\/console\/log[/?][^"]*model=[^"]*)"/g)]
      .map(([, href]) => href.replaceAll("&amp;", "&"))
      .filter((href) => !href.includes("call="));
    assertEquals(links.length, 8);
    const older = links.find((href) => href.includes("before=")) ?? "";
    const second = await browser.get(older);
    assertEquals(ids(second.html).length, 10);
    assert(second.html.includes(">First page<"));
    const csv = links.find((href) => href.includes("as=csv")) ?? "";
    assertEquals(readCsv((await browser.get(csv)).html).length, 61);
  },
);

testConsole("log: only who may see all accounts is offered their calls", async (console) => {
  for (
    const { user, offered } of [
      { user: administrator, offered: true },
      { user: member, offered: false },
    ]
  ) {
    const { html } = await (await console.signedIn(user)).get("/console/log");
    assertEquals(html.includes("who=everyone"), offered);
    assertStringIncludes(html, "/console/log/export?as=csv");
  }
});
