import {
  listRedemptionBatches,
  listUsers,
  type RedemptionBatch,
  type Store,
} from "../store/mod.ts";

export const batchStatuses = ["enabled", "disabled", "expired"] as const;
export type BatchStatusName = typeof batchStatuses[number];

export interface ListedBatch extends RedemptionBatch {
  readonly isExpired: boolean;
  /** The e-mail address of who made it; absent where the user is gone. */
  readonly author?: string;
}

/** Which batches a page is about. */
export interface BatchQuery {
  /** Part of a batch's name, or its id, or part of who made it. */
  readonly text?: string;
  readonly status?: BatchStatusName;
  /** From 1 on. */
  readonly page: number;
}

export function readBatchQuery(fields: URLSearchParams): BatchQuery {
  const text = fields.get("q")?.trim().slice(0, 100);
  const status = batchStatuses.find((one) => one === fields.get("status"));
  const page = Number(/^[1-9]\d{0,4}$/.exec(fields.get("page") ?? "")?.[0] ?? 1);
  return { page, ...(text && { text }), ...(status && { status }) };
}

export function batchesPath({ text, status }: BatchQuery, page = 1): string {
  const said = { q: text, status, page: page > 1 ? String(page) : undefined };
  const fields = Object.entries(said).flatMap(([name, value]) => value ? [[name, value]] : []);
  return fields.length === 0
    ? "/console/admin/codes"
    : `/console/admin/codes?${new URLSearchParams(fields)}`;
}

/** A page of the batches that a query means, newest first, and how many there are of them and of all. */
export async function listedBatches(
  query: BatchQuery,
  { store, nowMs, pageRows }: {
    readonly store: Store;
    readonly nowMs: number;
    readonly pageRows: number;
  },
) {
  const [batches, users] = await Promise.all([listRedemptionBatches(store), listUsers(store)]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const all = batches.map((batch): ListedBatch => ({
    ...batch,
    isExpired: batch.expiresAtMs !== undefined && batch.expiresAtMs <= nowMs,
    author: emails.get(batch.createdBy),
  }));
  const found = all.filter((batch) => isMeant(batch, query));
  const [from, to] = [(query.page - 1) * pageRows, query.page * pageRows];
  const rows = found.slice(from, to);
  return { rows, found: found.length, total: all.length, hasMore: found.length > to };
}

/** What the list calls a batch: one that is disabled is that, also once it has expired. */
export function batchStatus({ enabled, isExpired }: ListedBatch): BatchStatusName {
  if (!enabled) return "disabled";
  return isExpired ? "expired" : "enabled";
}

function isMeant(batch: ListedBatch, { text = "", status }: BatchQuery): boolean {
  const wanted = text.toLowerCase();
  const { id, name, author = "" } = batch;
  return (status === undefined || batchStatus(batch) === status) &&
    (id === text || [name, author].some((one) => one.toLowerCase().includes(wanted)));
}
