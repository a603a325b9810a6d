import { assert, assertEquals } from "@std/assert";
import {
  issueSetupLink,
  isToBeSetUp,
  Passwords,
  redeemSetup,
  setupLinkHolds,
  setupLinkLifetimeMs,
  signIn,
} from "../../lib/accounts/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getUser, listUsers } from "../../lib/store/users/mod.ts";
import { testOnStores } from "../store/temp_store.ts";

interface Scene {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly nowMs: number;
  readonly token: string;
}

function testSetup(name: string, run: (scene: Scene) => Promise<void>): void {
  testOnStores(name, async (store) => {
    const passwords = new Passwords();
    const nowMs = Date.now();
    const link = await issueSetupLink(store, nowMs);
    assert(link !== undefined);
    try {
      await run({ store, passwords, nowMs, token: link.token });
    } finally {
      passwords.close();
    }
  });
}

testSetup("redeemSetup makes an administrator who can sign in, once", async (scene) => {
  const { store, nowMs, token } = scene;
  const entered = { token, email: " Root@Example.com", password: "correct horse" };
  assertEquals(await isToBeSetUp(store), true);
  const result = await redeemSetup(scene, entered);
  assert(result.type === "created");
  assertEquals([result.user.email, result.user.role], ["root@example.com", "administrator"]);
  assertEquals((await signIn(scene, entered)).type, "signed-in");
  assertEquals((await redeemSetup(scene, entered)).type, "refused");
  assertEquals(await isToBeSetUp(store), false);
  assertEquals(await setupLinkHolds(store, token, nowMs), false);
});

testSetup("redeemSetup makes one administrator of many who race", async (scene) => {
  const racing = Array.from(
    { length: 5 },
    (_, n) =>
      redeemSetup(scene, { token: scene.token, email: `${n}@b.test`, password: "correct horse" }),
  );
  const types = (await Promise.all(racing)).map(({ type }) => type);
  assertEquals(types.filter((type) => type === "created").length, 1);
  assertEquals((await listUsers(scene.store)).length, 1);
});

testSetup("redeemSetup keeps the link when what was entered will not do", async (scene) => {
  const entered = { token: scene.token, email: "a@b.test", password: "correct horse" };
  const invalid = [{ ...entered, email: "nobody" }, { ...entered, password: "short" }];
  for (const one of invalid) assertEquals((await redeemSetup(scene, one)).type, "invalid");
  assertEquals(await setupLinkHolds(scene.store, scene.token, scene.nowMs), true);
  assertEquals((await redeemSetup(scene, entered)).type, "created");
});

testSetup("redeemSetup refuses an unknown link and one that has expired", async (scene) => {
  const entered = { email: "a@b.test", password: "correct horse" };
  assertEquals((await redeemSetup(scene, { ...entered, token: "guess" })).type, "refused");
  const late = { ...scene, nowMs: scene.nowMs + setupLinkLifetimeMs };
  assertEquals((await redeemSetup(late, { ...entered, token: scene.token })).type, "refused");
  assertEquals(await getUser(scene.store, "owner"), undefined);
});
