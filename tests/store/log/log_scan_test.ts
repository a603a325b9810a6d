import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { linesFilter, rowFilter } from "../../../lib/store/log/log_filter.ts";
import {
  countRequestLogs,
  listRequestLogs,
  type LogFilter,
  type RequestLogRow,
} from "../../../lib/store/log/mod.ts";
import { packRow, packRows, unpackRows } from "../../../lib/store/log/request_log_pack.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { sampleRow } from "../samples.ts";
import { withMemoryStore } from "../temp_store.ts";
import { leaveRows } from "./log_rows.ts";
import { baseMs, requestIdOf } from "./row_arbitrary.ts";

const scans: Record<string, { filter: LogFilter; found: readonly number[] }> = {
  "a format": { filter: { format: "generate-content" }, found: [2] },
  "slower than": { filter: { slowerThanMs: 1_000 }, found: [3] },
  "dearer than": { filter: { dearerThanNanoUsd: 5n }, found: [1] },
  "a tag": { filter: { tag: "nightly" }, found: [2] },
  "a session": { filter: { tag: "s" }, found: [3, 2, 1] },
  "a sub-agent of a session": { filter: { tag: "s/a" }, found: [2] },
  "a request class of a sub-agent": { filter: { tag: "s/a/plan" }, found: [2] },
  "the main agent of a session": { filter: { tag: "s//" }, found: [1] },
  "a part of a session's name": { filter: { tag: "s/a/p" }, found: [] },
  "part of a client's name, in any case": { filter: { text: "CURL" }, found: [1] },
  "a scan beside an index": { filter: { model: "m2", format: "generate-content" }, found: [2] },
  "an upstream that failed before another answered": {
    filter: { upstreamId: "first" },
    found: [3],
  },
  "nothing": { filter: { text: "nowhere" }, found: [] },
};

for (const [name, { filter, found }] of Object.entries(scans)) {
  Deno.test(`log scan: ${name}`, () =>
    withMemoryStore(async (store) => {
      await leaveRows(store, sampleRows());
      const { rows, next } = await listRequestLogs(store, { ...filter, limit: 10 });
      assertEquals(rows.map(({ atMs }) => atMs - baseMs), found);
      assertEquals(next, undefined);
      assertEquals(await countRequestLogs(store, filter, 10), { count: found.length, more: false });
    }));
}

Deno.test("log scan: a page reads only so many rows, and the next one goes on behind them", () =>
  withMemoryStore(async (store) => {
    const rows = Array.from({ length: 2_300 }, (_, n) => rowAt(n, n === 7 ? { tag: "x" } : {}));
    await leaveRows(store, rows);
    const pages = await pagesOf(store, { tag: "x" });
    assertEquals(pages.map(({ length }) => length), [0, 0, 1]);
  }));

Deno.test("log scan: pages of a scan hold every row once, in order", () =>
  withMemoryStore(async (store) => {
    const rows = Array.from(
      { length: 600 },
      (_, n) => rowAt(n, n % 3 === 0 ? { format: "generate-content" } : {}),
    );
    await leaveRows(store, rows);
    const found = (await pagesOf(store, { format: "generate-content" })).flat();
    const wanted = rows.filter(({ format }) => format === "generate-content").map(({ id }) => id);
    assertEquals(found.map(({ id }) => id), wanted.toReversed());
  }));

Deno.test("log scan: a page says how many rows it read, and back to when", () =>
  withMemoryStore(async (store) => {
    await leaveRows(store, Array.from({ length: 2_300 }, (_, n) => rowAt(n, {})));
    const query = { text: "nowhere", limit: 50 };
    const first = await listRequestLogs(store, query, { rowsMax: 2_000 });
    assertEquals(first.searched, { rows: 2_000, backToMs: baseMs + 300 });
    const last = await listRequestLogs(store, { ...query, before: first.next });
    assertEquals([last.searched, last.next], [{ rows: 300, backToMs: baseMs }, undefined]);
  }));

Deno.test("log scan: a full page counts the rows down to its last one", () =>
  withMemoryStore(async (store) => {
    await leaveRows(store, Array.from({ length: 100 }, (_, n) => rowAt(n, { tag: "x" })));
    const { rows, searched } = await listRequestLogs(store, { tag: "x", limit: 10 });
    assertEquals([rows.length, searched], [10, { rows: 10, backToMs: baseMs + 90 }]);
  }));

Deno.test("log scan: a full page counts no further rows that were read for its successor", () =>
  withMemoryStore(async (store) => {
    const isMatch = (n: number) => n === 0 || n >= 2_290;
    const rows = Array.from(
      { length: 2_300 },
      (_, n) => rowAt(n, isMatch(n) ? { tag: "x" } : {}),
    );
    await leaveRows(store, rows);
    const query = { tag: "x", limit: 10 };
    const first = await listRequestLogs(store, query, { rowsMax: 5_000 });
    assertEquals([first.rows.length, first.searched], [10, { rows: 10, backToMs: baseMs + 2_290 }]);
    const last = await listRequestLogs(store, { ...query, before: first.next }, { rowsMax: 5_000 });
    assertEquals([last.rows.length, last.searched?.rows, last.next], [1, 2_290, undefined]);
  }));

Deno.test("log scan: a search without a bound of rows ends after its time, or when its reader has left", () =>
  withMemoryStore(async (store) => {
    await leaveRows(store, Array.from({ length: 2_300 }, (_, n) => rowAt(n, {})));
    const query = { text: "nowhere", limit: 50 };
    const unbounded = { rowsMax: Infinity };
    const bounds = [
      { ...unbounded, ms: 0 },
      { ...unbounded, signal: AbortSignal.abort() },
    ];
    for (const bound of bounds) {
      assertEquals((await listRequestLogs(store, query, bound)).searched?.rows, 1_000);
    }
    assertEquals((await listRequestLogs(store, query, unbounded)).searched?.rows, 2_300);
  }));

const texts = fc.oneof(
  fc.constantFrom("", "GPT", 'a"b', "\\", "n", "\n", "Σ", "ΑΣ", "İ", "\u212a", "k", "\ud800", "ß"),
  fc.string({ unit: "binary", maxLength: 4 }),
);

Deno.test("log scan: the test of lines rejects no row that matches", () => {
  fc.assert(
    fc.property(texts, texts, texts, (before, text, after) => {
      const row = rowAt(1, { model: before + text + after, tag: text });
      const line = linesOf(row);
      for (const filter of [{ text }, { tag: text }, { text: text.toUpperCase() }]) {
        if (rowFilter(filter)?.(row)) {
          assert(linesFilter(filter)?.(line) ?? true, JSON.stringify(line));
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("log scan: the test of lines rejects rows without the text", () => {
  const line = linesOf(rowAt(1, { model: "acme", tag: "x" }));
  assertEquals(linesFilter({ text: "nowhere" })?.(line), false);
  assertEquals(linesFilter({ tag: "X" })?.(line), false);
});

/** The lines of a row, as a search reads them. */
function linesOf(row: RequestLogRow): string {
  const { shared, line } = packRow(row);
  return shared.text + line;
}

Deno.test("log row: the limit that refused a call is kept", () => {
  const refusedBy = {
    name: "key daily budget",
    kind: "money",
    limit: 10n ** 20n,
    remaining: 7n,
    resetsAtMs: baseMs,
  } as const;
  const [value] = packRows([packRow(rowAt(1, { refusedBy }))]);
  assertEquals(unpackRows(value)[0].row.refusedBy, refusedBy);
});

function sampleRows(): RequestLogRow[] {
  const attempt = { upstreamModel: "m", startedAfterMs: 1, durationMs: 2 } as const;
  return [
    rowAt(1, {
      costNanoUsd: 9n,
      userAgent: "curl/8.5",
      format: "responses",
      session: { id: "s" },
    }),
    rowAt(2, {
      format: "generate-content",
      tag: "nightly",
      model: "m2",
      session: { id: "s", agent: "a", requestClass: "plan" },
    }),
    rowAt(3, {
      session: { id: "s", agent: "ab" },
      durationMs: 1_001,
      attempts: [
        { ...attempt, upstreamId: "first", outcome: "timeout" },
        { ...attempt, upstreamId: "second", outcome: "completed" },
      ],
      upstreamId: "second",
    }),
  ];
}

function rowAt(n: number, fields: Partial<RequestLogRow>): RequestLogRow {
  const atMs = baseMs + n;
  return sampleRow(n, { id: requestIdOf(atMs, n), atMs, ...fields });
}

async function pagesOf(store: Store, filter: LogFilter): Promise<(readonly RequestLogRow[])[]> {
  const pages: (readonly RequestLogRow[])[] = [];
  let before: string | undefined;
  do {
    const page = await listRequestLogs(store, { ...filter, before, limit: 50 });
    pages.push(page.rows);
    before = page.next;
  } while (before !== undefined);
  return pages;
}
