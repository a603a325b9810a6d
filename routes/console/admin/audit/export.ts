import { exportAuditEntries } from "../../../../lib/console/audit/audit_export.ts";
import { readAuditSearch } from "../../../../lib/console/audit/audit_query.ts";
import { datedName, download } from "../../../../lib/console/page/download.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** All entries that the address means as on the page, as CSV. */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state: { services: { store }, timeZone, nowMs } }) {
    const { filter } = readAuditSearch(searchParams, timeZone);
    return download(datedName("audit", nowMs), exportAuditEntries(store, filter));
  },
});
