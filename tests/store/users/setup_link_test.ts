import { assert, assertEquals } from "@std/assert";
import { claimStart } from "../../../lib/store/isolates/mod.ts";
import {
  createSetupLink,
  firstAccountId,
  getSetupLink,
  getUser,
  listUsers,
  redeemSetupLink,
} from "../../../lib/store/users/mod.ts";
import { restarted, testOnStores } from "../temp_store.ts";

const farMs = 4_000_000_000_000;

testOnStores("set-up link: earlier links still hold", async (store) => {
  for (const digest of ["a", "b"]) await createSetupLink(store, { digest, expiresAtMs: farMs });
  const found = await Promise.all(["a", "b"].map((one) => getSetupLink(store, one)));
  assert(found.every((link) => link !== undefined));
});

testOnStores("claimStart is true for one isolate of each start", async (store) => {
  const claims = await Promise.all([store, store, store].map(claimStart));
  assertEquals(claims.filter((claimed) => claimed).length, 1);
  assertEquals(await claimStart(restarted(store)), true);
});

testOnStores(
  "set-up link: of many that race exactly one makes the administrator",
  async (store) => {
    for (const digest of ["a", "b"]) {
      await createSetupLink(store, { digest, expiresAtMs: farMs });
    }
    const racing = Array.from(
      { length: 10 },
      (_, n) => redeemSetupLink(store, n % 2 ? "a" : "b", { email: `${n}@b.test`, createdAtMs: n }),
    );
    const results = await Promise.all(racing);
    assertEquals(
      results.filter((one) => one).length,
      1,
    );
    const users = await listUsers(store);
    assertEquals(users.length, 1);
    assertEquals(users[0]?.id, firstAccountId);
    assertEquals(users[0]?.role, "administrator");
    assertEquals(users[0]?.email, `${results.indexOf(true)}@b.test`);
  },
);

testOnStores("set-up link: an unknown one makes nobody", async (store) => {
  assertEquals(await redeemSetupLink(store, "x", { email: "a@b.test", createdAtMs: 1 }), false);
  assert(await getUser(store, firstAccountId) === undefined);
});
