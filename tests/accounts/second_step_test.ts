import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Secret, TOTP } from "otpauth";
import {
  beginSecondStep,
  confirmSecondStep,
  isProved,
  openEnrolment,
  Passwords,
  proveIdentity,
  renewRecoveryCodes,
  resetSecondStep,
  setPassword,
  signIn,
  signInByCode,
  totpAddress,
} from "../../lib/accounts/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getSession, getTotp, listSessions } from "../../lib/store/users/mod.ts";
import { testOnStores } from "../store/temp_store.ts";
import { addAccount } from "./add_account.ts";

const stepMs = 30_000;
const startMs = Math.floor(Date.now() / stepMs) * stepMs;
const email = "ada@example.com";
const password = "correct horse";
const ip = "203.0.113.7";

interface Scene {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly userId: string;
  readonly codes: readonly string[];
  /** The app's code at a moment. */
  readonly codeAt: (nowMs: number) => string;
  readonly pendingAt: (nowMs: number) => Promise<string>;
  readonly enter: (
    code: string,
    at: { nowMs: number; pending?: string; ip?: string; device?: string },
  ) => ReturnType<typeof signInByCode>;
}

function testSecondStep(name: string, run: (scene: Scene) => Promise<void>): void {
  testOnStores(name, async (store) => {
    const passwords = new Passwords();
    try {
      await run(await sceneOf(store, passwords));
    } finally {
      passwords.close();
    }
  });
}

async function sceneOf(store: Store, passwords: Passwords): Promise<Scene> {
  const entered = { email, password, role: "member" } as const;
  const { id: userId } = await addAccount({ store, passwords }, entered, 1);
  const { secret } = await beginSecondStep(store, userId, startMs);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeAt = (nowMs: number) => totp.generate({ timestamp: nowMs });
  const code = codeAt(startMs);
  const on = await confirmSecondStep(store, { userId, secret, code }, startMs);
  const pendingAt = async (nowMs: number) => {
    const result = await signIn({ store, passwords, nowMs }, { email, password, ip });
    return result.type === "second-step" ? result.pending : "";
  };
  return {
    store,
    passwords,
    userId,
    codes: on.type === "on" ? on.codes : [],
    codeAt,
    pendingAt,
    enter: async (code, { nowMs, pending, ...from }) =>
      signInByCode({ store, nowMs }, {
        ip,
        ...from,
        code,
        pending: pending ?? await pendingAt(nowMs),
      }),
  };
}

testSecondStep("a right password asks for the code, which opens a session", async (scene) => {
  const { store, userId, enter, codeAt } = scene;
  const nowMs = startMs + stepMs;
  assertEquals(await listSessions(store, userId), []);
  const result = await enter(` ${codeAt(nowMs).slice(0, 3)} ${codeAt(nowMs).slice(3)}`, { nowMs });
  assert(result.type === "signed-in");
  assertEquals(result.user.id, userId);
  const totp = await getTotp(store, userId);
  assert(!JSON.stringify(totp).includes(codeAt(nowMs)));
  assertMatch(totp?.sealedSecret ?? "", /^v1\./);
});

testSecondStep("a code is taken once, and none from before it", async ({ enter, codeAt }) => {
  assertEquals((await enter(codeAt(startMs), { nowMs: startMs })).type, "refused", "it enrolled");
  const nowMs = startMs + 3 * stepMs;
  assertEquals((await enter(codeAt(nowMs), { nowMs })).type, "signed-in");
  assertEquals((await enter(codeAt(nowMs), { nowMs })).type, "refused");
  assertEquals((await enter(codeAt(nowMs - stepMs), { nowMs })).type, "refused");
  assertEquals((await enter(codeAt(nowMs + stepMs), { nowMs })).type, "signed-in", "a fast clock");
  const later = nowMs + 10 * stepMs;
  assertEquals((await enter(codeAt(later - 2 * stepMs), { nowMs: later })).type, "refused");
});

testSecondStep("of many who enter one code at the same time, one gets in", async (scene) => {
  const nowMs = startMs + stepMs;
  const pending = await scene.pendingAt(nowMs);
  const code = scene.codeAt(nowMs);
  const racing = Array.from({ length: 4 }, () => scene.enter(code, { nowMs, pending }));
  const types = (await Promise.all(racing)).map(({ type }) => type);
  assertEquals(types.filter((type) => type === "signed-in").length, 1);
});

testSecondStep("each recovery code works once, however it is typed", async (scene) => {
  const { store, userId, codes, enter } = scene;
  assertEquals([codes.length, new Set(codes).size], [10, 10]);
  assertMatch(codes[0], /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  const typed = codes[0].toLowerCase().replaceAll("-", " ").replaceAll("0", "o");
  assertEquals((await enter(typed, { nowMs: startMs })).type, "signed-in");
  assertEquals((await enter(codes[0], { nowMs: startMs })).type, "refused");
  assertEquals((await getTotp(store, userId))?.recoveryDigests.length, 9);
  assert(!JSON.stringify(await getTotp(store, userId)).includes(codes[1].replaceAll("-", "")));
  const renewed = await renewRecoveryCodes(store, userId) ?? [];
  assertEquals((await enter(codes[1], { nowMs: startMs })).type, "refused");
  assertEquals((await enter(renewed[1], { nowMs: startMs })).type, "signed-in");
});

testSecondStep("wrong codes make one wait, also from ever new addresses", async (scene) => {
  const { enter, codeAt, pendingAt } = scene;
  const pending = await pendingAt(startMs);
  const types: string[] = [];
  for (let n = 0; n < 12; n++) {
    const from = { nowMs: startMs, pending, ip: `198.51.100.${n}` };
    types.push((await enter("000000", from)).type);
  }
  assertEquals(types, [...Array(10).fill("refused"), "wait", "wait"]);
  const right = codeAt(startMs + stepMs);
  const elsewhere = { nowMs: startMs + 500, pending, ip: "198.51.100.99" };
  assertEquals((await enter(right, elsewhere)).type, "wait");
  assertEquals((await enter(right, { ...elsewhere, nowMs: startMs + 1_000 })).type, "signed-in");
});

testSecondStep("who signed in here before is not held up by others' wrong codes", async (scene) => {
  const { enter, codeAt, pendingAt } = scene;
  const nowMs = startMs + stepMs;
  const first = await enter(codeAt(nowMs), { nowMs });
  assert(first.type === "signed-in");
  const pending = await pendingAt(nowMs);
  for (let n = 0; n < 12; n++) await enter("000000", { nowMs, pending });
  const next = codeAt(nowMs + stepMs);
  assertEquals((await enter(next, { nowMs, pending })).type, "wait");
  assertEquals((await enter(next, { nowMs, pending, device: first.device })).type, "signed-in");
});

testSecondStep(
  "a right password waits for its code ten minutes, and for no other password",
  async (scene) => {
    const { store, passwords, userId, enter, codeAt, pendingAt } = scene;
    const pending = await pendingAt(startMs);
    const late = startMs + 10 * 60_000;
    assertEquals((await enter(codeAt(late), { nowMs: late, pending })).type, "gone");
    assertEquals((await enter("1", { nowMs: startMs, pending: "v1.x.y" })).type, "gone");
    await setPassword({ store, passwords }, userId, { password: "another horse" });
    const nowMs = startMs + stepMs;
    assertEquals((await enter(codeAt(nowMs), { nowMs, pending })).type, "gone");
  },
);

testSecondStep("a reset takes codes away and ends the sessions", async (scene) => {
  const { store, passwords, userId, enter, codes } = scene;
  await enter(codes[0], { nowMs: startMs });
  assertEquals((await listSessions(store, userId)).length, 1);
  await resetSecondStep(store, userId);
  assertEquals([await getTotp(store, userId), await listSessions(store, userId)], [undefined, []]);
  const result = await signIn({ store, passwords, nowMs: startMs }, { email, password, ip });
  assertEquals(result.type, "signed-in");
});

testSecondStep(
  "a proof by code or password is noted, a wrong one makes one wait",
  async (scene) => {
    const { store, passwords, codes, enter } = scene;
    const signedIn = await enter(codes[0], { nowMs: startMs });
    assert(signedIn.type === "signed-in");
    const { user, session } = signedIn;
    const nowMs = startMs + 5 * 60_000;
    assertEquals([isProved(session, nowMs - 1), isProved(session, nowMs)], [true, false]);
    const services = { store, passwords, nowMs };
    const wrong = { type: "password", password: "wrong horse" } as const;
    const who = { user, session, ip };
    assertEquals((await proveIdentity(services, who, wrong)).type, "refused");
    assertEquals(
      (await proveIdentity(services, who, { type: "code", code: codes[0] })).type,
      "refused",
    );
    assertEquals(
      (await proveIdentity(services, who, { type: "code", code: codes[1] })).type,
      "proved",
    );
    const proved = await getSession(store, session.digest);
    assertEquals(proved?.provedAtMs, nowMs);
    for (let n = 0; n < 4; n++) await proveIdentity(services, who, wrong);
    assertEquals((await proveIdentity(services, who, { type: "password", password })).type, "wait");
  },
);

testOnStores("an enrolment is its user's own, for half an hour, once", async (store) => {
  const { secret, sealed } = await beginSecondStep(store, "usr_1", startMs);
  const open = (userId: string, nowMs: number) => openEnrolment(store, { userId, sealed }, nowMs);
  assertEquals(await open("usr_1", startMs + 1), secret);
  assertEquals(await open("usr_2", startMs + 1), undefined);
  assertEquals(await open("usr_1", startMs + 30 * 60_000), undefined);
  const entered = { userId: "usr_1", secret, code: "000 00" };
  assertEquals(await confirmSecondStep(store, entered, startMs), { type: "wrong" });
  assertEquals(await getTotp(store, "usr_1"), undefined);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: startMs });
  assertEquals((await confirmSecondStep(store, { ...entered, code }, startMs)).type, "on");
  assertEquals((await confirmSecondStep(store, { ...entered, code }, startMs)).type, "exists");
});

Deno.test("the address for apps names the site and the account", async () => {
  const address = await totpAddress("JBSWY3DPEHPK3PXP", { email, siteName: "Acme: models" });
  assertMatch(address, /^otpauth:\/\/totp\//);
  const url = new URL(address);
  assertEquals(url.searchParams.get("secret"), "JBSWY3DPEHPK3PXP");
  assertStringIncludes(decodeURIComponent(url.pathname), email);
});
