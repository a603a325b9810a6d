import { z } from "zod";
import { formatNames } from "../canonical/mod.ts";
import type { Operation } from "../formats/codec.ts";
import { keys } from "./keys.ts";
import { decodeRecord, encodeRecord, getRecord, getRecords, type Kind } from "./record.ts";
import { type RequestLogRow, requestOutcomes } from "./request_log_row.ts";
import { fitRow, runsOfRows } from "./request_log_size.ts";
import type { Store } from "./store.ts";

export type { CostLine, RequestLogRow, RequestOutcome } from "./request_log_row.ts";

const tokens = z.number().default(0);

const kind: Kind<RequestLogRow> = {
  name: "request log",
  version: 2,
  schema: z.object({
    id: z.string(),
    atMs: z.number(),
    accountId: z.string(),
    keyId: z.string(),
    keyName: z.string(),
    groupId: z.string(),
    model: z.string(),
    upstreamModel: z.string().optional(),
    upstreamId: z.string().optional(),
    format: z.enum(formatNames),
    upstreamFormat: z.enum(formatNames).optional(),
    operation: z.custom<Operation>((value) => typeof value === "string"),
    stream: z.boolean(),
    status: z.number(),
    outcome: z.enum(requestOutcomes),
    errorCode: z.string().optional(),
    usage: z.object({
      inputTokens: tokens,
      cacheReadTokens: tokens,
      cacheWrite5mTokens: tokens,
      cacheWrite1hTokens: tokens,
      audioInputTokens: tokens,
      imageInputTokens: tokens,
      outputTokens: tokens,
      reasoningTokens: tokens,
      audioOutputTokens: tokens,
      imageOutputTokens: tokens,
      hostedToolCalls: z.record(z.string(), z.number()).default({}),
    }).optional(),
    usageSource: z.enum(["upstream", "counted", "none"]).optional(),
    costNanoUsd: z.bigint().optional(),
    notes: z.array(z.object({
      path: z.string(),
      action: z.enum(["dropped", "emulated", "clamped", "repaired"]),
      reason: z.string(),
    })).optional(),
    firstByteMs: z.number().optional(),
    durationMs: z.number(),
    userAgent: z.string().optional(),
    ip: z.string().optional(),
  }),
};

/** What a row costs of a commit's 1,000 mutations. */
export const mutationsPerRequestLog = 2;
const rowsPerCommitMax = 1_000 / mutationsPerRequestLog;

export interface RequestLogPage {
  readonly rows: readonly RequestLogRow[];
  /** Hand it on as `before` for the next page; absent on the last. */
  readonly next?: string;
}

export function getRequestLog(store: Store, id: string): Promise<RequestLogRow | undefined> {
  return getRecord(store, kind, keys.requestLog(id));
}

/** Newest first, those before the row with the id `before`, of one account or of all. */
export async function listRequestLogs(
  store: Store,
  { accountId, before, limit }: {
    readonly accountId?: string;
    readonly before?: string;
    readonly limit: number;
  },
): Promise<RequestLogPage> {
  const rows = accountId === undefined
    ? await listOfAll(store, before, limit)
    : await listOfAccount(store, { accountId, before, limit });
  return rows.length < limit ? { rows } : { rows, next: rows.at(-1)?.id };
}

/** Writes rows, those that fit in one commit at once. Texts that are too long are cut. */
export async function appendRequestLogs(
  store: Store,
  rows: readonly RequestLogRow[],
  retentionMs: number,
): Promise<void> {
  for (const run of runsOfRows(rows, rowsPerCommitMax)) {
    const operation = store.kv.atomic();
    addRequestLogs(operation, run, retentionMs);
    await operation.commit();
  }
}

/**
 * Adds rows to a commit that also moves money. `runsOfRows` says how many fit; each costs
 * `mutationsPerRequestLog`.
 */
export function addRequestLogs(
  operation: Deno.AtomicOperation,
  rows: readonly RequestLogRow[],
  retentionMs: number,
): void {
  const options = { expireIn: retentionMs };
  for (const row of rows) {
    operation
      .set(keys.requestLog(row.id), encodeRecord(kind, fitRow(row)), options)
      .set(keys.requestLogOfAccount(row.accountId, row.id), true, options);
  }
}

async function listOfAll(
  store: Store,
  before: string | undefined,
  limit: number,
): Promise<RequestLogRow[]> {
  const rows: RequestLogRow[] = [];
  const selector = before === undefined
    ? { prefix: keys.requestLogs }
    : { prefix: keys.requestLogs, end: keys.requestLog(before) };
  for await (const { value } of store.kv.list(selector, { reverse: true, limit })) {
    rows.push(decodeRecord(kind, value));
  }
  return rows;
}

async function listOfAccount(
  store: Store,
  { accountId, before, limit }: {
    readonly accountId: string;
    readonly before?: string;
    readonly limit: number;
  },
): Promise<RequestLogRow[]> {
  const prefix = keys.requestLogsOfAccount(accountId);
  const selector = before === undefined
    ? { prefix }
    : { prefix, end: keys.requestLogOfAccount(accountId, before) };
  const rowKeys: Deno.KvKey[] = [];
  for await (const { key } of store.kv.list(selector, { reverse: true, limit })) {
    rowKeys.push(keys.requestLog(String(key.at(-1))));
  }
  const rows = await getRecords(store, kind, rowKeys);
  return rows.filter((row) => row !== undefined); // a row may have expired a moment before its pointer
}
