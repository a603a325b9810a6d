import { assert, assertEquals, assertRejects } from "@std/assert";
import { keys } from "../../../lib/store/keys.ts";
import { newOrderedId } from "../../../lib/store/kv/id.ts";
import { type Store, StoreError } from "../../../lib/store/mod.ts";
import {
  balanceOf,
  type EntryDraft,
  getBalance,
  getContraTotals,
  listEntries,
  postEntry,
  walletId,
} from "../../../lib/store/money/mod.ts";
import { readWallet } from "../../../lib/store/money/wallet.ts";
import { testOnStores } from "../temp_store.ts";

const day = "2026-11-21";
const noonMs = Date.parse(`${day}T12:00:00Z`);

function draft(fields: Partial<EntryDraft> = {}): EntryDraft {
  return {
    atMs: noonMs,
    accountId: "usr_1",
    type: "grant",
    changeNanoUsd: 5_000_000_000n,
    reason: "a gift",
    actor: "owner",
    idempotencyKey: crypto.randomUUID(),
    ...fields,
  };
}

/** Records the spending of a settled call. */
async function use(store: Store, day: string, keyId: string, nanoUsd: bigint): Promise<void> {
  await store.kv.atomic()
    .sum(keys.allowanceSpent(walletId("usr_1")), nanoUsd)
    .sum(keys.ledgerUsage("usr_1", day, keyId), nanoUsd)
    .commit();
}

testOnStores("an entry moves money between a wallet and its other side", async (store) => {
  assertEquals(await balanceOf(store, "usr_1"), 0n);
  const result = await postEntry(store, draft({ reference: "ticket 7" }));
  assert(result.type === "posted");
  const { id, idempotencyKey: _, ...entry } = result.entry;
  assertEquals(entry, {
    atMs: noonMs,
    accountId: "usr_1",
    type: "grant",
    debit: "grants",
    credit: "wallet:usr_1",
    amountNanoUsd: 5_000_000_000n,
    reason: "a gift",
    actor: "owner",
    reference: "ticket 7",
  });
  await postEntry(store, draft({ type: "adjustment", changeNanoUsd: -1_000_000_000n }));
  const { fundedNanoUsd, lastEntryId = "" } = readWallet(
    (await store.kv.get(keys.wallet("usr_1"))).value,
  );
  assertEquals(fundedNanoUsd, 4_000_000_000n);
  assert(lastEntryId > id);
  await use(store, day, "key_1", 1_500_000_000n);
  assertEquals(await getBalance(store, "usr_1"), {
    fundedNanoUsd: 4_000_000_000n,
    spentNanoUsd: 1_500_000_000n,
    balanceNanoUsd: 2_500_000_000n,
  });
  assertEquals([...await getContraTotals(store)], [
    ["adjustments", { debitNanoUsd: 0n, creditNanoUsd: 1_000_000_000n }],
    ["grants", { debitNanoUsd: 5_000_000_000n, creditNanoUsd: 0n }],
  ]);
});

testOnStores("an entry is in the ledger once, however often it is posted", async (store) => {
  const once = draft({ idempotencyKey: "once" });
  const results = await Promise.all(Array.from({ length: 32 }, () => postEntry(store, once)));
  assertEquals(results.filter(({ type }) => type === "posted").length, 1);
  assertEquals(results.filter(({ type }) => type === "repeated").length, 31);
  const ids = new Set(results.map((result) => "entry" in result ? result.entry.id : ""));
  assertEquals(ids.size, 1);
  assertEquals(await balanceOf(store, "usr_1"), once.changeNanoUsd);
});

testOnStores("a key that was used for another entry is refused", async (store) => {
  await postEntry(store, draft({ idempotencyKey: "once" }));
  for (
    const fields of [{ changeNanoUsd: 1n }, { accountId: "usr_2" }, { type: "payment" as const }]
  ) {
    const other = draft({ idempotencyKey: "once", ...fields });
    const error = await assertRejects(() => postEntry(store, other), StoreError);
    assertEquals(error.code, "already_exists");
  }
});

testOnStores("many who post to one wallet lose nothing", async (store) => {
  await Promise.all(
    Array.from({ length: 64 }, () => postEntry(store, draft({ changeNanoUsd: 1n }))),
  );
  assertEquals(await balanceOf(store, "usr_1"), 64n);
});

testOnStores("what goes out may not pass what is there, nor what calls hold", async (store) => {
  await postEntry(store, draft({ changeNanoUsd: 10n }));
  await use(store, day, "key_1", 4n);
  const out = (changeNanoUsd: bigint) => draft({ type: "adjustment", changeNanoUsd });
  assertEquals(await postEntry(store, out(-7n)), {
    type: "insufficient",
    balanceNanoUsd: 6n,
    freeNanoUsd: 6n,
  });
  await store.kv.set(keys.allowance(walletId("usr_1")), { version: 1, allotted: 8n });
  assertEquals(await postEntry(store, out(-3n)), {
    type: "insufficient",
    balanceNanoUsd: 6n,
    freeNanoUsd: 2n,
  });
  assertEquals((await postEntry(store, out(-2n))).type, "posted");
  const taken = await postEntry(store, draft({ type: "refund", changeNanoUsd: -20n }), {
    overdraw: true,
  });
  assertEquals(taken.type, "posted");
  assertEquals(await balanceOf(store, "usr_1"), -16n);
});

testOnStores("of many withdrawals exactly as many succeed as are covered", async (store) => {
  await postEntry(store, draft({ changeNanoUsd: 10n }));
  const results = await Promise.all(
    Array.from(
      { length: 32 },
      () => postEntry(store, draft({ type: "adjustment", changeNanoUsd: -1n })),
    ),
  );
  assertEquals(results.filter(({ type }) => type === "posted").length, 10);
  assertEquals(await balanceOf(store, "usr_1"), 0n);
});

testOnStores("money goes only the way that its kind goes", async (store) => {
  for (const type of ["payment", "redemption", "grant"] as const) {
    await assertRejects(() => postEntry(store, draft({ type, changeNanoUsd: -1n })), RangeError);
  }
  await assertRejects(() => postEntry(store, draft({ changeNanoUsd: 0n })), RangeError);
  await assertRejects(() => postEntry(store, draft({ idempotencyKey: "" })), RangeError);
});

testOnStores(
  "entries stand in the order in which they were posted, whatever clocks say",
  async (store) => {
    const times = [noonMs, noonMs, noonMs - 60_000, noonMs + 1, noonMs];
    for (const [n, atMs] of times.entries()) {
      await postEntry(
        store,
        draft({ atMs, reason: `${n}` }),
      );
    }
    await store.kv.set(keys.wallet("usr_1"), {
      version: 1,
      fundedNanoUsd: 25_000_000_000n,
      lastEntryId: newOrderedId(noonMs + 1).slice(0, 10) + "ZZ",
    });
    await postEntry(store, draft({ atMs: noonMs, reason: "5" }));
    const { entries } = await listEntries(store, "usr_1", { limit: 9 });
    assertEquals(entries.map(({ reason }) => reason), ["5", "4", "3", "2", "1", "0"]);
  },
);

testOnStores("entries are listed newest first with usage by day and key", async (store) => {
  const before = noonMs - 86_400_000;
  await postEntry(store, draft({ atMs: before, changeNanoUsd: 100n, reason: "first" }));
  await use(store, "2026-11-20", "key_1", 10n);
  await postEntry(store, draft({ atMs: noonMs, changeNanoUsd: 50n, reason: "second" }));
  await use(store, day, "key_1", 3n);
  await use(store, day, "key_2", 4n);
  await postEntry(store, draft({ atMs: noonMs + 86_400_000, changeNanoUsd: 1n, reason: "third" }));
  const { entries, next } = await listEntries(store, "usr_1", { limit: 10 });
  assertEquals(next, undefined);
  assertEquals(
    entries.map(({ reason, reference, balanceNanoUsd }) => [reason, reference, balanceNanoUsd]),
    [
      ["third", undefined, 134n],
      ["Usage of 2026-11-21", "key_2", 133n],
      ["Usage of 2026-11-21", "key_1", 137n],
      ["second", undefined, 140n],
      ["Usage of 2026-11-20", "key_1", 90n],
      ["first", undefined, 100n],
    ],
  );
  const ids = entries.map(({ id }) => id);
  assertEquals(ids, ids.toSorted().reverse());
  assertEquals(await pagesOf(store, 2), entries);
  assertEquals(await pagesOf(store, 1), entries);
});

async function pagesOf(store: Store, limit: number) {
  const read = [];
  let before: string | undefined;
  for (;;) {
    const page = await listEntries(store, "usr_1", { limit, ...(before && { before }) });
    read.push(...page.entries);
    if (page.next === undefined) return read;
    before = page.next;
  }
}
