import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readWho, whoHref, withWho } from "../../../lib/console/page/who.ts";
import { deleteUser } from "../../../lib/store/users/mod.ts";
import { callIdAt } from "../calls/call_id.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall } from "../records.ts";

const usd = 1_000_000_000n;

const choices = [
  { user: administrator, hasOthers: true, address: "", who: "everyone" },
  { user: administrator, hasOthers: false, address: "", who: "mine" },
  { user: administrator, hasOthers: true, address: "who=mine", who: "mine" },
  { user: administrator, hasOthers: false, address: "who=everyone", who: "everyone" },
  { user: administrator, hasOthers: true, address: "who=__proto__", who: "everyone" },
  { user: { ...administrator, enabled: false }, hasOthers: true, address: "", who: "mine" },
  { user: member, hasOthers: true, address: "who=everyone", who: "mine" },
  { user: member, hasOthers: true, address: "who=mine&who=everyone", who: "mine" },
] as const;

for (const { user, hasOthers, address, who } of choices) {
  Deno.test(`who: ${user.role}, others ${hasOthers}, "${address}" is ${who}`, () => {
    // Only the user of the account is read.
    const account = { user } as Parameters<typeof readWho>[1]["account"];
    assertEquals(readWho(new URLSearchParams(address), { account, hasOthers }), who);
  });
}

Deno.test("who: the switch keeps the filters and starts at the first row", () => {
  assertEquals(
    whoHref("/console/log?model=a%26b&before=7&page=3&who=mine", "everyone"),
    "/console/log?model=a%26b&who=everyone",
  );
});

Deno.test("who: links carry the choice only to pages that have it", () => {
  assertEquals(withWho("/console/log", "/console?who=mine"), "/console/log?who=mine");
  assertEquals(withWho("/console/log", "/console"), "/console/log");
  assertEquals(withWho("/console/log", "/console?who=x%22"), "/console/log");
  assertEquals(withWho("/console/pricing", "/console?who=mine"), "/console/pricing");
});

testConsole("who: an administrator sees everyone's spend, or the own one", async (console) => {
  const { store } = console;
  const call = { upstreamId: "acme", model: "mine", costNanoUsd: 5n * usd };
  await addCall(store, { ...call, ...callIdAt(60_000, 1) });
  const theirs = { accountId: member.id, model: "theirs", costNanoUsd: 70n * usd };
  await addCall(store, { ...call, ...callIdAt(60_000, 2), ...theirs });
  const browser = await console.signedIn(administrator);
  const shown = async (address: string) => await browser.get(`/console${address}`);
  const everyone = await shown("");
  assertStringIncludes(textOf(everyone.html), "$75.00");
  assertStringIncludes(everyone.html, 'href="/console?who=mine"');
  const mine = await shown("?who=mine&period=7d");
  assert(!textOf(mine.html).includes("$70.00"));
  assertStringIncludes(textOf(mine.html), "$5.00");
  assertStringIncludes(mine.html, 'href="/console/token?who=mine"');
  await deleteUser(store, member.id);
  assert(!(await shown("")).html.includes(">Everyone<"), "no choice without others");
});

testConsole("who: a member sees no one else's data by any address", async (console) => {
  const call = { upstreamId: "acme", model: "owners-model", costNanoUsd: 5n * usd };
  await addCall(console.store, { ...call, ...callIdAt(60_000, 1) });
  const browser = await console.signedIn(member);
  for (const address of ["who=everyone", "who=everyone&by=requests&period=30d", "scope=all"]) {
    const { html } = await browser.get(`/console?${address}`);
    assert(!html.includes("owners-model"), address);
    assert(!html.includes("Everyone"), address);
  }
});
