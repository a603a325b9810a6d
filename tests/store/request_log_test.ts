import { assert, assertEquals } from "@std/assert";
import { noUsage } from "../../lib/canonical/mod.ts";
import {
  addRequestLogs,
  appendRequestLogs,
  getRequestLog,
  listRequestLogs,
  openStore,
  type RequestLogRow,
  runsOfRows,
  type Store,
} from "../../lib/store/mod.ts";
import { sampleRow } from "./samples.ts";
import { eventually, testOnStores, withTempFolder } from "./temp_store.ts";

const dayMs = 86_400_000;

function sampleRows(count: number, fields: Partial<RequestLogRow> = {}): RequestLogRow[] {
  return Array.from({ length: count }, (_, index) => sampleRow(index, fields));
}

/** Every text as long as a hostile caller can make it. */
const long = "x𝄞".repeat(300_000);
const hostile: Partial<RequestLogRow> = {
  keyName: long,
  model: long,
  upstreamModel: long,
  upstreamId: long,
  errorCode: long,
  userAgent: long,
  ip: long,
  notes: Array.from({ length: 500 }, () => ({ path: long, action: "dropped", reason: long })),
  usage: {
    ...noUsage,
    hostedToolCalls: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}${long}`, 1])),
    native: { format: "messages", fields: { long } },
  },
};

testOnStores("request log: rows are read as they were written", async (store) => {
  const row = sampleRow(1, {
    upstreamId: "acme",
    usage: { ...noUsage, inputTokens: 3, hostedToolCalls: { "web-search": 2 } },
    usageSource: "upstream",
    costNanoUsd: 123n,
    notes: [{ path: "seed", action: "dropped", reason: "No seed there" }],
  });
  await appendRequestLogs(store, [row], dayMs);
  assertEquals(await getRequestLog(store, row.id), row);
  assertEquals(await getRequestLog(store, "req_other"), undefined);
});

testOnStores("request log: pages come newest first, of all accounts or of one", async (store) => {
  const rows = sampleRows(45).map((row, index) => ({ ...row, accountId: index % 2 ? "a" : "b" }));
  await appendRequestLogs(store, rows, dayMs);
  const newestFirst = rows.toReversed();
  assertEquals(await pagesOf(store, {}), newestFirst);
  for (const accountId of ["a", "b"]) {
    const own = newestFirst.filter((row) => row.accountId === accountId);
    assertEquals(await pagesOf(store, { accountId }), own);
  }
  assertEquals(await listRequestLogs(store, { accountId: "c", limit: 10 }), { rows: [] });
});

async function pagesOf(store: Store, options: { accountId?: string }): Promise<RequestLogRow[]> {
  const rows: RequestLogRow[] = [];
  let before: string | undefined;
  do {
    const page = await listRequestLogs(store, { ...options, before, limit: 10 });
    rows.push(...page.rows);
    before = page.next;
  } while (before !== undefined);
  return rows;
}

testOnStores("request log: more rows than one commit takes are all written", async (store) => {
  await appendRequestLogs(store, sampleRows(1_201), dayMs);
  assertEquals((await pagesOf(store, {})).length, 1_201);
});

testOnStores(
  "request log: hostile rows are cut and fit, alone and by the hundred",
  async (store) => {
    await appendRequestLogs(store, sampleRows(300, hostile), dayMs);
    const row = await getRequestLog(store, sampleRow(299).id);
    assert(row !== undefined);
    assertEquals(row.model.length, 200);
    assert(row.model.endsWith("…"));
    assertEquals(row.notes?.length, 21);
    assertEquals(row.notes?.at(-1)?.reason, "480 more notes not kept");
    assertEquals(row.usage?.native, undefined);
    assertEquals(Object.keys(row.usage?.hostedToolCalls ?? {}).length, 16);
  },
);

testOnStores("runsOfRows gives runs that one commit takes beside other work", async (store) => {
  for (const rows of [sampleRows(1_000), sampleRows(200, hostile)]) {
    const runs = [...runsOfRows(rows, 300)];
    assertEquals(runs.flat().map(({ id }) => id), rows.map(({ id }) => id));
    for (const run of runs) {
      assert(run.length > 0 && run.length <= 300);
      const operation = store.kv.atomic();
      addRequestLogs(operation, run, dayMs);
      for (let other = 0; other < 100; other++) operation.set(["other", other], "x".repeat(1_000));
      assertEquals((await operation.commit()).ok, true);
    }
  }
  assertEquals([...runsOfRows([], 10)], []);
});

Deno.test("request log: rows end with their retention", async () => {
  await withTempFolder(async (folder) => {
    const location = { type: "file", path: `${folder}/t.db` } as const;
    const first = await openStore({ location });
    await appendRequestLogs(first, sampleRows(2), 1);
    await appendRequestLogs(first, [sampleRow(5)], dayMs);
    first.close();
    // An open store sweeps once a minute, one that opens sweeps at once.
    const second = await openStore({ location });
    for (const accountId of [undefined, "owner"]) {
      const gone = await eventually(async () => {
        const { rows } = await listRequestLogs(second, { accountId, limit: 10 });
        return rows.length === 1 && rows[0]?.id === sampleRow(5).id;
      });
      assert(gone, "expired rows are still listed");
    }
    second.close();
  });
});
