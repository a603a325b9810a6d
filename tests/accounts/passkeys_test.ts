import { assert, assertEquals } from "@std/assert";
import {
  assertionOptions,
  registerPasskey,
  registrationOptions,
  signInByPasskey,
} from "../../lib/accounts/mod.ts";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import {
  createUser,
  deletePasskey,
  listPasskeys,
  updatePasskey,
  updateUser,
} from "../../lib/store/users/mod.ts";
import { sampleUser } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";
import { type Authenticator, newAuthenticator } from "./authenticator.ts";

const site = { rpId: "gateway.example", origin: "https://gateway.example" };
const nowMs = Date.now();
const user = sampleUser();

interface Scene {
  readonly store: Store;
  readonly key: Authenticator;
}

/** A user with one passkey. */
function testPasskeys(name: string, run: (scene: Scene) => Promise<void>): void {
  testOnStores(name, async (store) => {
    await createUser(store, user);
    const key = await newAuthenticator();
    const result = await register(store, key);
    assertEquals(result.type, "registered");
    await run({ store, key });
  });
}

async function register(store: Store, key: Authenticator, origin = site.origin) {
  const at = { store, site, nowMs };
  const answer = await key.create(await registrationOptions(at, user, "Tessera"), origin);
  const audit = () => ({
    kind: "user" as const,
    action: "changed" as const,
    atMs: nowMs,
    actorId: user.id,
    actorName: user.email,
    targetId: user.id,
    targetName: user.email,
    changes: [],
  });
  return await registerPasskey(at, user, { answer, name: " Laptop ", audit });
}

async function signInWith({ store, key }: Scene, { origin = site.origin, atMs = nowMs } = {}) {
  const options = await assertionOptions({ store, site, nowMs });
  const answer = await key.get(options, origin);
  const use = () => signInByPasskey({ store, nowMs: atMs }, { answer, site });
  return { answer, use, result: await use() };
}

testPasskeys("a passkey signs its user in without a name, and its use is noted", async (scene) => {
  const { store } = scene;
  const [made] = await listPasskeys(store, user.id);
  assertEquals([made.name, made.rpId, made.counter], ["Laptop", site.rpId, 1]);
  assertEquals((await listAuditEntries(store, { limit: 9 })).entries.length, 1);
  const { result } = await signInWith(scene);
  assert(result.type === "signed-in");
  assertEquals(result.user.id, user.id);
  const [used] = await listPasskeys(store, user.id);
  assertEquals([used.counter, used.lastUsedAtMs], [2, nowMs]);
});

testPasskeys(
  "only the owner's passkey signs in where providers are for everyone",
  async (scene) => {
    const { store, key } = scene;
    const signIn = async (localSignIn: "everyone" | "owner") => {
      const answer = await key.get(await assertionOptions({ store, site, nowMs }), site.origin);
      return (await signInByPasskey({ store, nowMs, localSignIn }, { answer, site })).type;
    };
    assertEquals([await signIn("owner"), await signIn("everyone")], ["refused", "signed-in"]);
  },
);

testPasskeys("a passkey's answer works once, and of two at the same time one", async (scene) => {
  const { use, result } = await signInWith(scene);
  assertEquals(result.type, "signed-in");
  assertEquals((await use()).type, "refused");
  const options = await assertionOptions({ ...scene, site, nowMs });
  const answer = await scene.key.get(options, site.origin);
  const services = { store: scene.store, nowMs };
  const racing = [1, 2, 3].map(() => signInByPasskey(services, { answer, site }));
  const types = (await Promise.all(racing)).map(({ type }) => type).sort();
  assertEquals(types, ["refused", "refused", "signed-in"]);
});

testPasskeys("a passkey's challenge ends after ten minutes", async (scene) => {
  const { result } = await signInWith(scene, { atMs: nowMs + 10 * 60_000 });
  assertEquals(result.type, "refused");
});

testPasskeys("a passkey signs for its own site alone", async (scene) => {
  assertEquals(
    (await signInWith(scene, { origin: "https://evil.example" })).result.type,
    "refused",
  );
  const other = { rpId: "other.example", origin: "https://other.example" };
  const options = await assertionOptions({ ...scene, site: other, nowMs });
  const answer = await scene.key.get(options, other.origin);
  const services = { store: scene.store, nowMs };
  assertEquals((await signInByPasskey(services, { answer, site: other })).type, "refused");
});

testPasskeys("a passkey that does not count on is a copy, and refused", async (scene) => {
  await signInWith(scene);
  scene.key.counter = 0;
  assertEquals((await signInWith(scene)).result.type, "refused");
  scene.key.counter = 1;
  assertEquals((await signInWith(scene)).result.type, "refused");
  scene.key.counter = 2;
  assertEquals((await signInWith(scene)).result.type, "signed-in");
});

testPasskeys(
  "of two signatures with one count, made at the same time, one is taken",
  async (scene) => {
    const answers: string[] = [];
    for (let copy = 0; copy < 2; copy++) {
      scene.key.counter = 1;
      const options = await assertionOptions({ ...scene, site, nowMs });
      answers.push(await scene.key.get(options, site.origin));
    }
    const services = { store: scene.store, nowMs };
    const racing = answers.map((answer) => signInByPasskey(services, { answer, site }));
    const types = (await Promise.all(racing)).map(({ type }) => type).sort();
    assertEquals(types, ["refused", "signed-in"]);
  },
);

testPasskeys("a passkey that never counts goes on working", async (scene) => {
  const { store } = scene;
  const [passkey] = await listPasskeys(store, user.id);
  await updatePasskey(store, passkey.id, (current) => ({ ...current, counter: 0 }));
  scene.key.counter = 0;
  assertEquals((await signInWith(scene)).result.type, "signed-in");
  assertEquals((await signInWith(scene)).result.type, "signed-in");
});

testPasskeys("a wrong signature is refused, and so is what is no answer", async (scene) => {
  const options = await assertionOptions({ ...scene, site, nowMs });
  const good = JSON.parse(await scene.key.get(options, site.origin));
  const other = await newAuthenticator();
  const theirs = JSON.parse(await other.get(options, site.origin));
  const forged = { ...good, response: { ...good.response, signature: theirs.response.signature } };
  const services = { store: scene.store, nowMs };
  const answers = [
    JSON.stringify(forged),
    JSON.stringify(theirs),
    "{}",
    "",
    "null",
    "x".repeat(1e6),
  ];
  for (const answer of answers) {
    assertEquals((await signInByPasskey(services, { answer, site })).type, "refused");
  }
});

testPasskeys(
  "a passkey of a disabled user, or one that was removed, opens nothing",
  async (scene) => {
    const { store } = scene;
    await updateUser(store, user.id, (current) => ({ ...current, enabled: false }));
    assertEquals((await signInWith(scene)).result.type, "refused");
    await updateUser(store, user.id, (current) => ({ ...current, enabled: true }));
    const [passkey] = await listPasskeys(store, user.id);
    assertEquals(await deletePasskey(store, passkey), true);
    assertEquals(await deletePasskey(store, passkey), false);
    assertEquals((await signInWith(scene)).result.type, "refused");
    assertEquals(await listPasskeys(store, user.id), []);
  },
);

testOnStores("registering wants the challenge of the same user, once", async (store) => {
  await createUser(store, user);
  const key = await newAuthenticator();
  assertEquals((await register(store, key, "https://evil.example")).type, "refused");
  const at = { store, site, nowMs };
  const answer = await key.create(await registrationOptions(at, user, "Tessera"), site.origin);
  const entered = { answer, name: "" };
  const other = sampleUser({ id: "usr_2", email: "b@example.com" });
  assertEquals((await registerPasskey(at, other, entered)).type, "refused");
  assertEquals(
    (await registerPasskey(at, user, entered)).type,
    "refused",
    "the challenge is used up",
  );
  const signIn = await key.create(
    { ...await assertionOptions(at), rp: { id: site.rpId } },
    site.origin,
  );
  assertEquals((await registerPasskey(at, user, { ...entered, answer: signIn })).type, "refused");
  assertEquals((await register(store, key)).type, "registered");
  assertEquals((await register(store, key)).type, "known");
  assertEquals((await listPasskeys(store, user.id)).length, 1);
});
