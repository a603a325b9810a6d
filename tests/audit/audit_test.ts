import { assert, assertEquals } from "@std/assert";
import { archiveLog } from "../../lib/archive/mod.ts";
import { auditStore } from "../../lib/audit/mod.ts";
import { noUsage } from "../../lib/canonical/mod.ts";
import { listArchiveParts, setArchivePart } from "../../lib/store/archive/mod.ts";
import { keys } from "../../lib/store/keys.ts";
import type { AtomicOperation, Store } from "../../lib/store/mod.ts";
import { postEntry, walletId } from "../../lib/store/money/mod.ts";
import { packedName } from "../../lib/store/usage/rollup_counts.ts";
import { memoryPlace } from "../archive/archived_store.ts";
import { moneyRequest, TestIsolate } from "../ledger/isolates.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";

const accountId = "usr_1";
const usage = {
  ...noUsage,
  inputTokens: 2,
  cacheReadTokens: 1,
  outputTokens: 3,
  reasoningTokens: 4,
};

/** A funded account whose keys made calls of 5 nano-dollars each, and one call that was refused. */
async function withCalls(store: Store, calls: number): Promise<void> {
  await postEntry(store, {
    accountId,
    type: "grant",
    changeNanoUsd: 1_000_000n,
    reason: "test",
    actor: "owner",
    atMs: Date.now(),
    idempotencyKey: "grant",
  });
  const isolate = new TestIsolate(store, "one");
  const asked = moneyRequest({ allowanceId: walletId(accountId), limit: 0n, amount: 10n });
  const limit = { type: "wallet", accountId } as const;
  const request = { ...asked, current: { ...asked.current, limit } };
  await Promise.all(Array.from({ length: calls }, async (_, call) => {
    const keyName = call % 2 === 0 ? "one" : "two";
    const atMs = Date.now();
    const shares = await isolate.allowances.reserve([request]);
    await isolate.settle(shares, 5n, undefined, {
      accountId,
      keyName,
      keyId: `key_${keyName}`,
      id: requestIdOf(atMs, call),
      atMs,
      usage,
      upstreamId: "up",
      ...(call % 3 === 0 && { upstreamCost: { nanoUsd: 2n } }),
    });
  }));
  const { upstreamId: _, ...refused } = sampleRow(9_999, { outcome: "refused", accountId });
  const atMs = Date.now();
  await isolate.settleRow({ ...refused, id: requestIdOf(atMs, calls), atMs });
  await isolate.close();
}

Deno.test("auditStore sweeps, adds up what reached an upstream, and finds nothing to say", async () => {
  await withMemoryStore(async (store) => {
    await withCalls(store, 603);
    const audit = await auditStore(store);
    const cheaper = (from: number) => {
      const numbers = Array.from({ length: 603 }, (_, call) => call);
      return numbers.filter((call) => call % 3 === 0 && call % 2 === from).length;
    };
    const key = (calls: number, from: number) => ({
      calls,
      costNanoUsd: String(calls * 5),
      upstreamNanoUsd: String(calls * 5 - cheaper(from) * 3),
      inputTokens: calls * 3,
      outputTokens: calls * 7,
    });
    assertEquals(audit, {
      ok: true,
      calls: 603,
      costNanoUsd: String(603 * 5),
      upstreamNanoUsd: String(603 * 5 - 201 * 3),
      keys: { one: key(302, 0), two: key(301, 1) },
      differences: [],
    });
  });
});

const tamperings: readonly {
  readonly name: string;
  readonly tamper: (operation: AtomicOperation) => void;
  readonly said: RegExp;
}[] = [
  {
    name: "usage that nobody charged",
    tamper: (operation) => operation.sum(keys.allowanceSpent(walletId(accountId)), 1n),
    said: /wallet:usr_1|usr_1/,
  },
  {
    name: "a charge without a call",
    tamper: (operation) =>
      operation.sum(
        keys.ledgerUsage(accountId, new Date().toISOString().slice(0, 10), "key_one"),
        7n,
      ),
    said: /key key_one on/,
  },
  {
    name: "an upstream's cost without a call",
    tamper: (operation) =>
      operation.sum(
        keys.ledgerCost(accountId, new Date().toISOString().slice(0, 10), "key_one"),
        7n,
      ),
    said: /key key_one on .*: the ledger pays upstreams \d+ nano-dollars, the log says \d+/,
  },
  {
    name: "a wallet that no entry explains",
    tamper: (operation) =>
      operation.set(keys.wallet(accountId), { version: 1, fundedNanoUsd: 2_000_000n }),
    said: /usr_1/,
  },
  {
    name: "money that was allotted and forgotten",
    tamper: (operation) =>
      operation.set(keys.allowance(walletId(accountId)), { version: 1, allotted: 999n }),
    said: /999 allotted/,
  },
  {
    name: "a rollup that its calls do not add up to",
    tamper: (operation) => {
      const day = new Date().toISOString().slice(0, 10);
      operation.set(keys.rollup("day", "account", "", accountId, day, packedName), "requests=12");
    },
    said: /counts of account "usr_1" in .*requests=12, its hours add up to .*requests=11/,
  },
];
for (const { name, tamper, said } of tamperings) {
  Deno.test(`auditStore finds ${name}`, async () => {
    await withMemoryStore(async (store) => {
      await withCalls(store, 10);
      await auditStore(store);
      const operation = store.kv.atomic();
      tamper(operation);
      await operation.commit();
      const { ok, differences } = await auditStore(store);
      assertEquals(
        [ok, differences.some((one) => said.test(one))],
        [false, true],
        `${differences}`,
      );
    });
  });
}

/** Funded calls of now, which an archive that keeps nothing of today would move. */
const tomorrowMs = () => Date.now() + 2 * 86_400_000;

Deno.test("auditStore says the same of calls in the archive as of calls in the store", async () => {
  await withMemoryStore(async (store) => {
    await withCalls(store, 203);
    const before = await auditStore(store);
    const place = memoryPlace();
    const run = await archiveLog({
      store,
      place,
      keepDays: 1,
      nowMs: tomorrowMs(),
      partRowsMax: 50,
    });
    assertEquals(run?.rows, 204);
    assertEquals(await auditStore(store, place), before);
  });
});

Deno.test("auditStore compares the days that it does not read with the recorded sums of their files", async () => {
  await withMemoryStore(async (store) => {
    await withCalls(store, 203);
    await archiveLog({ store, place: memoryPlace(), keepDays: 1, nowMs: tomorrowMs() });
    assertEquals(await auditStore(store), {
      ...{ ok: true, calls: 0, costNanoUsd: "0", upstreamNanoUsd: "0", keys: {}, differences: [] },
    });
    const [part] = await listArchiveParts(store);
    assert(part.state === "archived");
    const operation = store.kv.atomic();
    setArchivePart(operation, { ...part, costNanoUsd: 7n, upstreamNanoUsd: 9n });
    await operation.commit();
    const { differences } = await auditStore(store);
    assertEquals(differences, [
      `all keys on ${part.day}: the ledger charges 1015 nano-dollars, the log says 7`,
      `all keys on ${part.day}: the ledger pays upstreams 136 nano-dollars, the log says 9`,
    ]);
  });
});

Deno.test("auditStore finds a call that is in no file any more", async () => {
  await withMemoryStore(async (store) => {
    await withCalls(store, 23);
    const place = memoryPlace();
    await archiveLog({ store, place, keepDays: 1, nowMs: tomorrowMs(), partRowsMax: 1 });
    const [part] = await listArchiveParts(store);
    const operation = store.kv.atomic();
    operation.delete(keys.archivePart(part.day, "000001"));
    await operation.commit();
    const { ok, differences } = await auditStore(store, place);
    assert(!ok && differences.some((one) => /its calls add up to/.test(one)), `${differences}`);
  });
});
