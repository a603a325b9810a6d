import { readEntryType } from "../../../lib/console/balance.ts";
import { exportEntries } from "../../../lib/console/balance_export.ts";
import { datedName, download } from "../../../lib/console/download.ts";
import { defineForAccount } from "../../../lib/console/state.ts";

/** All entries of the account that the address means as on the page, as CSV. */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state: { services: { store }, account: { user }, nowMs } }) {
    const type = readEntryType(searchParams.get("kind"));
    return download(datedName("balance", nowMs), exportEntries(store, user.id, type));
  },
});
