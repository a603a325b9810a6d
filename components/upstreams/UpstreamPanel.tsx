import { upstreamStates } from "../../lib/admin/upstreams/upstream_state.ts";
import { listHref } from "../../lib/console/page/define_list.ts";
import { upstreamList } from "../../lib/console/upstreams/upstream_list.ts";
import { ListPanel, type PanelProps } from "../list.ts";
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
      oneLine
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
      below={<p class="hint below">{`${texts.orderHint} ${upstreams.here}`}</p>}
    />
  );
}
