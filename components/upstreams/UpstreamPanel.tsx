import { listHref } from "../../lib/console/page/define_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  upstreamList,
  type UpstreamQuery,
  usualPeriod,
} from "../../lib/console/upstreams/upstream_list.ts";
import { upstreamStates } from "../../lib/console/upstreams/upstream_state.ts";
import {
  type UpstreamPeriod,
  upstreamPeriods,
} from "../../lib/console/upstreams/upstream_usage.ts";
import { A, ListPanel, type PanelProps } from "../list.ts";
import { upstreamColumns } from "./UpstreamTable.tsx";

/** All upstreams, with their results in a period. */
export function UpstreamPanel(
  { groups, ...props }: PanelProps<typeof upstreamList> & { groups: readonly string[] },
) {
  const { view, query } = props;
  const { upstreams, upstreamAdmin: texts } = view.catalog;
  return (
    <ListPanel
      {...props}
      id="upstreams"
      list={upstreamList}
      texts={{ ...upstreams, noMatch: texts.noMatch }}
      icon="server"
      columns={upstreamColumns(view, listHref(upstreamList, query, query))}
      keyOf={({ upstream }) => upstream.id}
      isOff={({ upstream }) => !upstream.enabled}
      filtersBelow
      filters={[
        { name: "q", label: texts.search },
        {
          name: "state",
          label: upstreams.state,
          any: texts.anyState,
          options: upstreamStates.map((state) => [state, texts.states[state]]),
        },
        {
          name: "serves",
          label: upstreams.groups,
          any: texts.anyGroup,
          options: groups.map((id) => [id, id]),
        },
        {
          name: "from",
          label: texts.anyOrigin,
          any: texts.anyOrigin,
          options: [["console", texts.fromConsole], ["config", texts.fromConfig]],
        },
      ]}
      besideFilters={<Periods view={view} query={query} />}
      below={<p class="hint below">{`${texts.orderHint} ${upstreams.here}`}</p>}
    />
  );
}

function Periods({ view, query }: { view: AccountView; query: UpstreamQuery }) {
  const { upstreamAdmin: texts } = view.catalog;
  const { fields } = query;
  const to = (period?: UpstreamPeriod) =>
    listHref(upstreamList, { ...query, fields: { ...fields, period } });
  return (
    <nav class="choice-links" aria-label={texts.period}>
      {(Object.keys(upstreamPeriods) as UpstreamPeriod[]).map((one) => ( // its own keys
        <A
          key={one}
          href={to(one === usualPeriod ? undefined : one)}
          current={one === (fields.period ?? usualPeriod)}
        >
          {texts.periods[one]}
        </A>
      ))}
    </nav>
  );
}
