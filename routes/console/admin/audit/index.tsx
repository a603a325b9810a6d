import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { AuditFilters } from "../../../../components/audit/AuditFilters.tsx";
import { AuditTable } from "../../../../components/audit/AuditTable.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { Pager } from "../../../../components/Pager.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { Empty, Failed } from "../../../../components/States.tsx";
import {
  auditFields,
  auditPath,
  type AuditSearch,
  readAuditSearch,
  readEntryId,
} from "../../../../lib/console/audit/audit_query.ts";
import { tryLoad } from "../../../../lib/console/page/try_load.ts";
import { pageRowsOf } from "../../../../lib/console/page/page_rows.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { type AccountView, accountView } from "../../../../lib/console/page/view.ts";
import { type AuditPage, listAuditEntries } from "../../../../lib/store/audit/mod.ts";

interface AuditData {
  readonly search: AuditSearch;
  readonly before?: string;
  /** Undefined where it could not be read. */
  readonly found: AuditPage | undefined;
}

/** What was changed by way of the console; `readAuditSearch` says which changes, `?before=` goes on. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state: { services, timeZone } }) {
    const search = readAuditSearch(searchParams, timeZone);
    const before = readEntryId(searchParams.get("before"));
    const query = { filter: search.filter, before, limit: pageRowsOf(services) };
    const found = await tryLoad(listAuditEntries(services.store, query));
    return page<AuditData>({ search, before, found });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { audit: texts } = view.catalog;
  const { search, before, found } = data;
  return (
    <ConsolePage view={view} title={texts.title} place="audit">
      <Panel
        id="entries"
        title={texts.caption}
        end={
          <A class="link" href={`/console/admin/audit/export?${auditFields(search)}`} download>
            {texts.exportCsv}
          </A>
        }
      >
        <AuditFilters view={view} search={search} />
        <Entries view={view} data={data} />
        <Pager
          texts={texts}
          newest={before && auditPath(search)}
          older={found?.next && auditPath(search, found.next)}
        />
      </Panel>
    </ConsolePage>
  );
});

function Entries(
  { view, data: { search, before, found } }: { view: AccountView; data: AuditData },
) {
  const { audit: texts } = view.catalog;
  if (found === undefined) {
    return <Failed title={texts.failed} retry={texts.retry} path={view.path} />;
  }
  if (found.entries.length > 0) {
    return <AuditTable view={view} entries={found.entries} search={search} />;
  }
  if (found.next) {
    return <Empty icon="file-clock" title={texts.emptySoFar} text={texts.emptySoFarText} />;
  }
  if (before) return <Empty icon="file-clock" title={texts.emptyOlder} />;
  if (Object.keys(search.filter).length === 0) {
    return <Empty icon="file-clock" title={texts.empty} text={texts.emptyText} />;
  }
  return (
    <Empty icon="search" title={texts.noMatch} text={texts.noMatchText}>
      <A class="button" href="/console/admin/audit">{texts.clear}</A>
    </Empty>
  );
}
