import { assert, assertEquals } from "@std/assert";
import {
  issuePasswordLink,
  openPasswordLink,
  Passwords,
  redeemPasswordLink,
  setPassword,
  signIn,
  signUp,
} from "../../lib/accounts/mod.ts";
import type { Settings } from "../../lib/store/catalog/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import {
  createUser,
  getUserByEmail,
  listSessions,
  listUsers,
  updateUser,
} from "../../lib/store/users/mod.ts";
import { cpuTimeMs } from "../cpu_time.ts";
import { sampleUser } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";

const password = "correct horse battery";
const nowMs = Date.now();
const open = { signUp: "open", signUpDomains: [] } as const;
const owner = sampleUser({ id: "owner", email: "owner@example.com", role: "administrator" });

interface Scene {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly join: (
    email: string,
    settings?: Pick<Settings, "signUp" | "signUpDomains">,
    at?: { ip?: string; nowMs?: number },
  ) => Promise<string>;
}

function testAccounts(name: string, run: (scene: Scene) => Promise<void>): void {
  testOnStores(name, async (store) => {
    const passwords = new Passwords();
    const join: Scene["join"] = async (email, settings = open, at = {}) => {
      const entered = { email, password, ip: at.ip };
      const services = { store, passwords, nowMs: at.nowMs ?? nowMs };
      return (await signUp(services, entered, { settings })).type;
    };
    try {
      await run({ store, passwords, join });
    } finally {
      passwords.close();
    }
  });
}

testAccounts(
  "signUp makes a member without money, where it is open",
  async ({ store, passwords, join }) => {
    assertEquals(await join("a@b.test", { ...open, signUp: "closed" }), "closed");
    assertEquals(await join("a@b.test", { ...open, signUp: "invitation" }), "closed");
    assertEquals(await join("nobody"), "invalid");
    assertEquals(await listUsers(store), []);
    assertEquals(await join(" Ada@B.test "), "joined");
    const user = await getUserByEmail(store, "ada@b.test");
    assertEquals([user?.role, user?.spending, user?.enabled], ["member", "prepaid", true]);
    const entered = { email: "ada@b.test", password };
    assertEquals((await signIn({ store, passwords, nowMs }, entered)).type, "signed-in");
  },
);

testAccounts(
  "signUp is refused at a domain whose addresses a provider assigns",
  async ({ store, passwords }) => {
    const join = async (email: string) =>
      (await signUp({ store, passwords, nowMs }, { email, password }, {
        settings: open,
        providers: [{ trustedDomains: ["acme.test"] }],
      })).type;
    assertEquals(await join("Ada@Acme.test"), "refused");
    assertEquals(await join("ada@b.test"), "joined");
  },
);

testAccounts(
  "signUp says the same of a taken address and of another domain",
  async ({ store, join }) => {
    const settings = { signUp: "open", signUpDomains: ["acme.test"] } as const;
    assertEquals(await join("a@acme.test", settings), "joined");
    assertEquals(await join("a@acme.test", settings), "refused");
    for (const email of ["a@b.test", "a@sub.acme.test", "a@notacme.test", "a@acme.test.evil"]) {
      assertEquals(await join(email, settings), "refused", email);
    }
    const racing = await Promise.all(
      [1, 2, 3].map(() => join("b@acme.test", settings, { ip: "10.0.0.1" })),
    );
    assertEquals(racing.sort(), ["joined", "refused", "refused"]);
    assertEquals((await listUsers(store)).length, 2);
  },
);

testAccounts("signUp takes as long for an address that has an account", async ({ store, join }) => {
  await createUser(store, sampleUser({ email: "taken@b.test" }));
  await join("warm@b.test");
  const timeOf = async (emails: readonly string[]) => {
    const started = cpuTimeMs();
    for (const email of emails) await join(email, open, { ip: `10.1.1.${email.length}` });
    return cpuTimeMs() - started;
  };
  const taken = await timeOf(Array(6).fill("taken@b.test"));
  const free = await timeOf([
    "1@b.test",
    "2@b.test",
    "3@b.test",
    "4@b.test",
    "5@b.test",
    "6@b.test",
  ]);
  assert(taken > free / 2 && taken < free * 2, `${taken} ms against ${free} ms`);
});

testAccounts("signUp makes an address wait that asks for many accounts", async ({ join }) => {
  const at = { ip: "203.0.113.7" };
  const types: string[] = [];
  for (let n = 0; n < 7; n++) types.push(await join(`${n}@b.test`, open, at));
  assertEquals(types, [...Array(5).fill("joined"), "wait", "wait"]);
  assertEquals(await join("c@b.test", open, { ip: "203.0.113.8" }), "joined");
  assertEquals(await join("d@b.test", open, { ...at, nowMs: nowMs + 60_000 }), "joined");
});

testAccounts(
  "a password link works once, and signs out everywhere",
  async ({ store, passwords }) => {
    await createUser(store, owner);
    await createUser(store, sampleUser());
    const user = (await updateUser(store, "usr_1", (one) => one)) ?? sampleUser();
    await setPassword({ store, passwords }, user.id, { password: "an old password" });
    const current = await getUserByEmail(store, user.email) ?? user;
    const token = await issuePasswordLink(store, { user: current, createdBy: "owner" }, nowMs);
    const services = { store, passwords, nowMs };
    await signIn(services, { email: user.email, password: "an old password" });
    assertEquals((await openPasswordLink(store, token, nowMs))?.id, user.id);
    assertEquals(await openPasswordLink(store, token, nowMs + 86_400_000), undefined);
    assertEquals(await openPasswordLink(store, "made up", nowMs), undefined);
    assertEquals(await redeemPasswordLink(services, { token, password: "short" }), undefined);
    const racing = await Promise.all(
      [1, 2, 3].map(() => redeemPasswordLink(services, { token, password })),
    );
    assertEquals(racing.filter((one) => one !== undefined).length, 1);
    assertEquals(await listSessions(store, user.id), []);
    assertEquals((await signIn(services, { email: user.email, password })).type, "signed-in");
  },
);

testAccounts(
  "a password link ends with the password that it was made for",
  async ({ store, passwords }) => {
    await createUser(store, owner);
    await createUser(store, sampleUser());
    const made = { user: sampleUser(), createdBy: "owner" };
    const token = await issuePasswordLink(store, made, nowMs);
    const services = { store, passwords, nowMs };
    assertEquals((await openPasswordLink(store, token, nowMs))?.id, "usr_1");
    await setPassword(services, "usr_1", { password: "another horse battery" });
    assertEquals(await openPasswordLink(store, token, nowMs), undefined);
    assertEquals(await redeemPasswordLink(services, { token, password }), undefined);
  },
);
