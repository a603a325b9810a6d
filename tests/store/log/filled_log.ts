import { noUsage } from "../../../lib/canonical/mod.ts";
import { addPage, logPageOf, newPageId, rowsOfPage } from "../../../lib/store/log/log_page.ts";
import { type PackedRow, packRow } from "../../../lib/store/log/mod.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { sampleRow } from "../samples.ts";
import { requestIdOf } from "./row_arbitrary.ts";

const dayMs = 86_400_000;

/** Writes the pages of so many calls, one each second up to `endMs`, as compaction leaves them. */
export async function fillLog(
  store: Store,
  { calls, endMs, accountId = "owner" }: {
    readonly calls: number;
    readonly endMs: number;
    readonly accountId?: string;
  },
): Promise<void> {
  let waiting: PackedRow[] = [];
  for (let n = 0; n < calls; n++) {
    waiting.push(packRow(callAt(endMs - (calls - n) * 1_000, n, accountId)));
    if (waiting.length >= 256) waiting = await writePage(store, waiting);
  }
  while (waiting.length > 0) waiting = await writePage(store, waiting);
}

async function writePage(store: Store, rows: readonly PackedRow[]): Promise<PackedRow[]> {
  const taken = rowsOfPage(rows);
  const operation = store.kv.atomic();
  addPage(operation, logPageOf(newPageId(), rows.slice(0, taken)), 90 * dayMs);
  await operation.commit();
  return rows.slice(taken);
}

/** A row with all that usual calls have. */
function callAt(atMs: number, n: number, accountId: string) {
  return sampleRow(n, {
    id: requestIdOf(atMs, n),
    atMs,
    accountId,
    keyName: "production",
    model: `claude-${n % 5}`,
    upstreamModel: `claude-${n % 5}-20261101`,
    upstreamId: "anthropic",
    upstreamFormat: "messages",
    userAgent: "claude-cli/2.0.1 (external, cli)",
    ip: "203.0.113.7",
    stream: true,
    firstByteMs: 640,
    durationMs: 8_120,
    usage: { ...noUsage, inputTokens: 1_200 + n % 100, cacheReadTokens: 40_000, outputTokens: 310 },
    usageSource: "upstream",
    costNanoUsd: 20_000_000n,
  });
}
