import { batchStatus, batchStatuses } from "../../admin/funds.ts";
import { listRedemptionBatches, type RedemptionBatch } from "../../store/money/mod.ts";
import { listUsers } from "../../store/users/mod.ts";
import {
  choice,
  containsText,
  defineList,
  listPage,
  type QueryOf,
  textField,
} from "../page/define_list.ts";
import type { AccountState } from "../session/state.ts";

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
