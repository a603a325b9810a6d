import { assertEquals, assertRejects } from "@std/assert";
import { StoreError } from "../../../lib/store/mod.ts";
import {
  createUser,
  deleteUser,
  firstAccountId,
  getUser,
  getUserByEmail,
  listUsers,
  updateUser,
} from "../../../lib/store/users/mod.ts";
import { sampleUser } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

testOnStores("user: made, found by id and address, listed by age, deleted", async (store) => {
  const [ada, bob] = [
    sampleUser(),
    sampleUser({ id: "usr_0", email: "bob@b.test", createdAtMs: 2 }),
  ];
  await createUser(store, bob);
  await createUser(store, ada);
  assertEquals(await getUser(store, ada.id), ada);
  assertEquals(await getUserByEmail(store, bob.email), bob);
  assertEquals(await listUsers(store), [ada, bob]);
  assertEquals(await deleteUser(store, ada.id), true);
  assertEquals(await deleteUser(store, ada.id), false);
  assertEquals(await getUserByEmail(store, ada.email), undefined);
  await createUser(store, ada);
});

testOnStores("user: spending, budgets and limits are kept", async (store) => {
  await createUser(store, sampleUser());
  const bounds = {
    spending: "unlimited",
    budgets: [{ nanoUsd: 1n, period: "week", timeZone: "Asia/Kathmandu" }],
    limits: { concurrency: 3 },
  } as const;
  await updateUser(store, "usr_1", (user) => ({ ...user, ...bounds }));
  assertEquals(await getUser(store, "usr_1"), sampleUser(bounds));
});

testOnStores("user: an address has one account, however many ask", async (store) => {
  const asked = Array.from(
    { length: 8 },
    (_, n) => createUser(store, sampleUser({ id: `usr_${n}` })),
  );
  const results = await Promise.allSettled(asked);
  assertEquals(results.filter((result) => result.status === "fulfilled").length, 1);
  assertEquals((await listUsers(store)).length, 1);
});

testOnStores("user: a change of address moves the index and frees the old one", async (store) => {
  await createUser(store, sampleUser());
  await createUser(store, sampleUser({ id: "usr_2", email: "bob@b.test" }));
  await updateUser(store, "usr_1", (user) => ({ ...user, email: "ada@new.test" }));
  assertEquals((await getUserByEmail(store, "ada@new.test"))?.id, "usr_1");
  assertEquals(await getUserByEmail(store, "ada@example.com"), undefined);
  const error = await assertRejects(
    () => updateUser(store, "usr_2", (user) => ({ ...user, email: "ada@new.test" })),
    StoreError,
  );
  assertEquals(error.code, "already_exists");
  assertEquals((await getUserByEmail(store, "bob@b.test"))?.id, "usr_2");
});

testOnStores("user: two who want the same new address do not both get it", async (store) => {
  for (const n of [1, 2]) {
    await createUser(store, sampleUser({ id: `usr_${n}`, email: `${n}@b.test` }));
  }
  const results = await Promise.allSettled(
    [1, 2].map((n) => updateUser(store, `usr_${n}`, (user) => ({ ...user, email: "x@b.test" }))),
  );
  assertEquals(results.filter((result) => result.status === "fulfilled").length, 1);
  const emails = (await listUsers(store)).map((user) => user.email);
  assertEquals(emails.filter((email) => email === "x@b.test").length, 1);
});

testOnStores("user: the first administrator stays", async (store) => {
  await createUser(store, sampleUser({ id: firstAccountId, role: "administrator" }));
  const attempts = [
    () => deleteUser(store, firstAccountId),
    () => updateUser(store, firstAccountId, (user) => ({ ...user, enabled: false })),
    () => updateUser(store, firstAccountId, (user) => ({ ...user, role: "member" })),
  ];
  for (const attempt of attempts) {
    const error = await assertRejects(attempt, StoreError);
    assertEquals(error.code, "protected");
  }
  await updateUser(store, firstAccountId, (user) => ({ ...user, email: "root@b.test" }));
  assertEquals((await getUser(store, firstAccountId))?.email, "root@b.test");
});
