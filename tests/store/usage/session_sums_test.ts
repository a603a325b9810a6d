import { assertEquals } from "@std/assert";
import { keySessions, sessionUsage } from "../../../lib/ledger/mod.ts";
import type { CallSession } from "../../../lib/store/log/mod.ts";
import { compactRows, verifyLog } from "../../../lib/store/settling/mod.ts";
import {
  eachSessionHour,
  pruneRollups,
  readCounts,
  type RollupSubject,
  subjects,
} from "../../../lib/store/usage/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { leaveRows } from "../log/log_rows.ts";
import { baseMs, requestIdOf } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores, withMemoryStore } from "../temp_store.ts";

const dayMs = 86_400_000;

/** A call of a key, some days ago, for a billionth of a dollar per `n`. */
function rowOf(n: number, keyId: string, days: number, session?: CallSession) {
  const atMs = baseMs - days * dayMs;
  const at = { id: requestIdOf(atMs, n), atMs, upstreamId: "up" };
  const call = { ...at, keyId, model: "a/model", costNanoUsd: BigInt(n) };
  return sampleRow(n, { ...call, ...(session && { session }) });
}

async function sumOf(store: Store, subject: RollupSubject) {
  const all = { step: "hour", fromMs: 0, toMs: baseMs + dayMs } as const;
  const points = await readCounts(store, subject, all);
  return points.reduce(
    ([calls, cost], { sum }) => [calls + sum.requests, cost + Number(sum.costNanoUsd)],
    [0, 0],
  );
}

/** The calls and the cost of a session of a key; of all of its sessions without one. */
async function sessionSum(store: Store, keyId: string, id?: string) {
  const hours = await Array.fromAsync(eachSessionHour(store, keyId, id));
  return hours.reduce(
    ([calls, cost], { sum }) => [calls + sum.requests, cost + Number(sum.costNanoUsd)],
    [0, 0],
  );
}

/** The sessions, sub-agents, classes and models of a key that have sums. */
async function namesOf(store: Store, keyId: string, session?: string) {
  const hours = await Array.fromAsync(eachSessionHour(store, keyId, session));
  const names = hours.map(({ id, agent, requestClass, model }) =>
    [id, agent, requestClass, model].filter((name) => name !== undefined).join(" ")
  );
  return [...new Set(names)].sort();
}

testOnStores("sessions of a key have sums by sub-agent, class and model", async (store) => {
  await leaveRows(store, [
    rowOf(1, "key_a", 0, { id: "s" }),
    rowOf(2, "key_a", 0, { id: "s", agent: "a1", requestClass: "subagent" }),
    rowOf(4, "key_a", 1, { id: "s", agent: "a1", requestClass: "subagent" }),
    rowOf(8, "key_a", 0, { id: "s", requestClass: "compaction" }),
    rowOf(16, "key_a", 0, { id: "t" }),
    rowOf(32, "key_b", 0, { id: "s", agent: "a1", requestClass: "subagent" }),
    rowOf(64, "key_a", 0),
    rowOf(128, "key_a", 0, { id: "s0" }),
  ]);
  await compactRows(store);
  const a1 = { id: "s", agent: "a1", requestClass: "subagent" };
  assertEquals(await sessionSum(store, "key_a", "s"), [4, 15]);
  assertEquals(await sumOf(store, subjects.session(a1, "key_a", "a/model")), [2, 6]);
  assertEquals(await sessionSum(store, "key_a", "t"), [1, 16]);
  assertEquals(await sessionSum(store, "key_b", "s"), [1, 32]);
  assertEquals(await namesOf(store, "key_a"), [
    "s a/model",
    "s a1 subagent a/model",
    "s compaction a/model",
    "s0 a/model",
    "t a/model",
  ]);
  assertEquals(await namesOf(store, "key_a", "s0"), ["s0 a/model"]);
  assertEquals(await verifyLog(store, baseMs), []);
});

testOnStores("sums of a session are forgotten after 30 days", async (store) => {
  await leaveRows(store, [
    rowOf(1, "key_a", 31, { id: "old", agent: "a" }),
    rowOf(2, "key_a", 29, { id: "new", agent: "a" }),
  ]);
  await compactRows(store);
  await pruneRollups(store, baseMs);
  assertEquals(await sessionSum(store, "key_a", "old"), [0, 0]);
  assertEquals(await sessionSum(store, "key_a", "new"), [1, 2]);
  assertEquals(await sumOf(store, subjects.key("key_a", "owner")), [2, 3]);
  assertEquals(await verifyLog(store, baseMs), []);
});

testOnStores("a key keeps the sums of the thousand sessions that were used last", async (store) => {
  const rows = Array.from(
    { length: 1_003 },
    (_, n) => rowOf(n, "key_a", n < 3 ? 2 : 1, { id: `s${n}`, agent: "a" }),
  );
  await leaveRows(store, [...rows, rowOf(2_000, "key_b", 3, { id: "s0" })]);
  await compactRows(store);
  await pruneRollups(store, baseMs);
  assertEquals((await namesOf(store, "key_a")).length, 1_000);
  for (const [session, calls] of [["s0", 0], ["s1", 0], ["s2", 0], ["s3", 1]] as const) {
    assertEquals((await sessionSum(store, "key_a", session))[0], calls);
  }
  assertEquals(await sessionSum(store, "key_b", "s0"), [1, 2_000]);
});

Deno.test("of any number of sessions the thousand that were used last are listed and kept", async () => {
  await withMemoryStore(async (store) => {
    const daysOf = (n: number) => n % 2 === 0 ? 2 : 1;
    await leaveRows(
      store,
      Array.from({ length: 2_050 }, (_, n) => rowOf(n, "key_a", daysOf(n), { id: `s${n}` })),
    );
    const listed = await keySessions(store, { id: "key_a" });
    assertEquals(listed.length, 1_000);
    assertEquals(new Set(listed.map(({ id }) => Number(id.slice(1)) % 2)), new Set([1]));
    await pruneRollups(store, baseMs);
    const kept = await Array.fromAsync(eachSessionHour(store, "key_a"));
    assertEquals(kept.length, 1_000);
    assertEquals(new Set(kept.map(({ id }) => Number(id.slice(1)) % 2)), new Set([1]));
  });
});

Deno.test("beyond a thousand sub-agents of a session, the sums of the others are one", async () => {
  await withMemoryStore(async (store) => {
    await leaveRows(
      store,
      Array.from({ length: 1_100 }, (_, n) => rowOf(n, "key_a", 0, { id: "s", agent: `a${n}` })),
    );
    const { counts, turns, parts, models } = await sessionUsage(store, { id: "key_a" }, {
      id: "s",
    });
    assertEquals([parts.length, models.length], [1_001, 1]);
    assertEquals([counts.requests, turns], [1_100, 0]);
    assertEquals(parts.find(({ agent }) => agent === undefined)?.counts.requests, 100);
    const one = await sessionUsage(store, { id: "key_a" }, { id: "s", agent: "a7" });
    assertEquals([one.counts.requests, one.parts.map(({ agent }) => agent)], [1, ["a7"]]);
  });
});
