import { page } from "fresh";
import { A } from "../../../../components/A.tsx";
import { BatchFilters, BatchTable } from "../../../../components/wallet/BatchTable.tsx";
import { ConsolePage } from "../../../../components/layout/ConsolePage.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { Pager } from "../../../../components/Pager.tsx";
import { Panel } from "../../../../components/Panel.tsx";
import { Empty, Failed } from "../../../../components/States.tsx";
import {
  batchesPath,
  listedBatches,
  readBatchQuery,
} from "../../../../lib/console/wallet/batch_query.ts";
import { tryLoad } from "../../../../lib/console/page/try_load.ts";
import { pageRowsOf } from "../../../../lib/console/page/page_rows.ts";
import { defineForAccount } from "../../../../lib/console/session/state.ts";
import { accountView } from "../../../../lib/console/page/view.ts";

/** All batches of codes; `readBatchQuery` says which. */
export const handler = defineForAccount.handlers({
  async GET({ url: { searchParams }, state: { services, nowMs } }) {
    const query = readBatchQuery(searchParams);
    const options = { store: services.store, nowMs, pageRows: pageRowsOf(services) };
    return page({ query, list: await tryLoad(listedBatches(query, options)) });
  },
});

export default defineForAccount.page<typeof handler>(({ data: { query, list }, state, url }) => {
  const view = accountView(state, url);
  const { codes: texts } = view.catalog;
  return (
    <ConsolePage
      view={view}
      title={texts.title}
      place="codes"
      action={
        <A class="button primary" href="/console/admin/codes/new">
          <Icon name="plus" />
          {texts.create}
        </A>
      }
    >
      <Panel
        id="batches"
        title={texts.count(list?.found ?? 0)}
        end={list !== undefined && list.total > 0 && <BatchFilters view={view} query={query} />}
      >
        {list === undefined
          ? <Failed title={texts.failed} retry={texts.retry} path={view.path} />
          : list.total === 0
          ? <Empty icon="ticket" title={texts.empty} text={texts.emptyText} />
          : list.rows.length > 0
          ? <BatchTable view={view} query={query} batches={list.rows} />
          : (
            <Empty icon="search" title={texts.noMatch}>
              <A class="button" href="/console/admin/codes">{texts.clear}</A>
            </Empty>
          )}
        <Pager
          texts={texts}
          newest={query.page > 1 ? batchesPath(query) : undefined}
          older={list?.hasMore ? batchesPath(query, query.page + 1) : undefined}
        />
      </Panel>
    </ConsolePage>
  );
});
