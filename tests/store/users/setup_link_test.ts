import { assert, assertEquals } from "@std/assert";
import {
  createSetupLink,
  firstAccountId,
  getSetupLink,
  getUser,
  listUsers,
  redeemSetupLink,
  Store,
} from "../../../lib/store/mod.ts";
import { testOnStores } from "../temp_store.ts";

const farMs = 4_000_000_000_000;

function restarted(store: Store, runId: string): Store {
  const { kv, secretBox, sharedByProcesses } = store;
  return new Store(kv, { secretBox, sharedByProcesses, runId });
}

testOnStores(
  "set-up link: one for each start of the process, earlier ones still hold",
  async (store) => {
    const made = await Promise.all(
      ["a", "b", "c"].map((digest) => createSetupLink(store, { digest, expiresAtMs: farMs })),
    );
    assertEquals(made.filter((one) => one).length, 1);
    const next = restarted(store, "next");
    assertEquals(await createSetupLink(next, { digest: "d", expiresAtMs: farMs }), true);
    const found = await Promise.all(["a", "b", "c", "d"].map((one) => getSetupLink(store, one)));
    assertEquals(found.filter((link) => link !== undefined).length, 2);
  },
);

testOnStores(
  "set-up link: of many that race exactly one makes the administrator",
  async (store) => {
    for (const digest of ["a", "b"]) {
      await createSetupLink(restarted(store, digest), { digest, expiresAtMs: farMs });
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
