import { assert, assertStringIncludes } from "@std/assert";
import { playgroundKeyId } from "../../../lib/accounts/mod.ts";
import { testConsole, textOf } from "../console.ts";
import { administrator, member } from "../people.ts";
import { addCall, addKey } from "../records.ts";
import { callIdAt } from "./call_id.ts";

const call = { ...callIdAt(60_000, 1), accountId: member.id, model: "gpt-5-mini" };

testConsole("a call's facts lead to its key, account and model", async (console) => {
  const key = await addKey(console.store, { name: "ci-nightly", accountId: member.id });
  await addCall(console.store, { ...call, keyId: key.id, keyName: key.name });
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get(`/console/log/${call.id}`);
  const facts = /<section[^>]*aria-labelledby="facts"[\s\S]*?<\/section>/.exec(html)?.[0] ?? "";
  for (
    const href of [
      `/console/token/${key.id}`,
      `/console/admin/users/${member.id}`,
      "/console/pricing/model?name=gpt-5-mini",
    ]
  ) assertStringIncludes(facts, `href="${href}"`);
});

testConsole("a call's facts: members see no link to users", async (console) => {
  const key = await addKey(console.store, { name: "ci-nightly", accountId: member.id });
  const socket = "ws_0123456789ab/main";
  await addCall(console.store, { ...call, keyId: key.id, keyName: key.name, socket });
  const browser = await console.signedIn(member);
  const { html } = await browser.get(`/console/log/${call.id}`);
  assertStringIncludes(textOf(html), `WebSocket ${socket}`);
  assertStringIncludes(html, `href="/console/token/${key.id}"`);
  assert(!html.includes("/console/admin/users"));
  assertStringIncludes(textOf(html), "HTTP status 200");
});

testConsole("a call's facts: the playground has no key to lead to", async (console) => {
  const keyId = playgroundKeyId(member.id);
  await addCall(console.store, { ...call, keyId, keyName: "Playground" });
  const browser = await console.signedIn(member);
  const { html } = await browser.get(`/console/log/${call.id}`);
  assertStringIncludes(textOf(html), "Key Playground");
  assert(!html.includes(encodeURIComponent(keyId)) && !html.includes(`/console/token/${keyId}`));
});
