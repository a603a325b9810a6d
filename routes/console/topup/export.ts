import { readEntryType } from "../../../lib/console/wallet/balance.ts";
import { exportEntries } from "../../../lib/console/wallet/balance_export.ts";
import { datedName, download } from "../../../lib/console/page/download.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/** All entries of the account that the address means as on the page, as CSV. */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state: { services: { store }, account: { user }, nowMs } }) {
    const type = readEntryType(searchParams.get("kind"));
    return download(datedName("balance", nowMs), exportEntries(store, user.id, type));
  },
});
