import { assert, assertEquals } from "@std/assert";
import { verifyFunds } from "../../lib/funds/mod.ts";
import { type IsolateEntry, registerIsolate } from "../../lib/store/isolates/mod.ts";
import { keys } from "../../lib/store/keys.ts";
import { readInBatches } from "../../lib/store/kv/engine.ts";
import type { Store } from "../../lib/store/mod.ts";
import { getBalance, postEntry, takeLease, walletId } from "../../lib/store/money/mod.ts";
import { testOnStores } from "../store/temp_store.ts";
import { nowMs } from "./accounts.ts";

const amount = 100n;

/** Leases all that is free, as an isolate does whose call needs it. */
async function leaseAll(store: Store, isolate: IsolateEntry, accountId: string): Promise<boolean> {
  const limit = { type: "wallet", accountId } as const;
  const allowanceId = walletId(accountId);
  const now = Date.now;
  const wanted = { allowanceId, limit, needed: amount, slice: () => amount, held: 0n, now };
  return (await takeLease(store, isolate, wanted)).type === "leased";
}

async function post(store: Store, accountId: string, changeNanoUsd: bigint): Promise<boolean> {
  const draft = { accountId, changeNanoUsd, atMs: nowMs, reason: "test", actor: "owner" };
  const idempotencyKey = crypto.randomUUID();
  const result = await postEntry(store, { ...draft, type: "adjustment", idempotencyKey });
  return result.type === "posted";
}

testOnStores(
  "of a lease and a correction that race for the same money one gets it",
  async (store) => {
    const isolate = await registerIsolate(store, { id: "a", runId: "run", heartbeatAtMs: nowMs });
    for (let round = 0; round < 50; round++) {
      const accountId = `usr_${round}`;
      await post(store, accountId, amount);
      const [leased, taken] = await Promise.all(
        round % 2 === 0
          ? [leaseAll(store, isolate, accountId), post(store, accountId, -amount)]
          : [post(store, accountId, -amount), leaseAll(store, isolate, accountId)].toReversed(),
      );
      assert(leased !== taken, `round ${round}: leased ${leased}, taken ${taken}`);
      const { fundedNanoUsd } = await getBalance(store, accountId);
      const [allowance] = await readInBatches(store.kv, [keys.allowance(walletId(accountId))]);
      const allotted = (allowance.value as { readonly allotted: bigint } | null)?.allotted ?? 0n;
      assertEquals([fundedNanoUsd, allotted], taken ? [0n, 0n] : [amount, amount]);
    }
    assertEquals(await verifyFunds(store), []);
  },
);
