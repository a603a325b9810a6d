import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { noUsage, type Usage } from "../../lib/canonical/mod.ts";
import { costOf } from "../../lib/ledger/cost.ts";
import { keyUsage, sessionUsage } from "../../lib/ledger/mod.ts";
import { resolvePrice } from "../../lib/ledger/price.ts";
import { cacheSavingOf } from "../../lib/store/log/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { baseMs, requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";

const price = resolvePrice({
  input: 3,
  cachedInput: 0.3,
  cacheWrite: 3.75,
  cacheWrite1h: 6,
  cacheWrite12h: 7.5,
  output: 15,
  tiers: [{ aboveInputTokens: 200_000, input: 6, cachedInput: 0.6, output: 22.5 }],
  serviceTiers: { priority: { factor: 2 } },
  regions: { us: 1.1 },
});

const savingOf = (usage: Partial<Usage>, ratio = 1) =>
  cacheSavingOf({ costLines: costOf({ ...noUsage, ...usage }, price, ratio).lines });

const cases: Readonly<Record<string, readonly [nanoUsd: bigint, Partial<Usage>, ratio?: number]>> =
  {
    "without a cache": [0n, { inputTokens: 1_000 }],
    "of a read": [2_700_000n, { cacheReadTokens: 1_000 }],
    "of a write for 5 minutes": [-750_000n, { cacheWrite5mTokens: 1_000 }],
    "of a write for an hour": [-3_000_000n, { cacheWrite1hTokens: 1_000 }],
    "of a write for 12 hours": [-4_500_000n, { cacheWrite12hTokens: 1_000 }],
    "of a read and a write": [
      2_700_000n - 750_000n,
      { cacheReadTokens: 1_000, cacheWrite5mTokens: 1_000 },
    ],
    "with a group's ratio": [4_050_000n, { cacheReadTokens: 1_000 }, 1.5],
    "of a long prompt": [300_000n * 5_400n, { cacheReadTokens: 300_000 }],
    "in another tier": [5_400_000n, { cacheReadTokens: 1_000, servedTier: "priority" }],
    "in another region": [2_970_000n, { cacheReadTokens: 1_000, servedRegion: "us" }],
    "rounded to a nano-dollar": [2_700n, { cacheReadTokens: 1 }],
    "of samplings": [2_700_000n, {
      samplings: [
        { tokens: { ...noUsage, cacheReadTokens: 1_000 } },
        { purpose: "compaction", tokens: { ...noUsage, inputTokens: 5_000 } },
      ],
    }],
  };

for (const [name, [nanoUsd, usage, ratio]] of Object.entries(cases)) {
  Deno.test(`saving ${name}`, () => assertEquals(savingOf(usage, ratio), nanoUsd));
}

Deno.test("saving of tokens that are free once cached", () => {
  const free = resolvePrice({ input: 3, cachedInput: 0, output: 15 });
  const { nanoUsd, lines } = costOf({ ...noUsage, cacheReadTokens: 1_000 }, free, 1);
  assertEquals([nanoUsd, cacheSavingOf({ costLines: lines })], [0n, 3_000_000n]);
});

Deno.test("saving: the same tokens uncached cost the charge and the saving, to the nano-dollar", () => {
  const flat = resolvePrice({ input: 3.1, cachedInput: 0.31, cacheWrite: 3.875, output: 15 });
  fc.assert(fc.property(fc.nat(10 ** 6), fc.nat(10 ** 6), (read, written) => {
    const used = { ...noUsage, cacheReadTokens: read, cacheWrite5mTokens: written };
    const { nanoUsd, lines } = costOf(used, flat, 1);
    const uncached = [read, written].map((inputTokens) =>
      costOf({ ...noUsage, inputTokens }, flat, 1).nanoUsd
    );
    assertEquals(nanoUsd + cacheSavingOf({ costLines: lines }), uncached[0] + uncached[1]);
  }));
});

testOnStores("savings of a session and of a key are those of their rows", async (store) => {
  const usages: Partial<Usage>[] = [
    { cacheWrite5mTokens: 12_345, inputTokens: 7 },
    { cacheReadTokens: 12_345, cacheWrite1hTokens: 777 },
    { cacheReadTokens: 3 },
    { inputTokens: 5 },
    { cacheWrite12hTokens: 99_999 },
  ];
  const rows = usages.map((used, n) => {
    const usage = { ...noUsage, ...used };
    const { nanoUsd, lines } = costOf(usage, price, 1.1);
    const at = { id: requestIdOf(baseMs, n), atMs: baseMs };
    const charged = { usage, costNanoUsd: nanoUsd, costLines: lines, upstreamId: "up" };
    const missed = n === 1 && { cacheMiss: "tool 7" as const };
    return sampleRow(n, { ...at, ...charged, session: { id: "s" }, ...missed });
  });
  await leaveRows(store, rows);
  const saving = rows.reduce((sum, row) => sum + cacheSavingOf(row), 0n);
  const { counts } = await sessionUsage(store, { id: "key_1" }, { id: "s" });
  assertEquals([counts.cacheSavedNanoUsd, counts.cacheMisses], [saving, 1]);
  const period = { fromMs: baseMs - 86_400_000, toMs: baseMs + 86_400_000 };
  const [day] = await keyUsage(store, { id: "key_1", accountId: "owner" }, period);
  assertEquals([day.counts.cacheSavedNanoUsd, day.counts.cacheMisses], [saving, 1]);
});
