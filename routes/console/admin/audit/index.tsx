import { page } from "fresh";
import { AuditPanel } from "../../../../components/audit/AuditPanel.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { auditList, readAuditList } from "../../../../lib/console/audit/audit_list.ts";
import { readQuery } from "../../../../lib/console/page/define_list.ts";
import { tryLoad } from "../../../../lib/console/page/reading.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";

/** The audit log of the console, with the filters of `auditList`. */
export const handler = defineForAccount.handlers({
  async GET({ url, state }) {
    const query = readQuery(auditList, url.searchParams);
    return page({ query, list: await tryLoad(readAuditList(state, query)) });
  },
});

export default accountPage<typeof handler>(({ data: { query, list }, view }) => {
  return (
    <ConsolePage view={view} title={view.catalog.audit.title} place="audit">
      <AuditPanel view={view} query={query} page={list} />
    </ConsolePage>
  );
});
