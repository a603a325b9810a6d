import {
  auditFilter,
  auditList,
  exportAuditEntries,
} from "../../../../lib/console/audit/audit_list.ts";
import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { datedName, download } from "../../../../lib/console/page/download.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** Exports all entries that match the list's filters, as CSV. */
export const handler = defineForAccount.handlers({
  GET({ url: { searchParams }, state: { services: { store }, timeZone, nowMs } }) {
    const filter = auditFilter(readQuery(auditList, searchParams), timeZone);
    return download(datedName("audit", nowMs), exportAuditEntries(store, filter));
  },
});
