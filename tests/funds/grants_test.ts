import { assert, assertEquals } from "@std/assert";
import { adjustFunds, type FundsChange, grantFunds } from "../../lib/funds/mod.ts";
import { keys } from "../../lib/store/keys.ts";
import { balanceOf, listEntries, walletId } from "../../lib/store/money/mod.ts";
import { firstAccountId } from "../../lib/store/users/mod.ts";
import { sampleUser } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";
import { addMembers, administrator, nowMs } from "./accounts.ts";

function change(fields: Partial<FundsChange> = {}): FundsChange {
  return {
    administrator,
    accountId: "usr_0",
    changeNanoUsd: 5_000_000_000n,
    reason: "welcome",
    idempotencyKey: crypto.randomUUID(),
    ...fields,
  };
}

testOnStores("a grant records its administrator and reason, and is posted once", async (store) => {
  await addMembers(store, 1);
  const grant = change({ reason: " welcome " });
  const results = await Promise.all([1, 2, 3].map(() => grantFunds(store, grant, nowMs)));
  assertEquals(results.map(({ type }) => type).sort(), ["posted", "repeated", "repeated"]);
  const { entries: [entry, ...more] } = await listEntries(store, "usr_0", { limit: 10 });
  assertEquals(more, []);
  assertEquals(
    [entry.type, entry.reason, entry.actor, entry.amountNanoUsd, entry.balanceNanoUsd],
    ["grant", "welcome", firstAccountId, 5_000_000_000n, 5_000_000_000n],
  );
});

testOnStores("an adjustment takes no more than the balance", async (store) => {
  await addMembers(store, 1);
  await grantFunds(store, change(), nowMs);
  const tooMuch = await adjustFunds(store, change({ changeNanoUsd: -5_000_000_001n }), nowMs);
  assertEquals(tooMuch, {
    type: "insufficient",
    message: "Cannot deduct that much: the balance is $5",
  });
  const all = await adjustFunds(store, change({ changeNanoUsd: -5_000_000_000n }), nowMs);
  assertEquals(all.type, "posted");
  assertEquals(await balanceOf(store, "usr_0"), 0n);
});

testOnStores("an adjustment recalls the unused leases of isolates", async (store) => {
  await addMembers(store, 1);
  await grantFunds(store, change(), nowMs);
  const allowance = keys.allowance(walletId("usr_0"));
  await store.kv.set(allowance, { version: 1, allotted: 4_000_000_000n });
  const recalled = store.kv.watch([keys.recall]).getReader();
  await recalled.read();
  const adjusting = adjustFunds(store, change({ changeNanoUsd: -3_000_000_000n }), nowMs);
  await recalled.read();
  await store.kv.set(allowance, { version: 1, allotted: 0n });
  assertEquals((await adjusting).type, "posted");
  await recalled.cancel();
});

testOnStores("an account with unlimited spending can have a negative balance", async (store) => {
  const taken = change({ accountId: firstAccountId, changeNanoUsd: -7n });
  assertEquals((await adjustFunds(store, taken, nowMs)).type, "posted");
  assertEquals(await balanceOf(store, firstAccountId), -7n);
});

const refusals: readonly (readonly [string, Partial<FundsChange>, string])[] = [
  ["a member", { administrator: sampleUser() }, "forbidden"],
  [
    "a disabled administrator",
    { administrator: { ...administrator, enabled: false } },
    "forbidden",
  ],
  ["nothing", { changeNanoUsd: 0n }, "amount"],
  ["a negative grant", { changeNanoUsd: -1n }, "amount"],
  ["more than an entry holds", { changeNanoUsd: 10n ** 15n + 1n }, "amount"],
  ["no reason", { reason: "  " }, "reason"],
  ["a reason without end", { reason: "x".repeat(501) }, "reason"],
  ["an unknown account", { accountId: "usr_none" }, "account"],
];
for (const [name, fields, expected] of refusals) {
  testOnStores(`grantFunds refuses ${name}`, async (store) => {
    await addMembers(store, 1);
    const result = await grantFunds(store, change(fields), nowMs);
    assert(result.type === "invalid" || result.type === "forbidden");
    assertEquals(result.type === "invalid" ? result.field : result.type, expected);
    assertEquals(await balanceOf(store, "usr_0"), 0n);
  });
}
