import { assertEquals, assertStringIncludes } from "@std/assert";
import { keysOfAccountMax } from "../../../lib/admin/keys/key_rules.ts";
import { deleteApiKey, listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { member } from "../people.ts";
import { addKey } from "../records.ts";

testConsole("an account has a bounded number of keys", async ({ store, signedIn }) => {
  const made = Array.from({ length: keysOfAccountMax }, (_, n) => n);
  for (const n of made) {
    await addKey(store, { id: `key_${n}`, name: `k${n}`, accountId: member.id });
  }
  await addKey(store, { id: "key_declared", name: "d", accountId: member.id, origin: "config" });
  const browser = await signedIn(member);
  const form = { name: "one more", group: "default" };
  const refused = await browser.post("/console/token/new", form);
  assertEquals(refused.status, 422);
  assertStringIncludes(textOf(refused.html), "reached its maximum number of keys");
  assertEquals((await listApiKeys(store, { accountId: member.id })).length, keysOfAccountMax + 1);
  await deleteApiKey(store, "key_7");
  assertRedirect(await browser.post("/console/token/new", form), "/console/token");
});
