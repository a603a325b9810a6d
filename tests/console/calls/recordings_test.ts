import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import {
  getRecording,
  saveRecordedContent,
  startRecording,
} from "../../../lib/store/recordings/mod.ts";
import { createUser, deleteUser } from "../../../lib/store/users/mod.ts";
import { testConsole, withLimits } from "../console.ts";
import { administrator, member, nowMs, user } from "../people.ts";
import { addCall, addKey } from "../records.ts";
import { callIdAt } from "./call_id.ts";

const call = { ...callIdAt(60_000, 1), accountId: member.id };
const stranger = user({ id: "usr_other", email: "other@example.com", role: "member" });
const hourMs = 3_600_000;
const path = `/console/log/${call.id}/content`;

/** A recorded call of the member. */
async function addRecorded(store: Store): Promise<void> {
  await addKey(store, { id: "key_1", accountId: member.id });
  await addCall(store, call);
  const text = new TextEncoder().encode("the secret prompt");
  await saveRecordedContent(store, { ...call, keyId: "key_1" }, {
    content: { path: "/", request: { text, contentType: "text/plain", bytes: text.length } },
    expiresAtMs: nowMs + hourMs,
    nowMs,
    owners: { key: true, user: false },
  });
}

async function readings(store: Store): Promise<string[]> {
  const filter = { action: "content-read" } as const;
  const { entries } = await listAuditEntries(store, { filter, limit: 9 });
  return entries.map(({ actorName }) => actorName);
}

testConsole(
  "a recorded content: its owner reads it without an entry, strangers never",
  async ({ store, signedIn }) => {
    await addRecorded(store);
    const own = await signedIn(member);
    assertStringIncludes((await own.get(path)).html, "the secret prompt");
    assertStringIncludes(
      (await own.get(`/console/log/${call.id}`)).html,
      "Show request and answer",
    );
    await createUser(store, stranger);
    const other = await signedIn(stranger);
    for (const query of ["", "?part=request"]) {
      const { status, html } = await other.get(path + query);
      assertEquals(status, 404);
      assert(!html.includes("secret"));
    }
    assertEquals(await readings(store), []);
  },
);

testConsole(
  "a recorded content: an administrator's readings are audited, also as another",
  async ({ store, signedIn }) => {
    await addRecorded(store);
    const browser = await signedIn(administrator);
    assertStringIncludes((await browser.get(path)).html, "the secret prompt");
    assertStringIncludes((await browser.get(`${path}?part=request`)).html, "the secret prompt");
    await browser.post(`/console/admin/users/${member.id}/view`, {});
    assertStringIncludes((await browser.get(path)).html, "the secret prompt");
    assertEquals(await readings(store), Array(3).fill(administrator.email));
  },
);

testConsole("a recorded content: gone after its time, and with its user", async (console) => {
  const { store, clock } = console;
  await addRecorded(store);
  const browser = await console.signedIn(administrator);
  clock.nowMs += hourMs;
  const { status, html } = await browser.get(path);
  assertEquals(status, 404);
  assertStringIncludes(html, "No recorded content");
  await deleteUser(store, member.id);
  const left = await Array.fromAsync(store.kv.list({ prefix: ["recorded_content"] }));
  assertEquals(left, []);
});

testConsole(
  "a recording: members see that they are recorded, and cannot start or stop it",
  async ({ store, signedIn }) => {
    await addRecorded(store);
    const until = { startedAtMs: nowMs, expiresAtMs: nowMs + hourMs };
    const startedBy = administrator.email;
    await startRecording(store, { accountId: member.id, startedBy, ...until });
    const browser = await signedIn(member);
    for (const page of ["/console", "/console/log", "/console/token/key_1"]) {
      const { html } = await browser.get(page);
      assertStringIncludes(html, administrator.email, page);
      assert(!html.includes("Stop recording"), page);
    }
    for (const hours of ["1", ""]) {
      assertEquals((await browser.post("/console/token/key_1/recording", { hours })).status, 403);
    }
    assertEquals(
      await getRecording(store, { accountId: member.id, keyId: "key_1" }, nowMs),
      undefined,
    );
    assert(await getRecording(store, { accountId: member.id }, nowMs));
  },
);

testConsole("a recording: no longer than the configuration allows", async (console) => {
  withLimits({ recordingDaysMax: 1 });
  await addKey(console.store, { id: "key_1", accountId: member.id });
  const browser = await console.signedIn(administrator);
  await browser.post("/console/token/key_1/recording", { hours: "168" });
  const subject = { accountId: member.id, keyId: "key_1" };
  const found = await getRecording(console.store, subject, nowMs);
  assertEquals(found?.expiresAtMs, nowMs + 86_400_000);
});
