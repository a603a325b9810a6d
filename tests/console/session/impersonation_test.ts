import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { getUser, updateUser, type User } from "../../../lib/store/users/mod.ts";
import { assertRedirect, testConsole, textOf } from "../console.ts";
import { administrator, member, user } from "../people.ts";
import { addCall, addKey } from "../records.ts";

const path = `/console/admin/users/${member.id}/view`;

testConsole(
  "impersonation: the console of another user, to be read only, and written down",
  async (console) => {
    const { store } = console;
    await addKey(store, { name: "theirs", accountId: member.id });
    await addKey(store, { id: "key_x", name: "mine" });
    await addCall(store, { id: "req_THEIRS", accountId: member.id });
    const browser = await console.signedIn(administrator);
    assertRedirect(await browser.post(path, {}), "/console");
    const { entries: [entry] } = await listAuditEntries(store, { limit: 1 });
    assertEquals([entry.action, entry.actorId, entry.targetId], ["viewed", "owner", member.id]);
    const { html } = await browser.get("/console/token");
    assertStringIncludes(textOf(html), "Viewing as member@example.com (read-only)");
    assert(html.includes("theirs") && !html.includes(">mine<"));
    assertEquals((await browser.get("/console/log/req_THEIRS")).status, 200);
    assertEquals((await browser.get("/console/admin/users")).status, 403);
    const refused = await browser.post("/console/token/new", { name: "evil", group: "default" });
    assertEquals(refused.status, 403);
    assertStringIncludes(textOf(refused.html), "Read-only while viewing as another user");
    assertEquals((await browser.post("/console/topup/redeem", { code: "x" })).status, 403);
    assertEquals((await listApiKeys(store, { accountId: member.id })).length, 1);
    assertRedirect(await browser.post("/console/viewing", {}), `/console/admin/users/${member.id}`);
    assertStringIncludes((await browser.get("/console/token")).html, "mine");
    assertEquals((await listAuditEntries(store, { limit: 9 })).entries.length, 1);
  },
);

testConsole(
  "impersonation: ends by itself, and with the administrator's rights",
  async (console) => {
    const { store, clock } = console;
    const other = user({ id: "usr_admin", email: "admin@example.com" });
    const isViewing = async (browser: { get: (path: string) => Promise<{ html: string }> }) =>
      (await browser.get("/console")).html.includes("Viewing as");
    const browser = await console.signedIn(administrator);
    await browser.post(path, {});
    assertEquals(await isViewing(browser), true);
    clock.nowMs += 30 * 60_000;
    assertEquals(await isViewing(browser), false);
    const change = (one: User): User => ({ ...one, role: "administrator" });
    const promoted = await updateUser(store, member.id, change);
    const second = await console.signedIn(promoted ?? member);
    await second.post("/console/admin/users/owner/view", {});
    assertEquals(await isViewing(second), true);
    await updateUser(store, member.id, (one) => ({ ...one, role: "member" }));
    assertEquals(await isViewing(second), false);
    assertEquals((await browser.post(`/console/admin/users/${other.id}/view`, {})).status, 404);
  },
);

testConsole(
  "impersonation: a cookie counts for nobody but the session that got it",
  async (console) => {
    const browser = await console.signedIn(administrator);
    await browser.post(path, {});
    const cookie = browser.cookies.get("tessera_view") ?? "";
    assertMatch(decodeURIComponent(cookie), /^v1\./);
    for (
      const value of [cookie, "nonsense", encodeURIComponent(JSON.stringify({ userId: "owner" }))]
    ) {
      for (const who of [administrator, member]) {
        const other = await console.signedIn(who);
        other.cookies.set("tessera_view", value);
        const { html } = await other.get("/console");
        assert(!html.includes("Viewing as"));
      }
    }
  },
);

testConsole("impersonation: members look at nobody, and nobody at oneself", async (console) => {
  const theirs = await console.signedIn(member);
  assertEquals((await theirs.post("/console/admin/users/owner/view", {})).status, 403);
  const mine = await console.signedIn(administrator);
  assertEquals((await mine.post("/console/admin/users/owner/view", {})).status, 404);
  assertRedirect(await mine.post("/console/viewing", {}), "/console");
  assertEquals((await listAuditEntries(console.store, { limit: 9 })).entries, []);
  assertEquals((await getUser(console.store, member.id))?.role, "member");
});
