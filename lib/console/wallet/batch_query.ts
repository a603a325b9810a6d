import type { Store } from "../../store/mod.ts";
import { listRedemptionBatches, type RedemptionBatch } from "../../store/money/mod.ts";
import { listUsers } from "../../store/users/mod.ts";
import {
  listPath,
  pageField,
  pageOf,
  readPageNumber,
  readSort,
  readText,
  type Sort,
  sortField,
} from "../page/list_query.ts";

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
  readonly sort: Sort<BatchColumn>;
  /** From 1 on. */
  readonly page: number;
}

/** By what the list of batches is ordered. */
export const batchColumns = ["name", "amount", "codes", "expires", "created"] as const;
export type BatchColumn = typeof batchColumns[number];

const usualSort: Sort<BatchColumn> = { column: "created", descending: true };

export function readBatchQuery(fields: URLSearchParams): BatchQuery {
  const text = readText(fields, "q");
  const status = batchStatuses.find((one) => one === fields.get("status"));
  return {
    sort: readSort(fields, batchColumns, usualSort),
    page: readPageNumber(fields),
    ...(text && { text }),
    ...(status && { status }),
  };
}

export function batchesPath({ text, status, sort }: BatchQuery, page = 1): string {
  const fields = { q: text, status, sort: sortField(sort, usualSort), page: pageField(page) };
  return listPath("/console/admin/codes", fields);
}

/** A page of the batches that a query means, in its order, and how many there are of them and of all. */
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
  const found = sorted(all.filter((batch) => isMeant(batch, query)), query.sort);
  return { ...pageOf(found, query.page, pageRows), found: found.length, total: all.length };
}

const valueOf = {
  name: ({ name }) => name.toLowerCase(),
  amount: ({ amountNanoUsd }) => amountNanoUsd,
  codes: ({ count }) => count,
  expires: ({ expiresAtMs }) => expiresAtMs ?? Number.MAX_SAFE_INTEGER,
  created: ({ createdAtMs }) => createdAtMs,
} as const satisfies Record<BatchColumn, (batch: ListedBatch) => string | number | bigint>;

/** Equal ones newest first. */
function sorted(
  batches: readonly ListedBatch[],
  { column, descending }: Sort<BatchColumn>,
): readonly ListedBatch[] {
  const value = valueOf[column];
  const sign = descending ? -1 : 1;
  return batches.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)];
    return one === other ? b.createdAtMs - a.createdAtMs : one < other ? -sign : sign;
  });
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
