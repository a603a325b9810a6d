import { assert, assertEquals } from "@std/assert";
import { setPassword } from "../../../lib/accounts/mod.ts";
import { isDangerous } from "../../../lib/console/sign_in/step_up.ts";
import { listApiKeys, shownOnceMax } from "../../../lib/store/api_keys/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { getUser, listSessions } from "../../../lib/store/users/mod.ts";
import {
  assertRedirect,
  type TestBrowser,
  type TestConsole,
  testConsole,
  testPasswords,
} from "../console.ts";
import { administrator, member } from "../people.ts";
import { addKey } from "../records.ts";
import { consoleRoutes } from "../routes.ts";

const password = "correct horse battery";

/** An administrator who signed in too long ago for anything dangerous. */
async function staleOwner(console: TestConsole): Promise<TestBrowser> {
  const accounts = { store: console.store, passwords: testPasswords };
  await setPassword(accounts, administrator.id, { password });
  const browser = await console.signedIn(administrator);
  console.clock.nowMs += 5 * 60_000;
  return browser;
}

const countOf = async (store: Store, userId: string) => (await listSessions(store, userId)).length;

Deno.test("step-up: an address that ends in a slash is as dangerous as without", () => {
  for (const { pattern } of consoleRoutes) {
    for (const method of ["GET", "POST"]) {
      const path = pattern.replaceAll(/\[\w+\]/g, "one");
      assertEquals(isDangerous(method, `${path}/`), isDangerous(method, path), `${method} ${path}`);
    }
  }
});

testConsole("step-up: a slash at the end is no way around it", async (console) => {
  await addKey(console.store, { id: "key_x", name: "ci" });
  const browser = await staleOwner(console);
  const sure = { key: "key_x", action: "delete", sure: "yes" };
  const answer = await browser.post("/console/token/bulk/", sure);
  assert(answer.headers.get("location")?.startsWith("/console/confirm?next="));
  assertEquals((await listApiKeys(console.store)).length, 1);
});

testConsole(
  "step-up: the confirmation sends no form on to where none was held",
  async (console) => {
    const { store } = console;
    await console.signedIn(member);
    const browser = await staleOwner(console);
    for (
      const next of [
        `/console/admin/users/${member.id}/sessions`,
        `/console/admin/users/${member.id}/view`,
        "/console/account/sessions",
        "/logout",
        "/console/token/new?name=theirs",
      ]
    ) {
      const answer = await browser.post("/console/confirm", {
        next,
        held: "once_theirs",
        password,
      });
      assertRedirect(answer, next);
    }
    assertEquals(await countOf(store, member.id), 1);
    assertEquals((await getUser(store, member.id))?.enabled, true);
  },
);

testConsole("step-up: forms that nobody goes on with are not kept without end", async (console) => {
  const { store } = console;
  const browser = await staleOwner(console);
  const note = "\0".repeat(20_000);
  const held: string[] = [];
  for (let n = 0; n < 2 * shownOnceMax; n++) {
    const { headers } = await browser.post("/console/token/key_x/delete", { note });
    const asked = new URL(headers.get("location") ?? "", "http://localhost");
    held.push(asked.searchParams.get("held") ?? "");
  }
  let kept = 0;
  for await (const _ of store.kv.list({ prefix: ["shown_once"] })) kept++;
  assertEquals(kept, shownOnceMax);
  let pieces = 0;
  for await (const _ of store.kv.list({ prefix: ["shown_once_piece"] })) pieces++;
  assert(pieces <= 4 * shownOnceMax, `${pieces} pieces`);
  assertEquals(new Set(held).size, held.length);
});

testConsole("step-up: a form goes on though others are held", async (console) => {
  const { store } = console;
  await addKey(store, { id: "key_x", name: "ci" });
  const browser = await staleOwner(console);
  const { headers } = await browser.post("/console/token/key_x/delete", {});
  for (let n = 1; n < shownOnceMax; n++) await browser.post("/console/token/key_y/delete", {});
  const { searchParams } = new URL(headers.get("location") ?? "", "http://localhost");
  const fields = { ...Object.fromEntries(searchParams), password };
  assertEquals((await browser.post("/console/confirm", fields)).status, 307);
  await browser.post("/console/token/key_x/delete", fields);
  assertEquals(await listApiKeys(store), []);
});
