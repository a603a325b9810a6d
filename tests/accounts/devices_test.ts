import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { authorize } from "../../lib/accounts/authorize.ts";
import {
  accessLifetimeMs,
  admitDevice,
  deviceCodeLifetimeMs,
  type DeviceTokens,
  firstTokens,
  readDeviceCode,
  refreshTokens,
  refuseDevice,
  revokeDevice,
  startDevice,
} from "../../lib/accounts/mod.ts";
import { getApiKey, listApiKeys } from "../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../lib/store/audit/mod.ts";
import { createGroup } from "../../lib/store/catalog/mod.ts";
import { Directory } from "../../lib/store/directory/mod.ts";
import { digestOf, type Store } from "../../lib/store/mod.ts";
import { createUser, updateUser } from "../../lib/store/users/mod.ts";
import { withCommit } from "../store/failing_store.ts";
import { sampleGroup, sampleUser } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";

const startMs = Date.now();
const ip = "203.0.113.7";
const draft = { accountId: "usr_1", name: "laptop", groupId: "default", enabled: true };

interface Bench {
  readonly store: Store;
  readonly directory: Directory;
  /** The dependencies, some time after the start. */
  readonly at: (afterMs: number) => Parameters<typeof firstTokens>[0];
}

function testDevices(name: string, run: (bench: Bench) => Promise<void>): void {
  testOnStores(`devices: ${name}`, async (store) => {
    await createGroup(store, sampleGroup({ id: "default" }));
    await createUser(store, sampleUser());
    let clockMs = startMs;
    const directory = await Directory.load(store, { now: () => clockMs });
    const at = (afterMs: number) => {
      clockMs = startMs + afterMs;
      return { store, directory, nowMs: clockMs };
    };
    try {
      await run({ store, directory, at });
    } finally {
      await directory.close();
    }
  });
}

/** Signs a device in and returns its first tokens. */
async function signIn({ store, at }: Bench, name = "laptop") {
  const { deviceCode, userCode } = await startDevice(store, startMs);
  const code = await readDeviceCode(store, userCode, startMs) ?? "";
  const apiKey = await admitDevice(store, { code, draft: { ...draft, name } }, startMs);
  const tokens = await firstTokens(at(0), deviceCode);
  assert(apiKey && typeof tokens === "object");
  return { id: apiKey.id, code, deviceCode, tokens };
}

function calls({ directory }: Bench, { access }: DeviceTokens, afterMs: number) {
  return authorize(access, { ip, nowMs: startMs + afterMs }, directory);
}

testDevices(
  "a confirmed device acts as a key of its owner, until its token ends",
  async (bench) => {
    const { store, at } = bench;
    const { deviceCode, userCode } = await startDevice(store, startMs);
    assertMatch(userCode, /^([0-9A-Z]{4}-){2}[0-9A-Z]{4}$/);
    assertEquals(await firstTokens(at(0), deviceCode), "authorization_pending");
    const entered = ` ${userCode.toLowerCase().replaceAll("-", " ")}`;
    const code = await readDeviceCode(store, entered, startMs) ?? "";
    await admitDevice(store, { code, draft }, startMs);
    const tokens = await firstTokens(at(0), deviceCode);
    assert(typeof tokens === "object");
    assertEquals(tokens.email, "ada@example.com");
    const { key, group } = await calls(bench, tokens, accessLifetimeMs - 1);
    assertEquals([key.accountId, key.name, group.id], ["usr_1", "laptop", "default"]);
    await assertRejects(() => calls(bench, tokens, accessLifetimeMs), Error, "expired");
    const asKey = { ...tokens, access: tokens.refresh };
    await assertRejects(() => calls(bench, asKey, 0), Error, "Invalid API key");
  },
);

testDevices("a refused device gets no token, whatever is answered later", async ({ store, at }) => {
  const { deviceCode, userCode } = await startDevice(store, startMs);
  const code = await readDeviceCode(store, userCode, startMs) ?? "";
  assert(await refuseDevice(store, { code }, startMs));
  assertEquals(await admitDevice(store, { code, draft }, startMs), undefined);
  assertEquals(await firstTokens(at(0), deviceCode), "access_denied");
  assertEquals(await listApiKeys(store), []);
});

testDevices("a code works once: for one browser, and for one poll", async (bench) => {
  const { store, at } = bench;
  const { code, deviceCode } = await signIn(bench);
  const other = { ...draft, accountId: "usr_2", name: "other" };
  assertEquals(await admitDevice(store, { code, draft: other }, startMs), undefined);
  assertEquals(await firstTokens(at(0), deviceCode), "invalid_grant");
  const second = await startDevice(store, startMs);
  const read = await readDeviceCode(store, second.userCode, startMs) ?? "";
  const browsers = ["one", "two"].map((name) =>
    admitDevice(store, { code: read, draft: { ...draft, name } }, startMs)
  );
  assertEquals((await Promise.all(browsers)).filter((one) => one !== undefined).length, 1);
  const polls = [1, 2, 3].map(() => firstTokens(at(0), second.deviceCode));
  const got = await Promise.all(polls);
  assertEquals(got.filter((one) => typeof one === "object").length, 1);
});

testDevices("guessed, foreign and old codes are refused", async ({ store, at }) => {
  const { deviceCode, userCode } = await startDevice(store, startMs);
  const last = userCode.endsWith("0") ? "1" : "0";
  for (const entered of ["", "0000-0000-0000", userCode.slice(0, -1) + last, `${userCode}0`]) {
    assertEquals(await readDeviceCode(store, entered, startMs), undefined, entered);
  }
  const lateMs = startMs + 2 * deviceCodeLifetimeMs;
  assertEquals(await readDeviceCode(store, userCode, lateMs), undefined);
  assertEquals(await firstTokens(at(deviceCodeLifetimeMs), deviceCode), "expired_token");
  const codes = await Promise.all([1, 2, 3].map(() => startDevice(store, startMs)));
  assertEquals(new Set(codes.map((one) => one.userCode)).size, 3);
  for (const forged of ["", "tsc1.0.0", deviceCode.slice(0, -2), userCode]) {
    assertEquals(await firstTokens(at(0), forged), "invalid_grant", forged);
  }
});

testDevices("a refresh renews both tokens; the former one of access ends soon", async (bench) => {
  const { tokens, id } = await signIn(bench);
  const next = await refreshTokens(bench.at(1_000), tokens.refresh);
  assert(typeof next === "object");
  assertNotEquals([next.access, next.refresh], [tokens.access, tokens.refresh]);
  assertEquals((await calls(bench, next, 2_000)).key.id, id);
  assertEquals((await calls(bench, tokens, 2_000)).key.id, id);
  bench.at(6 * 60_000);
  await assertRejects(() => calls(bench, tokens, 6 * 60_000), Error, "Invalid API key");
  const idle = await refreshTokens(bench.at(31 * 24 * 60 * 60_000), next.refresh);
  assertEquals(idle, "invalid_grant");
});

testDevices("a replayed refresh token ends the device, with an entry", async (bench) => {
  const { tokens, id } = await signIn(bench);
  const next = await refreshTokens(bench.at(1_000), tokens.refresh);
  assert(typeof next === "object");
  assertEquals(await refreshTokens(bench.at(2_000), tokens.refresh), "invalid_grant");
  await assertRejects(() => calls(bench, next, 2_000), Error, "Invalid API key");
  assertEquals(await refreshTokens(bench.at(3_000), next.refresh), "invalid_grant");
  assertEquals(await getApiKey(bench.store, id), undefined);
  const { entries: [entry] } = await listAuditEntries(bench.store, { limit: 1 });
  assertEquals([entry.action, entry.targetId, entry.actorId], ["deleted", id, "usr_1"]);
});

testDevices("of refreshes at the same time, the second is a replay", async (bench) => {
  const { tokens, id } = await signIn(bench);
  const got = await Promise.all([1, 2].map(() => refreshTokens(bench.at(1_000), tokens.refresh)));
  assert(got.includes("invalid_grant"));
  assertEquals(await getApiKey(bench.store, id), undefined);
});

testDevices("a refresh whose commit is reported as failed is no replay", async (bench) => {
  const { tokens, id } = await signIn(bench);
  let commits = 0;
  const store = withCommit(bench.store, async (commit) => {
    const result = await commit();
    return commits++ === 0 ? { ok: false } : result;
  });
  const next = await refreshTokens({ ...bench.at(1_000), store }, tokens.refresh);
  assert(typeof next === "object" && commits === 2);
  const { digest, previous } = await getApiKey(bench.store, id) ?? {};
  assertEquals([digest, previous?.digest], [next.access, tokens.access].map(digestOf));
});

testDevices("a forged refresh token ends nothing", async (bench) => {
  const { tokens, id, deviceCode } = await signIn(bench);
  for (const forged of ["", id, tokens.access, deviceCode, `${tokens.refresh}x`]) {
    assertEquals(await refreshTokens(bench.at(0), forged), "invalid_grant");
    await revokeDevice(bench.at(0), forged);
  }
  assertEquals((await calls(bench, tokens, 0)).key.id, id);
});

testDevices("a device ends with its account, and by signing out", async (bench) => {
  const { tokens, id } = await signIn(bench);
  await updateUser(bench.store, "usr_1", (user) => ({ ...user, enabled: false }));
  await assertRejects(() => calls(bench, tokens, 0), Error, "disabled");
  assertEquals(await refreshTokens(bench.at(0), tokens.refresh), "invalid_grant");
  await updateUser(bench.store, "usr_1", (user) => ({ ...user, enabled: true }));
  assertEquals((await calls(bench, tokens, 0)).key.id, id);
  await revokeDevice(bench.at(0), tokens.refresh);
  await assertRejects(() => calls(bench, tokens, 0), Error, "Invalid API key");
});
