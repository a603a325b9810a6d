import { type UpstreamQuery, upstreamsPath } from "../../lib/console/upstreams/upstream_query.ts";
import type { UpstreamList } from "../../lib/console/upstreams/upstream_rows.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Pager } from "../Pager.tsx";
import { Panel } from "../Panel.tsx";
import { Empty, Failed } from "../States.tsx";
import { UpstreamFilters } from "./UpstreamFilters.tsx";
import { UpstreamTable } from "./UpstreamTable.tsx";

export interface UpstreamPanelProps {
  readonly view: AccountView;
  readonly query: UpstreamQuery;
  readonly groups: readonly string[];
  /** Absent if reading failed. */
  readonly list: UpstreamList | undefined;
}

/** The upstreams: filters from the address, and the table or an empty state. */
export function UpstreamPanel(props: UpstreamPanelProps) {
  const { view: { catalog }, query, list } = props;
  const { upstreams, upstreamAdmin: texts } = catalog;
  const { found = 0, total = 0, hasMore = false } = list ?? {};
  return (
    <Panel
      id="upstreams"
      title={found === total ? upstreams.count(total) : texts.countOf(found, total)}
    >
      {total > 0 && <UpstreamFilters {...props} />}
      <Rows {...props} />
      <Pager
        texts={texts}
        newest={query.page > 1 ? upstreamsPath({ ...query, page: 1 }) : undefined}
        older={hasMore ? upstreamsPath({ ...query, page: query.page + 1 }) : undefined}
      />
    </Panel>
  );
}

function Rows({ view, query, list }: UpstreamPanelProps) {
  const { upstreams, upstreamAdmin: texts } = view.catalog;
  if (list === undefined) {
    return <Failed title={upstreams.failed} retry={upstreams.retry} path={view.path} />;
  }
  if (list.total === 0) {
    return <Empty icon="server" title={upstreams.empty} text={upstreams.emptyText} />;
  }
  if (list.rows.length === 0) {
    return (
      <Empty icon="search" title={texts.noMatch} text={texts.noMatchText}>
        <A class="button" href="/console/admin/upstreams">{texts.clear}</A>
      </Empty>
    );
  }
  return (
    <>
      <UpstreamTable view={view} query={query} rows={list.rows} />
      <p class="hint below">{`${texts.orderHint} ${upstreams.here}`}</p>
    </>
  );
}
