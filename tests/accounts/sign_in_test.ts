import { assert, assertEquals } from "@std/assert";
import { openSession, Passwords, signIn, type SignInResult } from "../../lib/accounts/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getUser, updateUser } from "../../lib/store/users/mod.ts";
import { testOnStores } from "../store/temp_store.ts";
import { addAccount } from "./add_account.ts";

const right = { email: "Ada@example.com ", password: "correct horse", ip: "203.0.113.7" };
const wrong = { ...right, password: "wrong horse" };

interface Scene {
  readonly store: Store;
  readonly userId: string;
  attempt(at: { nowMs: number }, entered: typeof right): Promise<SignInResult>;
}

function testSignIn(name: string, run: (scene: Scene) => Promise<void>): void {
  testOnStores(name, async (store) => {
    const passwords = new Passwords();
    try {
      const entered = { email: right.email, password: right.password, role: "member" as const };
      const { id: userId } = await addAccount({ store, passwords }, entered, 1);
      await run({
        store,
        userId,
        attempt: ({ nowMs }, entered) => signIn({ store, passwords, nowMs }, entered),
      });
    } finally {
      passwords.close();
    }
  });
}

testSignIn(
  "signIn opens a session that the token, and nothing else, opens",
  async ({ store, attempt }) => {
    const nowMs = Date.now();
    const result = await attempt({ nowMs }, right);
    assert(result.type === "signed-in");
    assertEquals(result.user.email, "ada@example.com");
    assert(result.token.length >= 43 && result.session.digest !== result.token);
    assertEquals((await openSession(store, result.token, { nowMs }))?.user.id, result.user.id);
    assertEquals(await openSession(store, result.session.digest, { nowMs }), undefined);
    assertEquals(await openSession(store, "", { nowMs }), undefined);
  },
);

testSignIn(
  "signIn says the same for an unknown user, a wrong password and a disabled user",
  async (scene) => {
    const { store, userId, attempt } = scene;
    const answers = [
      await attempt({ nowMs: 1 }, wrong),
      await attempt({ nowMs: 1 }, { ...right, email: "nobody@example.com" }),
      await attempt({ nowMs: 1 }, { ...right, email: "x".repeat(100_000) }),
      await attempt({ nowMs: 1 }, { ...right, email: "" }),
      await attempt({ nowMs: 1 }, { ...right, password: "x".repeat(1_000_000) }),
    ];
    await updateUser(store, userId, (user) => ({ ...user, enabled: false }));
    answers.push(await attempt({ nowMs: 1 }, right));
    for (const answer of answers) {
      assertEquals(answer, {
        type: "refused",
        message: "The e-mail address or the password is wrong",
      });
    }
  },
);

testSignIn(
  "signIn makes who slips wait, longer each time, but never for good",
  async ({ attempt }) => {
    let nowMs = Date.now();
    for (let slip = 0; slip < 5; slip++) {
      assertEquals(
        (await attempt({ nowMs }, wrong)).type,
        "refused",
      );
    }
    const waits: number[] = [];
    for (let slip = 0; slip < 14; slip++) {
      const answer = await attempt({ nowMs }, right);
      assert(answer.type === "wait");
      assertEquals(answer.message.startsWith("Too many attempts. Try again in "), true);
      waits.push(answer.retryAfterSeconds);
      nowMs += answer.retryAfterSeconds * 1_000;
      assertEquals((await attempt({ nowMs }, wrong)).type, "refused");
    }
    assertEquals(waits.slice(0, 5), [1, 2, 4, 8, 16]);
    assertEquals(waits.at(-1), 900);
    nowMs += 900_000;
    assertEquals((await attempt({ nowMs }, right)).type, "signed-in");
    assertEquals((await attempt({ nowMs }, wrong)).type, "refused");
    assertEquals((await attempt({ nowMs }, right)).type, "signed-in");
  },
);

testSignIn("signIn holds up neither other places nor other accounts", async ({ attempt }) => {
  for (let slip = 0; slip < 6; slip++) await attempt({ nowMs: 1 }, wrong);
  assertEquals((await attempt({ nowMs: 1 }, right)).type, "wait");
  assertEquals((await attempt({ nowMs: 1 }, { ...right, ip: "203.0.113.8" })).type, "signed-in");
  assertEquals((await attempt({ nowMs: 1 }, { ...wrong, email: "b@b.test" })).type, "refused");
});

testSignIn("signIn counts attempts that run at the same time", async ({ attempt }) => {
  const racing = Array.from({ length: 20 }, () => attempt({ nowMs: 1 }, wrong));
  const types = (await Promise.all(racing)).map(({ type }) => type);
  assertEquals(types.filter((type) => type === "refused").length, 5);
  assertEquals(types.filter((type) => type === "wait").length, 15);
});

testSignIn("signIn stops a list of names tried from one public network", async ({ attempt }) => {
  const types: string[] = [];
  for (let name = 0; name < 32; name++) {
    const entered = { ...wrong, email: `${name}@b.test`, ip: `2001:db8::${name + 1}` };
    types.push((await attempt({ nowMs: 1 }, entered)).type);
  }
  assertEquals(types.filter((type) => type === "refused").length, 30);
  assertEquals(types.at(-1), "wait");
});

/** `horse battery`, hashed by libxcrypt. */
const bcryptHash = "$2b$10$c8vxUQeJzL7cIyZAI4WQgO7bIU7Qw2BE7t0sR/3fzb1mFcE.11AtO";

testSignIn(
  "signIn replaces an imported hash of bcrypt once its password is right",
  async ({ store, userId, attempt }) => {
    await updateUser(store, userId, (user) => ({ ...user, passwordHash: bcryptHash }));
    const entered = { ...right, password: "horse battery" };
    const nowMs = Date.now();
    for (const password of ["horse batterz", "horse battery".padEnd(80, "x"), right.password]) {
      assertEquals((await attempt({ nowMs }, { ...right, password })).type, "refused");
    }
    assertEquals((await getUser(store, userId))?.passwordHash, bcryptHash);
    const first = await attempt({ nowMs: nowMs + 60_000 }, entered);
    assertEquals(first.type, "signed-in");
    const hash = (await getUser(store, userId))?.passwordHash;
    assert(hash?.startsWith("$argon2id$"));
    assertEquals((await attempt({ nowMs: nowMs + 120_000 }, entered)).type, "signed-in");
    assertEquals((await getUser(store, userId))?.passwordHash, hash);
  },
);
