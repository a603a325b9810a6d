import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { noUsage, totalInputTokens } from "../../lib/canonical/mod.ts";
import { exportRequestLogs } from "../../lib/ledger/mod.ts";
import { type RequestLogRow, streamRequestLogs } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { compactRows } from "../../lib/store/settling/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { anyRows, baseMs, requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { withMemoryStore } from "../store/temp_store.ts";
import { watchedStore } from "../store/watched_store.ts";
import { readCsv } from "./csv.ts";

async function withRows(
  rows: readonly RequestLogRow[],
  run: (store: Store) => Promise<void>,
): Promise<void> {
  await withMemoryStore(async (store) => {
    await leaveRows(store, rows);
    await run(store);
  });
}

const emails = new Map([["owner", "owner@example.com"]]);

async function exported(store: Store, format: "csv" | "jsonl", filter = {}): Promise<string> {
  const calls = exportRequestLogs(streamRequestLogs(store, filter), format, { emails });
  return (await Array.fromAsync(calls)).join("");
}

/** The lines of a CSV file as records by name, without what defuses them. */
function recordsOf(csv: string): Record<string, string>[] {
  const [names, ...lines] = readCsv(csv);
  return lines.map((cells) => {
    assertEquals(cells.length, names.length);
    return Object.fromEntries(names.map((name, at) => [name, cells[at].replace(/^'/, "")]));
  });
}

/** The record that the exported file must have for a row. */
function expectedRecord(row: RequestLogRow): Record<string, string> {
  const { usage } = row;
  const text = (value: string | number | boolean | undefined) => String(value ?? "");
  return {
    request_id: row.id,
    time: new Date(row.atMs).toISOString(),
    account_email: text(emails.get(row.accountId)),
    key_id: row.keyId,
    model: row.model,
    upstream: text(row.upstreamId),
    stream: text(row.stream),
    status: text(row.status),
    error_code: text(row.errorCode),
    input_tokens: text(usage && totalInputTokens(usage)),
    reasoning_tokens: text(usage?.reasoningTokens),
    duration_ms: text(row.durationMs),
    first_byte_ms: text(row.firstByteMs),
    user_agent: text(row.userAgent),
    socket: text(row.socket),
    replay_of: text(row.replayOf),
  };
}

const newestFirst = (rows: readonly RequestLogRow[]) =>
  rows.toSorted((a, b) => a.id < b.id ? 1 : -1);

/** Dollars in decimal text as nano-dollars. */
function nanoUsd(text: string): bigint {
  const [whole, fraction = ""] = text.split(".");
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
}

Deno.test("export: CSV says of any rows what JSON lines say, and both what the rows say", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyRows({ minLength: 1, maxLength: 30 }),
      (rows) =>
        withRows(rows, async (store) => {
          const records = recordsOf(await exported(store, "csv"));
          const objects = (await exported(store, "jsonl")).trimEnd().split("\n")
            .map((line) => JSON.parse(line));
          assertEquals(records.length, rows.length);
          for (const [at, row] of newestFirst(rows).entries()) {
            const expected = expectedRecord(row);
            const { cost_usd, hosted_tool_calls, cost_lines, notes } = records[at];
            for (const [name, value] of Object.entries(expected)) {
              assertEquals(records[at][name], value, name);
              assertEquals(String(objects[at][name] ?? ""), value, name);
            }
            assertEquals(row.costNanoUsd, cost_usd === "" ? undefined : nanoUsd(cost_usd));
            assertEquals(String(objects[at].cost_usd ?? ""), cost_usd);
            for (const [name, list] of Object.entries({ hosted_tool_calls, cost_lines, notes })) {
              assertEquals(list === "" ? undefined : JSON.parse(list), objects[at][name], name);
            }
          }
        }),
    ),
    { numRuns: 40 },
  );
});

for (
  const { name, value, cell } of [
    { name: "a formula", value: "=1+2", cell: "'=1+2" },
    { name: "a call of a program", value: '=cmd|"/c calc"!A1', cell: `"'=cmd|""/c calc""!A1"` },
    { name: "a sum", value: "+1", cell: "'+1" },
    { name: "a difference", value: "-1+2", cell: "'-1+2" },
    { name: "a number below zero", value: "-1.000000001", cell: "-1.000000001" },
    { name: "an at sign", value: "@SUM(1)", cell: "'@SUM(1)" },
    { name: "a tab", value: "\t=1", cell: '"\'\t=1"'.replace(/^"|"$/g, "") },
    { name: "a line's end", value: "\r=1", cell: `"'\r=1"` },
    { name: "a wide equals sign", value: "＝1", cell: "'＝1" },
    { name: "an apostrophe", value: "'tis", cell: "''tis" },
    { name: "a quote", value: 'say "hi"', cell: '"say ""hi"""' },
    { name: "a comma", value: "a,b", cell: '"a,b"' },
    { name: "lines", value: "a\r\nb", cell: '"a\r\nb"' },
    { name: "a space at the end", value: "a ", cell: '"a "' },
    { name: "an equals sign inside", value: "a=1", cell: "a=1" },
  ]
) {
  Deno.test(`export: ${name} in a text is harmless and comes back`, () =>
    withRows([sampleRow(1, { userAgent: value, keyName: value })], async (store) => {
      const csv = await exported(store, "csv");
      assert(csv.endsWith(`,${cell},,,\r\n`), csv);
      assertEquals(recordsOf(csv)[0].key_name, value);
    }));
}

Deno.test("export: money is exact, times are UTC, what is not known is empty", () =>
  withRows([sampleRow(1, {
    id: requestIdOf(baseMs, 1),
    atMs: baseMs,
    costNanoUsd: 12_000_000_001n,
    uncoveredNanoUsd: 0n,
    costLines: [{ bucket: "input", quantity: 7, nanoUsd: 500_000_000n }],
    usage: { ...noUsage, hostedToolCalls: { "web-search": 2 } },
  })], async (store) => {
    const [record] = recordsOf(await exported(store, "csv"));
    assertEquals(record.time, "2026-11-21T08:00:00.000Z");
    assertEquals([record.cost_usd, record.uncovered_usd], ["12.000000001", "0"]);
    assertEquals(record.cost_lines, '[{"bucket":"input","quantity":7,"usd":"0.5"}]');
    assertEquals(record.hosted_tool_calls, '{"web-search":2}');
    assertEquals([record.upstream, record.first_byte_ms, record.notes], ["", "", ""]);
    const object = JSON.parse(await exported(store, "jsonl"));
    assertEquals("upstream" in object, false);
    assertEquals(object.cost_usd, "12.000000001");
  }));

Deno.test("export: a filter's calls only, and of none the names alone", () =>
  withRows([sampleRow(1, { keyId: "a" }), sampleRow(2, { keyId: "b" })], async (store) => {
    const records = recordsOf(await exported(store, "csv", { keyId: "b" }));
    assertEquals(records.map(({ key_id }) => key_id), ["b"]);
    assertEquals(recordsOf(await exported(store, "csv", { keyId: "c" })), []);
    assertEquals(await exported(store, "jsonl", { keyId: "c" }), "");
  }));

Deno.test("export: whoever stops reading stops the search", () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => {
    const atMs = baseMs + n * 1_000;
    return sampleRow(n, { id: requestIdOf(atMs, n), atMs });
  });
  return withRows(rows, async (store) => {
    await compactRows(store);
    let read = 0;
    const counted = watchedStore(store, { entriesRead: (count) => read += count });
    const text = exportRequestLogs(streamRequestLogs(counted), "jsonl");
    for (let pieces = 0; pieces < 3; pieces++) await text.next();
    await text.return(undefined);
    assert(read < 20, `${read} entries for two pieces`);
  });
});

Deno.test("readCsv refuses what is not RFC 4180", () => {
  for (const text of ['a"b\r\n', '"a"b\r\n', "a\n", "a"]) assertThrows(() => readCsv(text));
});
