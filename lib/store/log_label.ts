import { failureOf, type RequestLogRow } from "./request_log_row.ts";

/** By what the log can be searched. */
const logDimensions = [
  "all",
  "account",
  "key",
  "group",
  "model",
  "upstream",
  "status",
] as const;
export type LogDimension = typeof logDimensions[number];

/** One value of a dimension: rows that bear it are found without reading the others. */
export interface Label {
  readonly dimension: LogDimension;
  readonly value: string;
}

/** What every row bears. */
export const allRows: Label = { dimension: "all", value: "" };

/** The status of rows that did not give the caller what was asked for. */
const failedStatus = "failed";

/** What a row bears. Its status is there as a number, as a class, as its outcome, and whether it failed. */
export function labelsOf(row: RequestLogRow): Label[] {
  const { upstreamId, status, outcome } = row;
  const labels: Label[] = [
    allRows,
    { dimension: "account", value: row.accountId },
    { dimension: "key", value: row.keyId },
    { dimension: "group", value: row.groupId },
    { dimension: "model", value: row.model.toWellFormed() },
    { dimension: "status", value: String(status) },
    { dimension: "status", value: `${Math.floor(status / 100)}xx` },
    { dimension: "status", value: outcome },
  ];
  if (upstreamId !== undefined) labels.push({ dimension: "upstream", value: upstreamId });
  if (failureOf[outcome]) labels.push({ dimension: "status", value: failedStatus });
  return labels;
}

/** The same text for rows that bear the same labels; what callers write stands last. */
export function labelKey(row: RequestLogRow): string {
  const { accountId, keyId, groupId, upstreamId = "", status, outcome, model } = row;
  return `${accountId}\0${keyId}\0${groupId}\0${upstreamId}\0${status}\0${outcome}\0${model}`;
}
