import { HttpError, page } from "fresh";
import { AuditDetail } from "../../../../components/audit/AuditDetail.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { auditList, readAuditEntryId } from "../../../../lib/console/audit/audit_list.ts";
import { listHref, readQuery } from "../../../../lib/console/page/define_list.ts";
import { accountPage } from "../../../../lib/console/page/view.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { getAuditEntry } from "../../../../lib/store/audit/mod.ts";

/** One entry. Its URL keeps the query of the list, for the link back. */
export const handler = defineForAccount.handlers({
  async GET({ params, url: { searchParams }, state: { services: { store } } }) {
    const id = readAuditEntryId(params.id);
    const entry = id && await getAuditEntry(store, id);
    if (!entry) throw new HttpError(404);
    return page({ entry, back: listHref(auditList, readQuery(auditList, searchParams)) });
  },
});

export default accountPage<typeof handler>(({ data: { entry, back }, view }) => {
  const { audit: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.sentence(texts.actions[entry.action], texts.kinds[entry.kind])}
      place="audit"
      up={{ href: back }}
    >
      <AuditDetail view={view} entry={entry} />
    </ConsolePage>
  );
});
