import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { totalInputTokens, totalOutputTokens } from "../../lib/canonical/mod.ts";
import { topUsage, usageSeries, usageTotals } from "../../lib/ledger/mod.ts";
import { listRequestLogs, type RequestLogRow, requestOutcomes } from "../../lib/store/log/mod.ts";
import {
  type Counts,
  percentile,
  type RollupSubject,
  subjects,
} from "../../lib/store/usage/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { anyRows, requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { watchedStore } from "../store/watched_store.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Late in a day, so that arbitrary rows are on both sides of its end. */
const eveningMs = Date.UTC(2026, 10, 21, 22);

/** Arbitrary rows, moved to the evening and spread over days. */
function spread(rows: readonly RequestLogRow[], days: number): RequestLogRow[] {
  return rows.map((row, n) => {
    const atMs = eveningMs + (row.atMs % (3 * hourMs)) + (n % days) * dayMs;
    return { ...row, atMs, id: requestIdOf(atMs, n) };
  });
}

/** Returns true if a row counts under a subject; independent of the code under test. */
function countsUnder(row: RequestLogRow, { dimension, scope, value }: RollupSubject): boolean {
  const reached = row.upstreamId !== undefined;
  const named = reached && ![400, 401, 403, 404, 405, 413, 415, 422].includes(row.status);
  const rules = {
    all: true,
    account: row.accountId === value,
    group: row.groupId === value,
    upstream: row.upstreamId === value,
    key: row.keyId === value && row.accountId === scope,
    project: row.projectId === value,
    tag: row.tags?.includes(`${scope}=${value}`) === true,
    model: named && row.model === value && (scope === "" || row.accountId === scope),
    keyModel: named && row.model === value && row.keyId === scope,
    projectAccount: row.projectId === scope && row.accountId === value,
    projectKey: row.projectId === scope && row.keyId === value,
    projectModel: named && row.projectId === scope && row.model === value,
    projectTag: row.projectId === scope && row.tags?.includes(value) === true,
    session: false, // has no sums by day: tests/store/usage/session_sums_test.ts
  };
  return rules[dimension];
}

function sumUp(rows: readonly RequestLogRow[]) {
  let [requests, failures, costNanoUsd, input, output, hosted] = [0, 0, 0n, 0, 0, 0];
  for (const row of rows) {
    requests++;
    if (["truncated", "upstream_error", "timeout", "refused"].includes(row.outcome)) failures++;
    costNanoUsd += row.costNanoUsd ?? 0n;
    if (!row.usage) continue;
    input += totalInputTokens(row.usage);
    output += totalOutputTokens(row.usage);
    for (const calls of Object.values(row.usage.hostedToolCalls)) hosted += calls;
  }
  return { requests, failures, costNanoUsd, input, output, hosted };
}

Deno.test("usage: what the log finds as failed is what is counted as failures", async () => {
  await withMemoryStore(async (store) => {
    const rows = requestOutcomes.flatMap((outcome, n) =>
      [200, 499, 502].map((status, m) => {
        const id = requestIdOf(eveningMs, 3 * n + m);
        return sampleRow(n, { id, atMs: eveningMs, status, outcome });
      })
    );
    await leaveRows(store, rows);
    const found = await listRequestLogs(store, { status: "failed", limit: 100 });
    const period = { fromMs: eveningMs - hourMs, toMs: eveningMs + hourMs };
    const { counts } = await usageTotals(store, subjects.all(), period);
    assertEquals(found.rows.length, counts.failures);
    assertEquals(new Set(found.rows.map(({ outcome }) => outcome)).has("truncated"), true);
  });
});

function summary(counts: Counts): ReturnType<typeof sumUp> {
  const { requests, failures, costNanoUsd, hostedToolCalls } = counts;
  const usage = { ...counts, hostedToolCalls: {} };
  const [input, output] = [totalInputTokens(usage), totalOutputTokens(usage)];
  return { requests, failures, costNanoUsd, input, output, hosted: hostedToolCalls };
}

const anySubject = fc.constantFrom(
  subjects.all(),
  subjects.account("account_1"),
  subjects.group("group_0"),
  subjects.upstream("acme"),
  subjects.key("key_4", "account_1"),
  subjects.key("key_4", "account_2"),
  subjects.model("m"),
  subjects.model("模型 𝄞", "account_0"),
  subjects.keyModel("m", "key_4"),
  subjects.account("nobody"),
);
const anyPeriod = fc.tuple(fc.integer({ min: -3, max: 100 }), fc.integer({ min: 0, max: 100 }))
  .map(([from, hours]) => {
    const fromMs = eveningMs + from * hourMs;
    return { fromMs, toMs: fromMs + hours * hourMs };
  });

Deno.test("usage: totals and series of any subject and period are what its rows add up to", async () => {
  const [drawn] = fc.sample(anyRows({ minLength: 400, maxLength: 400 }), { numRuns: 1, seed: 5 });
  const rows = spread(drawn, 4);
  await withMemoryStore(async (store) => {
    await leaveRows(store, rows);
    await fc.assert(
      fc.asyncProperty(anySubject, anyPeriod, async (subject, period) => {
        const within = ({ atMs }: { atMs: number }) => atMs >= period.fromMs && atMs < period.toMs;
        const own = rows.filter((row) => countsUnder(row, subject));
        const totals = await usageTotals(store, subject, period);
        const meant = own.filter(within);
        assertEquals(summary(totals.counts), sumUp(meant));
        const timed = meant.filter(({ upstreamId }) => upstreamId !== undefined).length;
        assertEquals(totals.times.duration.reduce((sum, count) => sum + count, 0), timed);
        for (const point of await usageSeries(store, subject, { ...period, step: "hour" })) {
          const hour = own.filter(({ atMs }) => Math.floor(atMs / hourMs) * hourMs === point.atMs);
          assertEquals(summary(point.counts), sumUp(hour));
        }
      }),
      { numRuns: 100 },
    );
  });
});

Deno.test("usage: a series has every step of its period, a day at a time too", async () => {
  await withMemoryStore(async (store) => {
    const atMs = eveningMs + 3 * hourMs;
    await leaveRows(store, [sampleRow(1, { atMs, costNanoUsd: 5n })]);
    const period = { fromMs: eveningMs, toMs: eveningMs + 2 * dayMs, step: "day" } as const;
    const points = await usageSeries(store, subjects.account("owner"), period);
    assertEquals(points.map(({ counts }) => counts.costNanoUsd), [0n, 5n, 0n]);
    assertEquals(points[0].atMs, Date.UTC(2026, 10, 21));
    const long = await usageSeries(store, subjects.all(), { ...period, fromMs: 0 });
    assertEquals(long.length, 1_024);
    assertEquals(long.at(-1)?.atMs, points.at(-1)?.atMs);
    assertEquals(await usageSeries(store, subjects.all(), { ...period, toMs: 0 }), []);
  });
});

Deno.test("usage: a period without an end reaches to what is last", async () => {
  await withMemoryStore(async (store) => {
    await leaveRows(store, [sampleRow(1, { atMs: eveningMs })]);
    const { counts } = await usageTotals(store, subjects.all(), { fromMs: 0, toMs: Infinity });
    assertEquals(counts.requests, 1);
  });
});

Deno.test("topUsage: keys of an account by spend, models of one and of all, and what the others used", async () => {
  const [drawn] = fc.sample(anyRows({ minLength: 300, maxLength: 300 }), { numRuns: 1, seed: 9 });
  const rows = spread(drawn, 2);
  await withMemoryStore(async (store) => {
    await leaveRows(store, rows);
    const period = { fromMs: eveningMs, toMs: eveningMs + dayMs };
    const cases = [
      { dimension: "key", accountId: "account_1" },
      { dimension: "model", accountId: "account_1" },
      { dimension: "model" },
      { dimension: "account" },
    ] as const;
    for (const one of cases) {
      const { top, others, othersCount } = await topUsage(store, period, {
        ...one,
        by: "costNanoUsd",
        limit: 1,
      });
      const values = new Set(rows.map((row) => ({
        key: row.keyId,
        model: row.model,
        account: row.accountId,
      }[one.dimension])));
      const scope = "accountId" in one ? one.accountId : "";
      const expected = [...values].map((value) => {
        const subject = { dimension: one.dimension, scope, value };
        const own = rows.filter((row) =>
          countsUnder(row, subject) && row.atMs >= period.fromMs && row.atMs < period.toMs
        );
        return { value, sum: sumUp(own) };
      }).filter(({ sum }) => sum.requests > 0)
        .sort((a, b) => Number(b.sum.costNanoUsd - a.sum.costNanoUsd));
      assertEquals(top[0].subject.value, expected[0].value);
      assertEquals(summary(top[0].counts), expected[0].sum);
      assertEquals(othersCount, expected.length - 1);
      const rest = expected.slice(1).reduce(
        (sum, { sum: { costNanoUsd } }) => sum + costNanoUsd,
        0n,
      );
      assertEquals(others.costNanoUsd, rest);
    }
  });
});

Deno.test("usage: a model that no upstream took for one has no sums of its own", async () => {
  await withMemoryStore(async (store) => {
    const made = (n: number, fields: Partial<RequestLogRow>) =>
      sampleRow(n, { atMs: eveningMs, model: `made up ${n}`, outcome: "refused", ...fields });
    await leaveRows(store, [
      made(1, { status: 404 }),
      made(2, { status: 404, upstreamId: "acme", outcome: "upstream_error" }),
      made(3, { status: 503, upstreamId: "acme", outcome: "upstream_error" }),
    ]);
    const period = { fromMs: eveningMs, toMs: eveningMs + hourMs };
    const options = { dimension: "model", by: "requests", limit: 9 } as const;
    const { top } = await topUsage(store, period, options);
    assertEquals(top.map(({ subject }) => subject.value), ["made up 3"]);
    const own = await usageTotals(store, subjects.key("key_1", "owner"), period);
    assertEquals([own.counts.requests, own.counts.failures], [3, 3]);
  });
});

Deno.test("usage: percentiles come from the same calls", async () => {
  await withMemoryStore(async (store) => {
    const rows = Array.from({ length: 100 }, (_, n) =>
      sampleRow(n, {
        atMs: eveningMs,
        upstreamId: "acme",
        durationMs: (n + 1) * 10,
        firstByteMs: 40,
      }));
    await leaveRows(store, rows);
    const period = { fromMs: eveningMs, toMs: eveningMs + hourMs };
    const { times } = await usageTotals(store, subjects.upstream("acme"), period);
    const [p50, p95] = [percentile(times.duration, 0.5), percentile(times.duration, 0.95)];
    assert(p50 !== undefined && Math.abs(p50 - 500) < 65, String(p50));
    assert(p95 !== undefined && Math.abs(p95 - 950) < 125, String(p95));
    assertEquals(times.firstByte.reduce((sum, count) => sum + count, 0), 100);
  });
});

Deno.test("usage: of 100,000 calls in a quarter of a year a query reads a bounded number of sums", async () => {
  await withMemoryStore(async (store) => {
    for (let start = 0; start < 100_000; start += 20_000) {
      const rows = Array.from({ length: 20_000 }, (_, n) => {
        const atMs = eveningMs + Math.floor((start + n) * 90 / 100_000 * 4) * 6 * hourMs;
        const keyId = `key_${n % 40}`;
        return sampleRow(n, { atMs, keyId, accountId: `account_${n % 4}`, upstreamId: "acme" });
      });
      await leaveRows(store, rows);
    }
    let read = 0;
    const counted = watchedStore(store, { entriesRead: (count) => read += count });
    const quarter = { fromMs: eveningMs, toMs: eveningMs + 90 * dayMs };
    const { counts } = await usageTotals(store, subjects.all(), quarter);
    assertEquals(counts.requests, 100_000);
    await usageTotals(counted, subjects.account("account_1"), quarter);
    assert(read < 90 * 4 + 100, `${read} entries for totals`);
    read = 0;
    await usageSeries(counted, subjects.account("account_1"), { ...quarter, step: "day" });
    assert(read < 91 * 4, `${read} entries for a series`);
    read = 0;
    const top = await topUsage(counted, quarter, {
      dimension: "key",
      accountId: "account_1",
      by: "costNanoUsd",
      limit: 5,
    });
    assertEquals(top.top.length + top.othersCount, 10);
    assert(read < 10 * (90 * 2 + 20), `${read} entries for the keys of an account`);
  });
});
