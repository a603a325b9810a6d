import { failedByOf, failureOf, isSameRoute, type RequestLogRow } from "./request_log_row.ts";

/** The dimensions by which the log can be searched. */
const logDimensions = [
  "all",
  "account",
  "key",
  "group",
  "project",
  "model",
  "upstream",
  "status",
  "error",
  "failedBy",
] as const;
type LogDimension = typeof logDimensions[number];

/** One value of a dimension, whose rows are found by an index. */
export interface Label {
  readonly dimension: LogDimension;
  readonly value: string;
}

/** The label that every row has. */
export const allRowsLabel: Label = { dimension: "all", value: "" };

/** The status label of failed calls; see `failureOf`. */
export const failedStatus = "failed";

/** Returns a row's labels. Its status is indexed as a number, a class, an outcome, and as failed. */
export function labelsOf(row: RequestLogRow): Label[] {
  const { status, outcome } = row;
  const labels: Label[] = [
    allRowsLabel,
    { dimension: "account", value: row.accountId },
    { dimension: "key", value: row.keyId },
    { dimension: "group", value: row.groupId },
    { dimension: "model", value: row.model.toWellFormed() },
    { dimension: "status", value: String(status) },
    { dimension: "status", value: `${Math.floor(status / 100)}xx` },
    { dimension: "status", value: outcome },
  ];
  if (row.projectId !== undefined) labels.push({ dimension: "project", value: row.projectId });
  for (const id of upstreamsOf(row)) labels.push({ dimension: "upstream", value: id });
  if (failureOf[outcome]) labels.push({ dimension: "status", value: failedStatus });
  if (row.errorCode !== undefined) labels.push({ dimension: "error", value: row.errorCode });
  const failedBy = failedByOf(row);
  if (failedBy !== undefined) labels.push({ dimension: "failedBy", value: failedBy });
  return labels;
}

/** The upstream that answered, and the ones tried before it. */
function upstreamsOf({ upstreamId, attempts = [] }: RequestLogRow): readonly string[] {
  const upstreams = upstreamId === undefined ? [] : [upstreamId];
  for (const { upstreamId } of attempts) {
    if (!upstreams.includes(upstreamId)) upstreams.push(upstreamId);
  }
  return upstreams;
}

/** Most calls try one upstream only. */
function triedOne({ upstreamId, attempts = [] }: RequestLogRow): boolean {
  for (const attempt of attempts) if (attempt.upstreamId !== upstreamId) return false;
  return true;
}

function upstreamsKey(row: RequestLogRow): string {
  return triedOne(row) ? row.upstreamId ?? "" : upstreamsOf(row).join("\x01");
}

/** Returns true if two rows certainly have equal labels, without making any text. */
export function areLabelsEqual(a: RequestLogRow, b: RequestLogRow): boolean {
  return isSameRoute(a, b) && a.outcome === b.outcome && a.errorCode === b.errorCode &&
    failedByOf(a) === failedByOf(b) && triedOne(a) && triedOne(b);
}

/** Returns equal text for rows with equal labels. Caller-supplied texts come last. */
export function labelKey(row: RequestLogRow): string {
  const { accountId, keyId, groupId, projectId = "", status, outcome, model } = row;
  const upstreams = upstreamsKey(row);
  const failure = row.errorCode === undefined ? "" : `${row.errorCode}\x01${failedByOf(row)}`;
  return `${accountId}\0${keyId}\0${groupId}\0${projectId}\0${upstreams}\0${status}\0${outcome}\0${failure}\0${model}`;
}
