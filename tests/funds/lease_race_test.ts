import { assert, assertEquals } from "@std/assert";
import { adjustFunds, grantFunds, verifyFunds } from "../../lib/funds/mod.ts";
import {
  getWallet,
  type IsolateEntry,
  listAllowances,
  registerIsolate,
  type Store,
  takeLease,
  walletId,
} from "../../lib/store/mod.ts";
import { testOnStores } from "../store/temp_store.ts";
import { addMembers, administrator, nowMs } from "./accounts.ts";

const accountId = "usr_0";
const base = { administrator, accountId, reason: "test" };
const newKey = () => crypto.randomUUID();

async function lease(store: Store, isolate: IsolateEntry, held: bigint): Promise<bigint> {
  const limit = { type: "wallet", accountId } as const;
  const allowanceId = walletId(accountId);
  const wanted = { allowanceId, limit, needed: 1n, slice: () => 3n, held };
  const result = await takeLease(store, isolate, wanted);
  return result.type === "leased" ? result.amount : 0n;
}

testOnStores("leases and corrections that race never take more than there is", async (store) => {
  await addMembers(store, 1);
  const grant = { ...base, changeNanoUsd: 100n, idempotencyKey: newKey() };
  await grantFunds(store, grant, nowMs);
  const isolates = await Promise.all(
    ["a", "b", "c"].map((id) => registerIsolate(store, { id, runId: "run", heartbeatAtMs: nowMs })),
  );
  const leasing = isolates.map(async (isolate) => {
    let held = 0n;
    for (let n = 0; n < 12; n++) held += await lease(store, isolate, held);
    return held;
  });
  const taking = Array.from({ length: 12 }, async () => {
    const change = { ...base, changeNanoUsd: -5n, idempotencyKey: newKey() };
    return (await adjustFunds(store, change, nowMs)).type;
  });
  const held = (await Promise.all(leasing)).reduce((sum, one) => sum + one, 0n);
  const taken = (await Promise.all(taking)).filter((type) => type === "posted").length;
  const { fundedNanoUsd } = await getWallet(store, accountId);
  const [{ allotted }] = await listAllowances(store);
  assertEquals([fundedNanoUsd, allotted], [100n - 5n * BigInt(taken), held]);
  assert(allotted <= fundedNanoUsd, `${allotted} leased of ${fundedNanoUsd}`);
  assert(taken > 0 && held > 0n);
  assertEquals(await verifyFunds(store), []);
});
