import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { keys } from "../../../lib/store/keys.ts";
import {
  getRequestLog,
  listRequestLogs,
  type LogFilter,
  type RequestLogRow,
} from "../../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { sampleRow } from "../samples.ts";
import { eventually, testOnStores, withMemoryStore, withTempFolder } from "../temp_store.ts";
import { watchedStore } from "../watched_store.ts";
import { countKeys, leaveRows, pagedRows } from "./log_rows.ts";
import { anyRows, baseMs, requestIdOf } from "./row_arbitrary.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

async function pagesOf(
  store: Store,
  filter: LogFilter,
  limit = 10,
): Promise<RequestLogRow[]> {
  const rows: RequestLogRow[] = [];
  let before: string | undefined;
  do {
    const page = await listRequestLogs(store, { ...filter, before, limit });
    assert(page.rows.length <= limit);
    rows.push(...page.rows);
    before = page.next;
  } while (before !== undefined);
  return rows;
}

/** Applies a filter without any index. */
function matching(rows: readonly RequestLogRow[], filter: LogFilter): RequestLogRow[] {
  const { accountId, keyId, groupId, model, upstreamId, status } = filter;
  const { fromMs = 0, toMs = Infinity } = filter;
  return rows.filter((row) =>
    (accountId ?? row.accountId) === row.accountId && (keyId ?? row.keyId) === row.keyId &&
    (groupId ?? row.groupId) === row.groupId && (model ?? row.model) === row.model &&
    (upstreamId === undefined || wasAsked(row, upstreamId)) &&
    (status === undefined || hasStatus(row, status)) && row.atMs >= fromMs && row.atMs < toMs
  ).sort((a, b) => a.id < b.id ? 1 : -1);
}

function wasAsked({ upstreamId, attempts = [] }: RequestLogRow, wanted: string): boolean {
  return [upstreamId, ...attempts.map(({ upstreamId }) => upstreamId)].includes(wanted);
}

function hasStatus({ status, outcome }: RequestLogRow, wanted: string): boolean {
  if (wanted === "failed") {
    return ["truncated", "upstream_error", "timeout", "refused"].includes(outcome);
  }
  return [String(status), `${String(status)[0]}xx`, outcome].includes(wanted);
}

testOnStores("request log: rows are read as they were written, compacted or not", async (store) => {
  const [rows] = fc.sample(anyRows({ minLength: 20, maxLength: 20 }), { numRuns: 1, seed: 3 });
  await leaveRows(store, rows);
  for (const row of rows) assertEquals(await getRequestLog(store, row.id), row);
  await compactRows(store);
  for (const row of rows) assertEquals(await getRequestLog(store, row.id), row);
  assertEquals(await getRequestLog(store, requestIdOf(baseMs, 99)), undefined);
  assertEquals(await getRequestLog(store, "req_other"), undefined);
});

testOnStores("request log: ids that say no time are found too", async (store) => {
  const rows = [sampleRow(1), sampleRow(2)];
  await leaveRows(store, rows);
  await compactRows(store);
  assertEquals(await getRequestLog(store, rows[1].id), rows[1]);
});

testOnStores("request log: pages come newest first, of all accounts or of one", async (store) => {
  const rows = Array.from(
    { length: 45 },
    (_, n) => sampleRow(n, { id: requestIdOf(baseMs + n, n), accountId: n % 2 ? "a" : "b" }),
  );
  await leaveRows(store, rows, { perCommit: 7 });
  const newestFirst = rows.toReversed();
  assertEquals(await pagesOf(store, {}), newestFirst);
  for (const accountId of ["a", "b"]) {
    const own = newestFirst.filter((row) => row.accountId === accountId);
    assertEquals(await pagesOf(store, { accountId }), own);
  }
  assertEquals(await listRequestLogs(store, { accountId: "c", limit: 10 }), {
    rows: [],
    cursors: [],
  });
});

testOnStores(
  "request log: a minute with thousands of calls is paged in their order",
  async (store) => {
    const rows = Array.from({ length: 4_000 }, (_, n) => {
      const atMs = baseMs + (n * 7_919) % minuteMs; // start times are unordered
      return sampleRow(n, { id: requestIdOf(atMs, n), atMs, keyId: `key_${n % 2}` });
    });
    await leaveRows(store, rows);
    for (
      const { filter, limit } of [{ filter: {}, limit: 300 }, {
        filter: { keyId: "key_1" },
        limit: 37,
      }]
    ) {
      const found = await pagesOf(store, filter, limit);
      assertEquals(found.map(({ id }) => id), matching(rows, filter).map(({ id }) => id));
    }
  },
);

testOnStores("request log: a period has its first moment and not its last", async (store) => {
  const rows = [0, 1, 2].map((n) => sampleRow(n, { id: requestIdOf(baseMs + n, n) }));
  await leaveRows(store, rows);
  const found = await pagesOf(store, { fromMs: baseMs, toMs: baseMs + 2 });
  assertEquals(found, [rows[1], rows[0]]);
});

testOnStores("request log: a full last page has no next", async (store) => {
  await leaveRows(store, [sampleRow(1), sampleRow(2)]);
  assertEquals((await listRequestLogs(store, { limit: 2 })).next, undefined);
  assert((await listRequestLogs(store, { limit: 1 })).next !== undefined);
});

testOnStores("request log: what is no cursor begins anew", async (store) => {
  await leaveRows(store, [sampleRow(1)]);
  for (const before of ["", "1", "req_1", "1.2", "-1.0.a", "1.0.a/b", "9".repeat(99) + ".0.a"]) {
    assertEquals((await listRequestLogs(store, { before, limit: 2 })).rows.length, 1, before);
  }
});

testOnStores("request log: rows that arrive between two pages move nothing", async (store) => {
  const rowOf = (n: number) => sampleRow(n, { id: requestIdOf(baseMs + n, n) });
  await leaveRows(store, [rowOf(1), rowOf(2), rowOf(3)]);
  const first = await listRequestLogs(store, { limit: 2 });
  await leaveRows(store, [rowOf(4), rowOf(5)]);
  const second = await listRequestLogs(store, { before: first.next, limit: 2 });
  assertEquals([...first.rows, ...second.rows], [rowOf(3), rowOf(2), rowOf(1)]);
});

const anyFilter: fc.Arbitrary<LogFilter> = fc.record({
  accountId: fc.constantFrom("account_0", "account_1", "nobody"),
  keyId: fc.constantFrom("key_0", "key_1", "key_4"),
  groupId: fc.constantFrom("group_0", "group_1"),
  model: fc.constantFrom("m", "模型 𝄞"),
  upstreamId: fc.constantFrom("acme", "other"),
  status: fc.constantFrom("200", "429", "4xx", "5xx", "completed", "refused", "failed", "odd"),
  fromMs: fc.integer({ min: baseMs - minuteMs, max: baseMs + 3 * hourMs }),
  toMs: fc.oneof(
    fc.integer({ min: baseMs, max: baseMs + 4 * hourMs }),
    fc.constantFrom(-1, Number.MAX_SAFE_INTEGER),
  ),
}, { requiredKeys: [] });

Deno.test("request log: any filter finds what reading every row would, page by page", async () => {
  const [rows] = fc.sample(anyRows({ minLength: 600, maxLength: 600 }), { numRuns: 1, seed: 11 });
  await withMemoryStore(async (store) => {
    await leaveRows(store, rows, { perCommit: 40 });
    await compactRows(store);
    await fc.assert(
      fc.asyncProperty(anyFilter, fc.integer({ min: 1, max: 50 }), async (filter, limit) => {
        const found = await pagesOf(store, filter, limit);
        assertEquals(found.map(({ id }) => id), matching(rows, filter).map(({ id }) => id));
      }),
      { numRuns: 200 },
    );
  });
});

Deno.test("request log: of 100,000 rows a page reads a few entries, whatever its filter", async () => {
  await withMemoryStore(async (store) => {
    for (let start = 0; start < 100_000; start += 10_000) {
      await leaveRows(store, Array.from({ length: 10_000 }, (_, n) => manyRow(start + n)));
      await compactRows(store, { rollups: false });
    }
    const pages = await countKeys(store, keys.logPages);
    assert(pages < 1_000, `${pages} pages`);
    let read = 0;
    const counted = watchedStore(store, { entriesRead: (count) => read += count });
    for (const { filter, rows, entries } of boundedCases) {
      read = 0;
      const page = await listRequestLogs(counted, { ...filter, limit: 50 });
      assertEquals(page.rows.length, rows, JSON.stringify(filter));
      assert(read <= entries, `${read} entries for ${JSON.stringify(filter)}`);
    }
    read = 0;
    assertEquals(await getRequestLog(counted, manyRow(54_321).id), manyRow(54_321));
    assert(read < 100, `${read} entries for one id`);
  });
});

/** One call a second, of 50 keys of 10 accounts; one in 1,000 is refused, and one model is rare. */
function manyRow(n: number): RequestLogRow {
  const atMs = baseMs + n * 1_000;
  return sampleRow(n, {
    id: requestIdOf(atMs, n),
    atMs,
    keyId: `key_${n % 50}`,
    accountId: `account_${n % 10}`,
    model: n % 20_000 === 7 ? "rare" : `m${n % 5}`,
    upstreamId: "acme",
    ...(n % 1_000 === 3 && { status: 429, outcome: "refused" as const }),
  });
}

const boundedCases = [
  { filter: {}, rows: 50, entries: 120 },
  { filter: { accountId: "account_3" }, rows: 50, entries: 200 },
  { filter: { keyId: "key_7" }, rows: 50, entries: 250 },
  { filter: { status: "429" }, rows: 50, entries: 300 },
  { filter: { model: "rare" }, rows: 5, entries: 50 },
  { filter: { accountId: "account_7", model: "rare" }, rows: 5, entries: 50 },
  { filter: { accountId: "account_3", status: "failed" }, rows: 50, entries: 600 },
  { filter: { accountId: "account_4", status: "failed" }, rows: 0, entries: 600 },
  { filter: { fromMs: baseMs, toMs: baseMs + hourMs }, rows: 50, entries: 200 },
  { filter: { keyId: "key_7", fromMs: baseMs, toMs: baseMs + hourMs }, rows: 50, entries: 250 },
  { filter: { keyId: "key_1", accountId: "account_2" }, rows: 0, entries: 5_500 },
] as const satisfies readonly { filter: LogFilter; rows: number; entries: number }[];

Deno.test("request log: a search that finds nothing in what it may read goes on where it stopped", async () => {
  await withMemoryStore(async (store) => {
    const rows = Array.from({ length: 6_000 }, (_, n) => {
      const atMs = baseMs + n * minuteMs;
      const [keyId, model] = n % 2 ? ["one", "m1"] : ["two", "m2"];
      return sampleRow(n, { id: requestIdOf(atMs, n), atMs, keyId, model });
    });
    rows[0] = { ...rows[0], keyId: "one" };
    await leaveRows(store, rows);
    const first = await listRequestLogs(store, { keyId: "one", model: "m2", limit: 10 });
    assertEquals(first.rows, []);
    assert(first.next !== undefined);
    assertEquals(await pagesOf(store, { keyId: "one", model: "m2" }), [rows[0]]);
  });
});

Deno.test("request log: rows, pages and indexes end with their retention", async () => {
  await withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/t.db` } as const;
    const short = await openStore({ location, logRetentionMs: 1 });
    await leaveRows(short, [sampleRow(1), sampleRow(2)]);
    await compactRows(short);
    short.close();
    // An open store sweeps once a minute, one that opens sweeps at once.
    const long = await openStore({ location });
    await leaveRows(long, [sampleRow(5)]);
    const gone = await eventually(async () =>
      (await pagesOf(long, {})).length === 1 && await countKeys(long, keys.logPages) === 1
    );
    assert(gone, "expired rows are still listed");
    assertEquals(await pagedRows(long), [sampleRow(5)]);
    assertEquals(await pagesOf(long, { accountId: "owner" }), [sampleRow(5)]);
    long.close();
  });
});
