import { readQuery } from "../../../lib/console/page/define_list.ts";
import { datedName, download } from "../../../lib/console/page/download.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";
import { exportEntries, historyList } from "../../../lib/console/wallet/balance.ts";

/** Exports all entries that match the history's filters, as CSV. */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state: { services: { store }, account: { user }, nowMs } }) {
    const { kind: type } = readQuery(historyList, searchParams).fields;
    return download(datedName("balance", nowMs), exportEntries(store, user.id, type));
  },
});
