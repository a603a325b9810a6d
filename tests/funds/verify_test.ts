import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createBatch, grantFunds, redeem, verifyFunds } from "../../lib/funds/mod.ts";
import { keys } from "../../lib/store/keys.ts";
import type { Store } from "../../lib/store/mod.ts";
import {
  allPostedEntries,
  createPayment,
  listEntries,
  redemptionCodesOf,
} from "../../lib/store/money/mod.ts";
import { testOnStores } from "../store/temp_store.ts";
import { addMembers, administrator, nowMs } from "./accounts.ts";

/** A ledger with a grant, a redeemed code and some usage, and what a test needs to break it. */
interface Ledger {
  readonly store: Store;
  readonly entryId: string;
  readonly digest: string;
}

async function makeLedger(store: Store): Promise<Ledger> {
  const [accountId] = await addMembers(store, 1);
  const grant = { administrator, accountId, changeNanoUsd: 5_000_000_000n, reason: "welcome" };
  await grantFunds(store, { ...grant, idempotencyKey: "1" }, nowMs);
  const draft = { name: "spring", amountNanoUsd: 2_000_000_000n, count: 2, usesMax: 1 };
  const made = await createBatch(store, administrator, draft, { nowMs, codesMax: 2 });
  assert(made.type === "created");
  assertEquals(
    (await redeem(store, { accountId, entered: made.codes[0] }, nowMs)).type,
    "redeemed",
  );
  await store.kv.atomic()
    .sum(keys.allowanceSpent("wallet:usr_0"), 1_000_000_000n)
    .sum(keys.ledgerUsage("usr_0", "2026-11-21", "key_1"), 1_000_000_000n)
    .commit();
  const { entries } = await listEntries(store, accountId, { limit: 9 });
  const codes = await Array.fromAsync(redemptionCodesOf(store, made.batch.id));
  const digest = codes.find(({ used }) => used === 1)?.digest ?? "";
  return { store, entryId: entries.find(({ type }) => type === "grant")?.id ?? "", digest };
}

testOnStores("verifyFunds finds no difference in a consistent ledger", async (store) => {
  await makeLedger(store);
  assertEquals(await verifyFunds(store), []);
});

async function changed(store: Store, key: Deno.KvKey, fields: object): Promise<void> {
  const { value } = await store.kv.get<object>(key);
  await store.kv.set(key, { ...value, ...fields });
}

const damages: readonly {
  readonly name: string;
  readonly damage: (ledger: Ledger) => Promise<unknown>;
  readonly expected: readonly string[];
}[] = [
  {
    name: "a wallet that was written past its entries",
    damage: ({ store }) => changed(store, keys.wallet("usr_0"), { fundedNanoUsd: 8_000_000_000n }),
    expected: [
      "The wallet of usr_0 is $8, but its entries add up to $7",
      "All ledger accounts add up to $1, but must add up to $0",
    ],
  },
  {
    name: "an entry that is gone",
    damage: ({ store, entryId }) => store.kv.delete(keys.ledgerEntry("usr_0", entryId)),
    expected: [
      "The wallet of usr_0 is $7, but its entries add up to $2",
      "The debit total of grants is $5, but its entries add up to $0",
      "The idempotency key grant:1 names entry usr_0",
    ],
  },
  {
    name: "an entry stored twice",
    damage: async ({ store, entryId }) => {
      const { value } = await store.kv.get<object>(keys.ledgerEntry("usr_0", entryId));
      const id = `${entryId.slice(0, -1)}~`;
      await store.kv.set(keys.ledgerEntry("usr_0", id), { ...value, id });
    },
    expected: [
      "The wallet of usr_0 is $7, but its entries add up to $12",
      "The debit total of grants is $5, but its entries add up to $10",
      "but it is in usr_0",
    ],
  },
  {
    name: "a missing idempotency key",
    damage: ({ store }) => store.kv.delete(keys.ledgerPosted("grant:1")),
    expected: ["The idempotency key grant:1 of entry usr_0"],
  },
  {
    name: "usage that is not spent",
    damage: ({ store }) =>
      store.kv.atomic().sum(keys.ledgerUsage("usr_0", "2026-11-20", "key_1"), 1n).commit(),
    expected: [
      "The spending of usr_0 is $1, but its usage entries add up to $1.000000001",
    ],
  },
  {
    name: "a code that counts more uses than it had",
    damage: ({ store, digest }) => changed(store, keys.redemptionCode(digest), { used: 2 }),
    expected: [
      "counts 2 uses, but lists 1 accounts and has 1 entries",
      "was used 2 times, but allows 1",
    ],
  },
  {
    name: "a code that is gone",
    damage: ({ store, digest }) => store.kv.delete(keys.redemptionCode(digest)),
    expected: ["redeems a code that does not exist"],
  },
  {
    name: "a payment without its entry",
    damage: async ({ store }) => {
      const begun = { id: "cs_1", accountId: "usr_0", amountNanoUsd: 1n, createdAtMs: nowMs };
      await createPayment(store, begun);
      await changed(store, keys.payment("cs_1"), { creditedNanoUsd: 1_000_000_000n });
    },
    expected: ["The payment of cs_1 is $1, but its entries add up to $0"],
  },
];
for (const { name, damage, expected } of damages) {
  testOnStores(`verifyFunds finds ${name}`, async (store) => {
    const ledger = await makeLedger(store);
    await damage(ledger);
    const differences = await verifyFunds(store);
    assertEquals(differences.length, expected.length, differences.join("\n"));
    for (const [n, text] of expected.entries()) assertStringIncludes(differences[n], text);
    assert((await Array.fromAsync(allPostedEntries(store))).length > 0);
  });
}
