import { assert, assertEquals } from "@std/assert";
import type { LimitRequest } from "../../lib/ledger/limit_requests.ts";
import { listRequestLogs, type RequestLogRow } from "../../lib/store/log/mod.ts";
import { getSpent, listAllowances } from "../../lib/store/money/mod.ts";
import { type Commit, withCommit } from "../store/failing_store.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { later } from "../waiting.ts";
import { moneyRequest, TestIsolate } from "./isolates.ts";

/** Commits that are lost: their calls are settled once more, under a new record of the isolate. */

const allowanceId = "budget:key:test:total";

/** A request on a limit of requests per minute. */
function rateRequest(limit: bigint): LimitRequest {
  const { current, needed } = moneyRequest({ allowanceId: "rate:test", limit, amount: 1n });
  const state = { name: "key requests per minute", kind: "requests", limit } as const;
  return {
    current: { ...current, kind: "requests", state },
    needed: { ...needed, partPerCall: 1n, ample: 1n, waitMs: 20 },
    nowMs: 0,
  };
}

/** Counts commits, and loses one of them. */
function losing() {
  const commits = { count: 0, lostAt: 0 };
  return {
    commits,
    around: async (commit: Commit) => {
      if (++commits.count !== commits.lostAt) return await commit();
      throw new Error("the connection broke");
    },
  };
}

for (const calls of [16, 256]) {
  Deno.test(`${calls} calls whose commit is lost are settled by a few more commits`, async () => {
    await withMemoryStore(async (store) => {
      const { commits, around } = losing();
      const isolate = new TestIsolate(withCommit(store, around), "retrying");
      const money = moneyRequest({ limit: 100_000_000n, amount: 1_000n });
      const requests = [money, rateRequest(100_000n)];
      await isolate.call(requests, 300n);
      const reserve = () => isolate.allowances.reserve(requests);
      const shares = await Promise.all(Array.from({ length: calls }, reserve));
      await later(50); // the leases are refilled
      const before = commits.count;
      commits.lostAt = before + 2; // the first call is committed by itself
      await Promise.all(shares.map((share) => isolate.settle(share, 300n)));
      assert(commits.count - before <= 16, `${commits.count - before} commits`);
      assertEquals(await getSpent(store, allowanceId), 300n * BigInt(calls + 1));
      const { rows } = await listRequestLogs(store, { limit: calls + 2 });
      assertEquals(rows.map(({ costNanoUsd }) => costNanoUsd), Array(calls + 1).fill(300n));
      await isolate.close();
    });
  });
}

for (const every of [1_000, 50, 10]) {
  Deno.test(`a limit of 100 requests admits 100 if every ${every}th commit is lost`, async () => {
    await withMemoryStore(async (store) => {
      const { commits, around } = losing();
      const isolate = new TestIsolate(withCommit(store, around), "limited");
      let admitted = 0;
      for (let call = 1; call <= 300; call++) {
        if (call % every === 0) commits.lostAt = commits.count + 1;
        const isAdmitted = isolate.call([rateRequest(100n)], 0n).then(() => true, () => false);
        if (await isAdmitted) admitted++;
      }
      assertEquals(admitted, 100);
      const [{ allotted }] = await listAllowances(store);
      assertEquals(allotted, 100n);
      await isolate.close();
    });
  });
}

Deno.test("only the call that exceeds its reservation is charged less than it cost", async () => {
  await withMemoryStore(async (store) => {
    const isolate = new TestIsolate(store, "exceeding");
    const request = moneyRequest({ limit: 10_000n, amount: 1_000n });
    const shares = await Promise.all(
      Array.from({ length: 10 }, () => isolate.allowances.reserve([request])),
    );
    const costs = shares.map((_, call) => call === 3 ? 5_000n : 900n);
    await Promise.all(shares.map((share, call) => isolate.settle(share, costs[call])));
    const { rows } = await listRequestLogs(store, { limit: 20 });
    const uncovered = rows.filter(({ uncoveredNanoUsd }) => uncoveredNanoUsd !== undefined);
    assertEquals(uncovered.map(({ id, uncoveredNanoUsd }) => [id, uncoveredNanoUsd]), [
      ["req_exceeding_3", 3_100n],
    ]);
    assertEquals(await getSpent(store, allowanceId), 10_000n);
    await isolate.close();
  });
});

for (const isOurs of [true, false]) {
  Deno.test(`a call with an idempotency key whose commit is lost is ${isOurs ? "charged if its claim holds" : "free if another call took its key"}`, async () => {
    await withMemoryStore(async (store) => {
      const { commits, around } = losing();
      const isolate = new TestIsolate(withCommit(store, around), "claiming");
      const request = moneyRequest({ limit: 100_000n, amount: 1_000n });
      await isolate.call([request], 300n);
      const ends: (bigint | undefined)[] = [];
      let renewals = 0;
      const claim = {
        renew: () => Promise.resolve(++renewals > 0 && isOurs),
        end: (_: unknown, { costNanoUsd }: RequestLogRow) => void ends.push(costNanoUsd),
      };
      const shares = await isolate.allowances.reserve([request]);
      await later(20);
      commits.lostAt = commits.count + 1;
      await isolate.settle(shares, 300n, undefined, {}, 0n, claim);
      assertEquals(renewals, 1);
      assertEquals(ends, [300n, isOurs ? 300n : 0n]);
      assertEquals(await getSpent(store, allowanceId), isOurs ? 600n : 300n);
      await isolate.close();
    });
  });
}
