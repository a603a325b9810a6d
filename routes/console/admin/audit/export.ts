import { exportAuditEntries } from "../../../../lib/console/audit_export.ts";
import { readAuditSearch } from "../../../../lib/console/audit_query.ts";
import { datedName, download } from "../../../../lib/console/download.ts";
import { defineForAccount } from "../../../../lib/console/state.ts";

/** All entries that the address means as on the page, as CSV. */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state: { services: { store }, timeZone, nowMs } }) {
    const { filter } = readAuditSearch(searchParams, timeZone);
    return download(datedName("audit", nowMs), exportAuditEntries(store, filter));
  },
});
