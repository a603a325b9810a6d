import { parseArgs } from "node:util";
import { findCall, type LogSource, openPlace, readLog } from "../lib/archive/mod.ts";
import { loadConfig } from "../lib/config.ts";
import { exportRequestLogs } from "../lib/ledger/mod.ts";
import { unreadArchive } from "../lib/store/archive/mod.ts";
import type { LogFilter, RequestLogRow } from "../lib/store/log/mod.ts";
import { openStore } from "../lib/store/mod.ts";
import { onBackup, stop, stopFor } from "./task.ts";

const usage =
  `deno task log prints calls, newest first, from the store of a stopped gateway and the log's archive.

  --from TIME, --to TIME      calls that began at or after the first time and before the second (ISO 8601)
  --key KEY                   calls with a key, by its name or ID
  --account ID, --model NAME, --upstream ID
  --status STATUS             429, 5xx, an outcome such as timeout, or failed
  --id ID                     one call
  --limit NUMBER              at most so many calls
  --json, --csv               all fields, instead of a line of text for each call`;

const options = {
  from: { type: "string" },
  to: { type: "string" },
  key: { type: "string" },
  account: { type: "string" },
  model: { type: "string" },
  upstream: { type: "string" },
  status: { type: "string" },
  id: { type: "string" },
  limit: { type: "string" },
  json: { type: "boolean" },
  csv: { type: "boolean" },
  help: { type: "boolean" },
} as const;

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  try {
    return parseArgs({ args: Deno.args, options }).values;
  } catch (error) {
    stop(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

async function main(): Promise<void> {
  const wanted = readOptions();
  if (wanted.help) return console.log(usage);
  const filter = filterOf(wanted);
  const limit = wanted.limit === undefined ? Infinity : numberIn(wanted.limit);
  const { store: location, secret, logArchive, logRetentionMs } = loadConfig(Deno.env.toObject());
  const place = logArchive && openPlace(logArchive.place);
  const store = await openStore({ location, secret, logRetentionMs, isAudited: true });
  try {
    const unread = place ? undefined : await unreadArchive(store);
    if (unread !== undefined) console.error(`${unread}. Set TESSERA_CONFIG to the gateway's file`);
    const calls = first(callsOf({ store, place }, wanted, filter), limit);
    for await (const text of textOf(calls, wanted)) await write(text);
  } finally {
    store.close();
  }
}

async function* callsOf(
  source: LogSource,
  { id, key }: Options,
  filter: LogFilter,
): AsyncGenerator<readonly RequestLogRow[]> {
  if (id !== undefined) {
    return yield [await findCall(source, id) ?? stop(`No call has the ID ${id}`)];
  }
  for await (const rows of readLog(source, filter)) {
    yield rows.filter(({ keyId, keyName }) => key === undefined || [keyId, keyName].includes(key));
  }
}

function filterOf({ from, to, account, model, upstream, status }: Options): LogFilter {
  return {
    ...(from !== undefined && { fromMs: timeIn(from) }),
    ...(to !== undefined && { toMs: timeIn(to) }),
    ...(account !== undefined && { accountId: account }),
    ...(model !== undefined && { model }),
    ...(upstream !== undefined && { upstreamId: upstream }),
    ...(status !== undefined && { status }),
  };
}

async function* first(
  calls: AsyncIterable<readonly RequestLogRow[]>,
  limit: number,
): AsyncGenerator<readonly RequestLogRow[]> {
  let left = limit;
  for await (const rows of calls) {
    yield rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}

function textOf(
  calls: AsyncIterable<readonly RequestLogRow[]>,
  { json, csv }: Options,
): AsyncIterable<string> {
  if (json) return exportRequestLogs(calls, "jsonl", { isOperator: true });
  return csv ? exportRequestLogs(calls, "csv") : linesOf(calls);
}

async function* linesOf(calls: AsyncIterable<readonly RequestLogRow[]>): AsyncGenerator<string> {
  for await (const rows of calls) yield rows.map(lineOf).join("");
}

function lineOf(row: RequestLogRow): string {
  const { id, atMs, status, outcome, durationMs, costNanoUsd = 0n, keyName, model } = row;
  const usd = `$${(Number(costNanoUsd) / 1e9).toFixed(6)}`;
  const cells = [new Date(atMs).toISOString(), id, status, outcome, `${durationMs} ms`, usd];
  return `${[...cells, keyName, model].map(shown).join("  ")}\n`;
}

/** A caller may have written control characters into a text. */
function shown(cell: string | number): string {
  return String(cell).replaceAll(/\p{Cc}/gu, "�");
}

async function write(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}

function timeIn(text: string): number {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? stop(`${text} is not a time such as 2026-11-21T08:00:00Z`) : ms;
}

function numberIn(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : stop(`--limit must be a positive integer`);
}

if (import.meta.main) {
  await main().catch((error) => {
    if (!(error instanceof Deno.errors.BrokenPipe)) stopFor(error, onBackup("log")); // such as `| head`
  });
}
