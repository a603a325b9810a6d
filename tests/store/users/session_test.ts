import { assertEquals } from "@std/assert";
import {
  createSession,
  deleteSession,
  deleteSessions,
  getSession,
  listSessions,
  type Session,
  updateSession,
} from "../../../lib/store/users/mod.ts";
import { testOnStores } from "../temp_store.ts";

function session(digest: string, lastSeenAtMs: number): Session {
  const nowMs = Date.now();
  return { digest, userId: "usr_1", createdAtMs: nowMs, expiresAtMs: nowMs + 60_000, lastSeenAtMs };
}

testOnStores("session: made, read, listed last seen first, moved on, ended", async (store) => {
  const [a, b] = [session("a", 1), session("b", 2)];
  await createSession(store, a);
  await createSession(store, b);
  assertEquals(await getSession(store, "a"), a);
  assertEquals(await listSessions(store, "usr_1"), [b, a]);
  const change = (current: Session) => ({ ...current, lastSeenAtMs: 3 });
  assertEquals((await updateSession(store, "a", { change, nowMs: Date.now() }))?.lastSeenAtMs, 3);
  assertEquals((await listSessions(store, "usr_1")).map(({ digest }) => digest), ["a", "b"]);
  await deleteSession(store, "a");
  assertEquals(await listSessions(store, "usr_1"), [b]);
});

testOnStores("session: signing out everywhere may spare one", async (store) => {
  for (const digest of ["a", "b", "c"]) await createSession(store, session(digest, 1));
  await deleteSessions(store, "usr_1", { exceptDigest: "b" });
  assertEquals((await listSessions(store, "usr_1")).map(({ digest }) => digest), ["b"]);
  await deleteSessions(store, "usr_1");
  assertEquals(await listSessions(store, "usr_1"), []);
});

testOnStores("session: one that ends while it is moved on does not come back", async (store) => {
  const change = (current: Session) => ({ ...current, lastSeenAtMs: 2 });
  for (let round = 0; round < 20; round++) {
    await createSession(store, session("a", 1));
    const moving = updateSession(store, "a", { change, nowMs: Date.now() });
    await Promise.all([moving, deleteSession(store, "a")]);
    assertEquals(await getSession(store, "a"), undefined);
    assertEquals(await listSessions(store, "usr_1"), []);
  }
});
