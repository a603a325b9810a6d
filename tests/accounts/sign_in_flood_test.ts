import { assert, assertEquals, assertLess, assertRejects } from "@std/assert";
import { addAccount, newKnownDevice, Passwords, signIn } from "../../lib/accounts/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getUserByEmail } from "../../lib/store/users/mod.ts";
import { testOnStores, withMemoryStore } from "../store/temp_store.ts";

const email = "owner@example.com";
const password = "correct horse battery";
const attackerIp = "203.0.113.66";
const startMs = Date.UTC(2026, 10, 21);
const wrongPasswords = 10_000;

/** Replaces argon2: these tests count attempts, not milliseconds. */
const quick = {
  verify: (entered: string) => Promise.resolve(entered === password),
  hash: () => Promise.reject(new Error("no hash is replaced")),
};

interface From {
  readonly nowMs: number;
  readonly ip: string;
  readonly device?: string;
}

function attemptOn(store: Store, passwords: Pick<Passwords, "hash" | "verify"> = quick) {
  return (entered: string, { nowMs, ...from }: From) =>
    signIn({ store, passwords, nowMs }, { email, password: entered, ...from });
}

async function addOwner(store: Store): Promise<{ readonly device: string }> {
  const passwords = new Passwords();
  await addAccount({ store, passwords }, { email, password, role: "administrator" }, startMs);
  passwords.close();
  const user = await getUserByEmail(store, email);
  return { device: await newKnownDevice(store, user?.id ?? "") };
}

Deno.test("10,000 wrong passwords from one address: few are checked, and the owner comes in", async () => {
  await withMemoryStore(async (store) => {
    const { device } = await addOwner(store);
    const attempt = attemptOn(store);
    let [nowMs, checked, longestWait] = [startMs, 0, 0];
    for (let n = 0; n < wrongPasswords; n++) {
      const result = await attempt(`guess ${n}`, { nowMs, ip: attackerIp });
      assert(result.type === "refused" || result.type === "wait");
      if (result.type === "refused") checked++;
      else longestWait = Math.max(longestWait, result.retryAfterSeconds);
      nowMs += 10_000;
      if (n % 2_500 === 2_499) {
        const own = await attempt(password, { nowMs, ip: attackerIp, device });
        assertEquals(own.type, "signed-in", "the owner's own browser, behind the same address");
        const elsewhere = await attempt(password, { nowMs, ip: "198.51.100.7" });
        assertEquals(elsewhere.type, "signed-in", "a new browser elsewhere");
      }
    }
    assert(longestWait > 14 * 60 && longestWait <= 15 * 60, `${longestWait} s`);
    assertLess(checked, 150, "in 28 hours");
    nowMs += 15 * 60_000;
    const later = await attempt(password, { nowMs, ip: attackerIp });
    assertEquals(later.type, "signed-in", "a new browser at the attacker's address, once it stops");
  });
});

Deno.test("10,000 wrong passwords from as many addresses do not keep the owner out", async () => {
  await withMemoryStore(async (store) => {
    const { device } = await addOwner(store);
    const attempt = attemptOn(store);
    for (let n = 0; n < wrongPasswords; n++) {
      const ip = `198.18.${n >> 8}.${n & 255}`;
      assertEquals((await attempt("guess", { nowMs: startMs, ip })).type, "refused");
    }
    const ip = "198.51.100.7";
    assertEquals((await attempt(password, { nowMs: startMs, ip, device })).type, "signed-in");
    assertEquals((await attempt(password, { nowMs: startMs, ip })).type, "signed-in");
  });
});

testOnStores("a known browser has waits of its own, and those of nobody else", async (store) => {
  const { device } = await addOwner(store);
  const attempt = attemptOn(store);
  const from = { nowMs: startMs, ip: attackerIp };
  for (let n = 0; n < 5; n++) await attempt("slip", { ...from, device });
  assertEquals((await attempt(password, { ...from, device })).type, "wait");
  assertEquals(
    (await attempt(password, from)).type,
    "signed-in",
    "its slips are not the address's",
  );
  const other = await newKnownDevice(store, "usr_other");
  for (let n = 0; n < 6; n++) await attempt("guess", { ...from, device: other });
  const stolen = await attempt(password, { ...from, device: other });
  assertEquals(stolen.type, "wait", "another account's browser is none of this one's");
  assertEquals((await attempt(password, { ...from, device: "v1.a.b" })).type, "wait");
});

testOnStores("a flood that fills the queue of real checks lets who is known in", async (store) => {
  const { device } = await addOwner(store);
  const passwords = new Passwords();
  try {
    const attempt = attemptOn(store, passwords);
    const flood = Array.from(
      { length: 150 },
      (_, n) => attempt("guess guess", { nowMs: startMs, ip: `198.18.0.${n}` }).catch(() => "busy"),
    );
    const own = attempt(password, { nowMs: startMs, ip: attackerIp, device });
    const results = await Promise.all(flood);
    assert(results.filter((one) => one === "busy").length > 0, "the flood fills the queue");
    assertEquals((await own).type, "signed-in");
  } finally {
    passwords.close();
  }
});

Deno.test("a password that is not checked under load counts against nobody and stores nothing", async () => {
  await withMemoryStore(async (store) => {
    await addOwner(store);
    const busy = { ...quick, verify: () => Promise.reject(new Error("too many at once")) };
    const from = { nowMs: startMs, ip: "127.0.0.1" };
    for (let n = 0; n < 20; n++) {
      const other = { email: `${n}@example.com`, password, ip: attackerIp };
      await assertRejects(() => signIn({ store, passwords: busy, nowMs: startMs }, other));
      await assertRejects(() => attemptOn(store, busy)(password, from));
    }
    const left = await Array.fromAsync(store.kv.list({ prefix: ["sign_in_attempts"] }));
    assertEquals(left, []);
    assertEquals((await attemptOn(store)(password, from)).type, "signed-in");
  });
});
