import { assert, assertEquals, assertLess, assertRejects } from "@std/assert";
import {
  newKnownDevice,
  Passwords,
  proveIdentity,
  signIn,
  startSession,
} from "../../lib/accounts/mod.ts";
import { Store } from "../../lib/store/mod.ts";
import { getUserByEmail } from "../../lib/store/users/mod.ts";
import { restarted, testOnStores, withMemoryStore, withTempStore } from "../store/temp_store.ts";
import { addAccount } from "./add_account.ts";

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
  const entered = { email, password, role: "administrator" } as const;
  const { id } = await addAccount({ store, passwords }, entered, startMs);
  passwords.close();
  return { device: await newKnownDevice(store, id) };
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

/** A new address for each attempt. */
const addressOf = (n: number) => `198.${18 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;

for (const  of of[email, "nobody@example.com"]) {
  Deno.test(`10,000 wrong passwords for ${of} from as many addresses: few are checked`, async () => {
    await withMemoryStore(async (store) => {
      const { device } = await addOwner(store);
      const attempt = attemptOn(store);
      let [nowMs, checked] = [startMs, 0];
      const inHour: number[] = [];
      for (let n = 0; n < wrongPasswords; n++) {
        const from = { email: of, password: `guess ${n}`, ip: addressOf(n) };
        const result = await signIn({ store, passwords: quick, nowMs }, from);
        assert(result.type === "refused" || result.type === "wait");
        if (result.type === "refused") {
          checked++;
          const hour = Math.floor((nowMs - startMs) / 3_600_000);
          inHour[hour] = (inHour[hour] ?? 0) + 1;
        }
        nowMs += 10_000;
        if (n % 2_500 !== 2_499) continue;
        const own = await attempt(password, { nowMs, ip: addressOf(n), device });
        assertEquals(own.type, "signed-in", "the owner's own browser");
      }
      assert(inHour[0] >= 20 && Math.max(...inHour) <= 40, `in each hour: ${inHour}`);
      assertLess(checked, 220, "in 28 hours");
      const elsewhere = { email: of, password, ip: "198.51.100.7" };
      const at = (laterMs: number) => ({ store, passwords: quick, nowMs: nowMs + laterMs });
      assertEquals((await signIn(at(0), elsewhere)).type, "wait", "a new browser, meanwhile");
      const later = await signIn(at(15 * 60_000), elsewhere);
      assertEquals(later.type, of === email ? "signed-in" : "refused", "once the others stop");
    });
  });
}

Deno.test("150 guesses in a minute from as many addresses get the same answers, with and without an account", async () => {
  await withMemoryStore(async (store) => {
    await addOwner(store);
    const answers = async (of: string) => {
      const results: unknown[] = [];
      for (let n = 0; n < 150; n++) {
        const from = { email: of, password: "guess guess", ip: addressOf(n) };
        results.push(await signIn({ store, passwords: quick, nowMs: startMs + n * 387 }, from));
      }
      return results;
    };
    const [known, unknown] = [await answers(email), await answers("nobody@example.com")];
    assertEquals(known, unknown);
    const refused = known.filter((one) => (one as { type: string }).type === "refused");
    assertLess(refused.length, 30, "checked in a minute");
  });
});

Deno.test("the owner's own sign-ins in new browsers give a guesser no further guesses", async () => {
  await withMemoryStore(async (store) => {
    await addOwner(store);
    const attempt = attemptOn(store);
    let checked = 0;
    for (let minute = 0; minute < 60; minute++) {
      const nowMs = startMs + minute * 60_000;
      for (let n = 0; n < 19; n++) {
        const { type } = await attempt("guess", { nowMs, ip: addressOf(minute * 19 + n) });
        if (type === "refused") checked++;
      }
      await attempt(password, { nowMs, ip: `192.0.2.${minute}` });
    }
    assertLess(checked, 100, "in an hour");
  });
});

testOnStores(
  "guesses from elsewhere do not delay a confirmation of who is signed in",
  async (store) => {
    await addOwner(store);
    const user = await getUserByEmail(store, email);
    assert(user !== undefined);
    const { session } = await startSession(store, user, { nowMs: startMs });
    const guess = attemptOn(store);
    for (let n = 0; n < 30; n++) await guess("guess", { nowMs: startMs, ip: addressOf(n) });
    const who = { user, session, ip: "198.51.100.7" };
    const services = { store, passwords: quick, nowMs: startMs };
    assertEquals(
      (await proveIdentity(services, who, { type: "password", password })).type,
      "proved",
    );
  },
);

testOnStores("slips in new browsers are forgotten with time", async (store) => {
  await addOwner(store);
  const attempt = attemptOn(store);
  for (let day = 0; day < 60; day++) {
    const [nowMs, ip] = [startMs + day * 20 * 3_600_000, addressOf(day)];
    assertEquals((await attempt("slip", { nowMs, ip })).type, "refused");
    assertEquals((await attempt(password, { nowMs, ip })).type, "signed-in", `day ${day}`);
  }
});

Deno.test("guesses at several isolates of one store share the account's limit", async () => {
  await withTempStore(async (store) => {
    await addOwner(store);
    const stores = Array.from({ length: 4 }, () => restarted(store));
    const results = await Promise.all(
      Array.from(
        { length: 200 },
        (_, n) =>
          attemptOn(stores[n % stores.length])("guess", { nowMs: startMs, ip: addressOf(n) }),
      ),
    );
    assertEquals(results.filter(({ type }) => type === "refused").length, 20);
  });
});

Deno.test("guesses for names that do not exist are kept for minutes only", async () => {
  await withMemoryStore(async (store) => {
    const kept: number[] = [];
    const spied = expirySpy(store, kept);
    for (let n = 0; n < 50; n++) {
      const from = { email: `nobody${n}@example.com`, password, ip: addressOf(n) };
      await signIn({ store: spied, passwords: quick, nowMs: startMs }, from);
    }
    const byLength = Map.groupBy(kept, (ms) => ms);
    assertEquals(byLength.get(10 * 60_000)?.length, 50, "the account's bucket");
  });
});

/** The same store, which notes how long each value is kept. */
function expirySpy({ kv, ...options }: Store, kept: number[]): Store {
  const atomic = () => {
    const operation = kv.atomic();
    const set = operation.set.bind(operation);
    operation.set = (key, value, about) => {
      kept.push(about?.expireIn ?? Infinity);
      return set(key, value, about);
    };
    return operation;
  };
  const get = (_: Store["kv"], name: keyof Store["kv"]) => {
    if (name === "atomic") return atomic;
    const value = kv[name];
    return typeof value === "function" ? value.bind(kv) : value;
  };
  return new Store(new Proxy(kv, { get } as ProxyHandler<Store["kv"]>), options); // every name is a key
}

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
    const guess = (n: number) => {
      const from = { email: `${n}@example.com`, password: "guess guess", ip: addressOf(n) };
      return signIn({ store, passwords, nowMs: startMs }, from).catch(() => "busy");
    };
    const flood = Array.from({ length: 150 }, (_, n) => guess(n));
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
