import { tokenBuckets, type Usage } from "../../../lib/canonical/mod.ts";
import { packAttempt } from "../../../lib/store/log/request_log_attempts.ts";
import type { Attempt, CostLine, RequestLogRow } from "../../../lib/store/log/mod.ts";

/** The columns of the first version, in the order in which releases added them. */
export const firstColumns = [
  "id",
  "atMs",
  "accountId",
  "keyId",
  "keyName",
  "groupId",
  "model",
  "format",
  "operation",
  "stream",
  "status",
  "outcome",
  "durationMs",
  "ip",
  "userAgent",
  "upstreamModel",
  "upstreamId",
  "upstreamFormat",
  "firstByteMs",
  "usageSource",
  "usage",
  "costNanoUsd",
  "costLines",
  "uncoveredNanoUsd",
  "errorCode",
  "notes",
  "attempts",
  "refusedBy",
  "tag",
  "statedUsage",
  "countedUsage",
  "errorType",
  "errorMessage",
  "projectId",
  "tags",
] as const satisfies readonly (keyof RequestLogRow)[];

/** A value of rows as the first version of the format has it: one array for all cells of a row. */
export function firstVersionValue(
  rows: readonly RequestLogRow[],
  fields: readonly (keyof RequestLogRow)[] = firstColumns,
): Uint8Array<ArrayBuffer> {
  const lines = rows.map((row) => JSON.stringify(fields.map((field) => cellOf(row, field))));
  return new TextEncoder().encode([JSON.stringify({ version: 1, fields }), ...lines].join("\n"));
}

function cellOf(row: RequestLogRow, field: keyof RequestLogRow): unknown {
  const value = row[field];
  if (value === undefined) return null;
  if (typeof value === "bigint") return String(value);
  if (field === "attempts") return (value as Attempt[]).map(packAttempt);
  if (field === "costLines") return (value as CostLine[]).map(lineCells);
  if (field.toLowerCase().endsWith("usage")) return usageCells(value as Usage);
  if (field === "refusedBy") return JSON.parse(JSON.stringify(value, amountsAsText));
  return value;
}

function lineCells({ bucket, quantity, nanoUsd, tier, part }: CostLine): unknown[] {
  const cells = [bucket, quantity, String(nanoUsd)];
  if (part !== undefined) return [...cells, tier ?? null, part];
  return tier === undefined ? cells : [...cells, tier];
}

function usageCells(usage: Usage): unknown[] {
  const { hostedToolCalls, servedTier, servedRegion } = usage;
  const counts = tokenBuckets.map((bucket) => usage[bucket]);
  const isServed = servedTier !== undefined || servedRegion !== undefined;
  return [hostedToolCalls, ...counts, ...(isServed ? [{ servedTier, servedRegion }] : [])];
}

function amountsAsText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
