import { page } from "fresh";
import { AuditFilters, AuditTable } from "../../../components/AuditTable.tsx";
import { ConsolePage } from "../../../components/ConsolePage.tsx";
import { Pager } from "../../../components/Pager.tsx";
import { Empty } from "../../../components/States.tsx";
import { auditPath, readAuditFilter } from "../../../lib/console/audit_query.ts";
import { loaded } from "../../../lib/console/loaded.ts";
import { defineForAccount } from "../../../lib/console/state.ts";
import { accountView } from "../../../lib/console/view.ts";
import { listAuditEntries } from "../../../lib/store/mod.ts";

const pageEntries = 50;

/** What was changed by way of the console: `?kind=`, `action` and `q` say which changes, `before` goes on. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state: { services: { store } } }) {
    const filter = readAuditFilter(searchParams);
    const text = searchParams.get("before") ?? "";
    const before = /^[0-9A-Z]{26}$/.test(text) ? text : undefined;
    const found = await loaded(listAuditEntries(store, { filter, before, limit: pageEntries }));
    return page({ filter, before, found });
  },
});

export default defineForAccount.page<typeof handler>(({ data, state, url }) => {
  const view = accountView(state, url);
  const { audit: texts } = view.catalog;
  const { filter, before, found } = data;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ConsolePage view={view} title={texts.title} place="audit">
      <section class="panel" aria-labelledby="entries">
        <header>
          <h2 id="entries">{texts.caption}</h2>
          <span class="spacer" />
          <AuditFilters texts={texts} filter={filter} />
        </header>
        {found === undefined
          ? (
            <Empty icon="triangle-alert" title={texts.failed}>
              <a class="button" href={view.path} aria-current="false">{texts.retry}</a>
            </Empty>
          )
          : found.entries.length > 0
          ? <AuditTable view={view} entries={found.entries} />
          : found.next
          ? <Empty icon="file-clock" title={texts.emptySoFar} text={texts.emptySoFarText} />
          : before
          ? <Empty icon="file-clock" title={texts.emptyOlder} />
          : isFiltered
          ? (
            <Empty icon="search" title={texts.noMatch} text={texts.noMatchText}>
              <a class="button" href={auditPath({})} aria-current="false">{texts.clear}</a>
            </Empty>
          )
          : <Empty icon="file-clock" title={texts.empty} text={texts.emptyText} />}
        <Pager
          texts={texts}
          newest={before && auditPath(filter)}
          older={found?.next && auditPath(filter, found.next)}
        />
      </section>
    </ConsolePage>
  );
});
