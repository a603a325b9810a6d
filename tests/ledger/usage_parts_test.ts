import { assertEquals } from "@std/assert";
import { spanOf } from "../../lib/console/page/period.ts";
import { usageParts, usageTable } from "../../lib/ledger/mod.ts";
import { subjects } from "../../lib/store/usage/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 10, 3, 11);

/** A call every 50 minutes for 40 days, over the autumn's change of the clock. */
const rows = Array.from({ length: 1_150 }, (_, n) => {
  const atMs = nowMs - n * 3_000_000;
  const costNanoUsd = BigInt(n * n % 997);
  return sampleRow(n, {
    id: requestIdOf(atMs, n),
    atMs,
    costNanoUsd,
    accountId: `account_${n % 3}`,
  });
});

Deno.test("usage: the days of any zone are exactly what the log's rows add up to", async () => {
  await withMemoryStore(async (store) => {
    await leaveRows(store, rows);
    for (const timeZone of ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]) {
      for (const name of ["yesterday", "14d", "30d", "last-month"] as const) {
        const { starts, toMs, fromMs } = spanOf(name, { nowMs, timeZone });
        const parts = { startsMs: [fromMs - 50 * hourMs, ...starts], toMs } as const;
        const bounds = [...parts.startsMs, toMs];
        const costs = (accountId?: string) =>
          parts.startsMs.map((startMs, at) =>
            rows.filter((row) => accountId === undefined || row.accountId === accountId)
              .filter(({ atMs }) => atMs >= startMs && atMs < bounds[at + 1])
              .reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n)
          );
        const whole = await usageParts(store, subjects.all(), parts);
        assertEquals(whole.map(({ costNanoUsd }) => costNanoUsd), costs(), `${timeZone} ${name}`);
        const table = await usageTable(store, { dimension: "account", scope: "" }, parts);
        for (const { subject, parts: own } of table) {
          assertEquals(own.map(({ costNanoUsd }) => costNanoUsd), costs(subject.value));
        }
      }
    }
  });
});
