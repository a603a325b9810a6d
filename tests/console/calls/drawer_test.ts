import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall } from "../records.ts";
import { callIdAt } from "./call_id.ts";

const [newest, failed, oldest] = [1, 2, 3].map((n) => callIdAt(n * 60_000, n));
const timeout = { status: 504, outcome: "timeout", errorCode: "upstream_timeout" } as const;

testConsole("drawer: a page has the open call beside its list, and neighbors", async (console) => {
  for (const call of [newest, oldest]) await addCall(console.store, call);
  await addCall(console.store, { ...failed, ...timeout });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get(`/console/log?period=24h&call=${failed.id}`);
  const drawer = /<aside class="drawer"[\s\S]*?<\/aside>/.exec(html)?.[0] ?? "";
  for (const { id } of [newest, oldest]) {
    assertStringIncludes(drawer, `href="/console/log?period=24h&amp;call=${id}"`);
  }
  assertStringIncludes(drawer, 'href="/console/log?period=24h"');
  assertStringIncludes(drawer, `href="/console/log/${failed.id}"`);
  assert(!drawer.includes(" hidden"), "open");
  assertEquals([...html.matchAll(/class="id"[^>]*aria-current="true"/g)].length, 1);
  const page = await browser.get(`/console/log/${failed.id}`);
  const verdict = verdictIn(page.html);
  assert(verdict !== undefined);
  assertEquals(verdictIn(drawer), verdict);
});

testConsole("drawer: a list without an open call keeps it closed", async (console) => {
  await addCall(console.store, newest);
  const browser = await console.signedIn(administrator);
  for (const query of ["", "?call=req_nothing", `?call=${failed.id}`]) {
    const { html, status } = await browser.get(`/console/log${query}`);
    assertEquals(status, 200);
    assert(/<aside [^>]*id="drawer"[^>]*hidden/.test(html), query);
  }
});

testConsole("drawer: a script loads the call alone", async (console) => {
  await addCall(console.store, { ...failed, ...timeout });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get(`/console/log?call=${failed.id}&part=call`);
  assertStringIncludes(html, 'id="call-detail"');
  assert(!html.includes('class="log-list"') && !html.includes("sidebar"), "nothing else");
  const unknown = await browser.get("/console/log?call=req_nothing&part=call");
  assertEquals(unknown.status, 404);
});

testConsole("drawer: members open no one else's call", async (console) => {
  await addCall(console.store, { ...failed, ...timeout });
  const browser = await console.signedIn(member);
  for (const query of ["", "&part=call", "&who=everyone", "&who=everyone&part=call"]) {
    const { html } = await browser.get(`/console/log?call=${failed.id}${query}`);
    assert(!textOf(html).includes("timed out"), query);
    assert(!html.includes('class="panel verdict'), query);
  }
});

function verdictIn(html: string): string | undefined {
  return /<h2 id="verdict">[\s\S]*?<\/section>/.exec(html)?.[0];
}
