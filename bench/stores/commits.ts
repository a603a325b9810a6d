import { noUsage } from "../../lib/canonical/mod.ts";
import { newRequestId } from "../../lib/http/call.ts";
import { registerIsolate } from "../../lib/store/isolates/mod.ts";
import { packRow, type RequestLogRow } from "../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../lib/store/mod.ts";
import { chargeDay, commitSettlement } from "../../lib/store/settling/mod.ts";
import { quantile } from "../statistics.ts";
import { secret, type StoreEngine } from "./engines.ts";

/** Times are in milliseconds. */
export interface CommitTimes {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

const warmUpSeconds = 1;

/** Times settlements of one call each, by as many isolates as are in flight, of one key with a budget. */
export async function timeCommits(
  engine: StoreEngine,
  inFlight: readonly number[],
  seconds: number,
): Promise<CommitTimes[]> {
  const store = await openStore({ location: engine.location("commits"), secret });
  const times: CommitTimes[] = [];
  for (const count of inFlight) {
    await commitsOf(store, count, warmUpSeconds);
    times.push(await commitsOf(store, count, seconds));
  }
  store.close();
  return times;
}

async function commitsOf(store: Store, count: number, seconds: number): Promise<CommitTimes> {
  const endsAt = performance.now() + seconds * 1_000;
  const times = (await Promise.all(
    Array.from({ length: count }, () => settleUntil(store, endsAt)),
  )).flat().sort((a, b) => a - b);
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    perSecond: times.length / seconds,
  };
}

async function settleUntil(store: Store, endsAt: number): Promise<number[]> {
  const times: number[] = [];
  const id = crypto.randomUUID();
  const entry = await registerIsolate(store, { id, runId: "bench", heartbeatAtMs: Date.now() });
  for (let number = 0; performance.now() < endsAt; number++) {
    const row = rowAt(Date.now());
    const settlement = {
      sequence: String(number).padStart(12, "0"),
      rows: [packRow(row)],
      spent: new Map([["budget:key", 1_000n], ["budget:account", 1_000n]]),
      held: new Map([["budget:key", 5_000n], ["budget:account", 5_000n], ["tokens:key", 90n]]),
      charges: [{
        accountId: "owner",
        keyId: "key",
        day: chargeDay(row.atMs),
        nanoUsd: 1_000n,
        upstreamNanoUsd: 0n,
      }],
      overruns: [],
      ended: [],
    };
    const startedAt = performance.now();
    const outcome = await commitSettlement(store, entry, settlement);
    if (outcome !== "stored") throw new Error(`a settlement is ${outcome}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}

function rowAt(atMs: number): RequestLogRow {
  return {
    id: newRequestId(atMs),
    atMs,
    accountId: "owner",
    keyId: "key",
    keyName: "key",
    groupId: "default",
    model: "bench",
    upstreamId: "bench",
    format: "chat-completions",
    operation: "generate",
    stream: false,
    status: 200,
    outcome: "completed",
    usage: { ...noUsage, inputTokens: 1_000, outputTokens: 50 },
    usageSource: "upstream",
    costNanoUsd: 1_000n,
    firstByteMs: 200,
    durationMs: 1_000,
  };
}
