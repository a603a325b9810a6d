import { assertEquals } from "@std/assert";
import {
  openSession,
  Passwords,
  sessionLifetimeMs,
  setPassword,
  startSession,
} from "../../lib/accounts/mod.ts";
import { createUser, deleteSession, listSessions, updateUser } from "../../lib/store/users/mod.ts";
import { sampleUser } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";

const minuteMs = 60_000;

testOnStores(
  "openSession slides the end, and notes use at most each five minutes",
  async (store) => {
    await createUser(store, sampleUser());
    const start = Date.now();
    const { session, token } = await startSession(store, sampleUser(), { nowMs: start });
    assertEquals(session.expiresAtMs, start + sessionLifetimeMs);
    const soon = await openSession(store, token, { nowMs: start + minuteMs });
    assertEquals(soon?.session, session);
    const laterMs = start + 10 * minuteMs;
    const later = await openSession(store, token, { nowMs: laterMs });
    assertEquals(later?.session.lastSeenAtMs, laterMs);
    assertEquals(later?.session.expiresAtMs, laterMs + sessionLifetimeMs);
    const [listed] = await listSessions(store, "usr_1");
    assertEquals(listed, later?.session);
  },
);

testOnStores(
  "openSession refuses one that has ended, by time, by hand or with its user",
  async (store) => {
    await createUser(store, sampleUser());
    const nowMs = Date.now();
    const { session, token } = await startSession(store, sampleUser(), { nowMs });
    assertEquals(await openSession(store, token, { nowMs: session.expiresAtMs }), undefined);
    await updateUser(store, "usr_1", (user) => ({ ...user, enabled: false }));
    assertEquals(await openSession(store, token, { nowMs }), undefined);
    await updateUser(store, "usr_1", (user) => ({ ...user, enabled: true }));
    assertEquals((await openSession(store, token, { nowMs }))?.user.id, "usr_1");
    await deleteSession(store, session.digest);
    assertEquals(await openSession(store, token, { nowMs }), undefined);
  },
);

testOnStores("startSession keeps a bounded text of the client", async (store) => {
  const { session } = await startSession(store, sampleUser(), {
    nowMs: Date.now(),
    userAgent: "x".repeat(100_000),
    ip: "203.0.113.7",
  });
  assertEquals([session.userAgent?.length, session.ip], [300, "203.0.113.7"]);
});

testOnStores("setPassword signs out everywhere else", async (store) => {
  const passwords = new Passwords();
  const accounts = { store, passwords };
  const nowMs = Date.now();
  await createUser(store, sampleUser({ passwordHash: await passwords.hash("old password") }));
  const [here, there] = [
    await startSession(store, sampleUser(), { nowMs }),
    await startSession(store, sampleUser(), { nowMs }),
  ];
  const set = (password: string) =>
    setPassword(accounts, "usr_1", { password, sessionDigest: here.session.digest });
  assertEquals((await set("short"))?.type, "invalid");
  assertEquals((await listSessions(store, "usr_1")).length, 2);
  assertEquals((await set("new password"))?.type, "saved");
  assertEquals((await openSession(store, here.token, { nowMs }))?.user.id, "usr_1");
  assertEquals(await openSession(store, there.token, { nowMs }), undefined);
  assertEquals(await setPassword(accounts, "nobody", { password: "new password" }), undefined);
  passwords.close();
});
