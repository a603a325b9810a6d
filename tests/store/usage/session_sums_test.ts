import { assertEquals } from "@std/assert";
import type { CallSession } from "../../../lib/store/log/mod.ts";
import { compactRows, verifyLog } from "../../../lib/store/settling/mod.ts";
import {
  listSubjects,
  pruneRollups,
  readCounts,
  type RollupSubject,
  subjects,
} from "../../../lib/store/usage/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { leaveRows } from "../log/log_rows.ts";
import { baseMs, requestIdOf } from "../log/row_arbitrary.ts";
import { sampleRow } from "../samples.ts";
import { testOnStores } from "../temp_store.ts";

const dayMs = 86_400_000;

/** A call of a key, some days ago, for a billionth of a dollar per `n`. */
function rowOf(n: number, keyId: string, days: number, session?: CallSession) {
  const atMs = baseMs - days * dayMs;
  const call = { id: requestIdOf(atMs, n), atMs, keyId, costNanoUsd: BigInt(n) };
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

testOnStores("sessions of a key have sums, and their sub-agents and classes", async (store) => {
  await leaveRows(store, [
    rowOf(1, "key_a", 0, { id: "s" }),
    rowOf(2, "key_a", 0, { id: "s", agent: "a1", requestClass: "subagent" }),
    rowOf(4, "key_a", 1, { id: "s", agent: "a1", requestClass: "subagent" }),
    rowOf(8, "key_a", 0, { id: "s", requestClass: "compaction" }),
    rowOf(16, "key_a", 0, { id: "t" }),
    rowOf(32, "key_b", 0, { id: "s", agent: "a1", requestClass: "subagent" }),
    rowOf(64, "key_a", 0),
  ]);
  await compactRows(store);
  const a1 = { id: "s", agent: "a1", requestClass: "subagent" };
  assertEquals(await sumOf(store, subjects.session("s", "key_a")), [4, 15]);
  assertEquals(await sumOf(store, subjects.sessionPart(a1, "key_a")), [2, 6]);
  assertEquals(await sumOf(store, subjects.session("t", "key_a")), [1, 16]);
  assertEquals(await sumOf(store, subjects.session("s", "key_b")), [1, 32]);
  const sessions = await Array.fromAsync(listSubjects(store, "session", "key_a"));
  assertEquals(sessions.map(({ value }) => value), ["s", "t"]);
  const parts = await Array.fromAsync(listSubjects(store, "sessionPart", "key_a/s"));
  assertEquals(parts.map(({ value }) => value), ["/compaction", "a1/subagent"]);
  assertEquals(await verifyLog(store, baseMs), []);
});

testOnStores("sums of a session are forgotten after 30 days", async (store) => {
  await leaveRows(store, [
    rowOf(1, "key_a", 31, { id: "old", agent: "a" }),
    rowOf(2, "key_a", 29, { id: "new", agent: "a" }),
  ]);
  await compactRows(store);
  await pruneRollups(store, baseMs);
  assertEquals(await sumOf(store, subjects.session("old", "key_a")), [0, 0]);
  assertEquals(await sumOf(store, subjects.sessionPart({ id: "old", agent: "a" }, "key_a")), [
    0,
    0,
  ]);
  assertEquals(await sumOf(store, subjects.session("new", "key_a")), [1, 2]);
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
  const kept = await Array.fromAsync(listSubjects(store, "session", "key_a"));
  assertEquals(kept.length, 1_000);
  assertEquals(kept.filter(({ value }) => ["s0", "s1", "s2"].includes(value)), []);
  for (const [session, calls] of [["s0", 0], ["s3", 1]] as const) {
    const [found] = await sumOf(store, subjects.sessionPart({ id: session, agent: "a" }, "key_a"));
    assertEquals(found, calls);
  }
  assertEquals(await sumOf(store, subjects.session("s0", "key_b")), [1, 2_000]);
});
