import { batchStatus, batchStatuses } from "../../admin/funds.ts";
import { type BatchDraft, readUsd } from "../../funds/mod.ts";
import {
  getRedemptionBatch,
  listRedemptionBatches,
  type RedemptionBatch,
  type RedemptionCode,
  redemptionCodesOf,
} from "../../store/money/mod.ts";
import { listUsers } from "../../store/users/mod.ts";
import { defineList, listPage, pageRowsOf, type QueryOf } from "../page/define_list.ts";
import { choice, containsText, textField } from "../page/list_fields.ts";
import { recordAt } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";

const batchFields = ["name", "amount", "count", "uses", "perAccount", "expiry"] as const;
export type BatchField = typeof batchFields[number];
export type BatchValues = Readonly<Record<BatchField, string>>;

const dayMs = 86_400_000;

export function readBatchForm(form: URLSearchParams): BatchValues {
  const values = batchFields.map((field) => [field, (form.get(field) ?? "").trim().slice(0, 200)]);
  return Object.fromEntries(values) as BatchValues; // one for each field
}

/** The batch that the form describes. Unreadable numbers and days become values that `createBatch` refuses. */
export function batchDraft(values: BatchValues): BatchDraft {
  const { name, amount, count, uses, perAccount, expiry } = values;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(expiry) ? Date.parse(`${expiry}T00:00:00Z`) : NaN;
  const endMs = Number.isNaN(day) ? 0 : day + dayMs - 1;
  return {
    name,
    amountNanoUsd: readUsd(amount) ?? 0n,
    count: wholeNumber(count),
    usesMax: wholeNumber(uses),
    ...(perAccount !== "" && { perAccountMax: wholeNumber(perAccount) }),
    ...(expiry !== "" && { expiresAtMs: endMs }),
  };
}

function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** The batch in the address. */
export const batchAt = recordAt(getRedemptionBatch);

/** The codes of one batch; pages are linked under the batch's own address. */
export const codeList = defineList<RedemptionCode>()({ path: "/console/admin/codes", fields: {} });

/** Returns one page of a batch's codes, and the number of uses of all of them. */
export async function batchCodes(
  { services }: AccountState,
  batchId: string,
  { page }: QueryOf<typeof codeList>,
) {
  const pageRows = pageRowsOf(services);
  const rows: RedemptionCode[] = [];
  let [used, place] = [0, 0];
  for await (const code of redemptionCodesOf(services.store, batchId)) {
    used += code.used;
    if (place >= (page - 1) * pageRows && place < page * pageRows) rows.push(code);
    place++;
  }
  return { used, list: { rows, hasMore: place > page * pageRows } };
}

export interface ListedBatch extends RedemptionBatch {
  readonly isExpired: boolean;
  /** The creator's e-mail address; absent if that user was deleted. */
  readonly author?: string;
}

/** All batches of redemption codes; ties are newest first. */
export const batchList = defineList<ListedBatch>()({
  path: "/console/admin/codes",
  fields: {
    q: textField(({ id, name, author = "" }, part) =>
      id === part || containsText([name, author], part)
    ),
    status: choice(batchStatuses, (batch, status) => batchStatus(batch) === status),
  },
  sort: {
    columns: {
      name: ({ name }) => name.toLowerCase(),
      amount: ({ amountNanoUsd }) => amountNanoUsd,
      codes: ({ count }) => count,
      expires: ({ expiresAtMs }) => expiresAtMs ?? Number.MAX_SAFE_INTEGER,
      created: ({ createdAtMs }) => createdAtMs,
    },
    usual: { column: "created", descending: true },
    descendingFirst: ["created"],
    then: (a, b) => b.createdAtMs - a.createdAtMs,
  },
});

export async function readBatchList(
  { services, nowMs }: AccountState,
  query: QueryOf<typeof batchList>,
) {
  const { store } = services;
  const [batches, users] = await Promise.all([listRedemptionBatches(store), listUsers(store)]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const rows = batches.map((batch): ListedBatch => ({
    ...batch,
    isExpired: batch.expiresAtMs !== undefined && batch.expiresAtMs <= nowMs,
    author: emails.get(batch.createdBy),
  }));
  return await listPage(batchList, rows, { query, services });
}
