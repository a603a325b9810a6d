import { upstreamStates } from "../../lib/admin/upstreams/upstream_state.ts";
import { listHref } from "../../lib/console/page/define_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { type ListedUpstream, upstreamList } from "../../lib/console/upstreams/upstream_list.ts";
import type { UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { Form } from "../Form.tsx";
import { Icon } from "../Icon.tsx";
import { Success } from "../States.tsx";
import { HealthStrip } from "../chart/TinyCharts.tsx";
import { A, type ColumnsOf, ListPanel, type PanelProps, untranslated } from "../list.ts";
import { dollarsCell } from "../values.tsx";
import { StateWords } from "./UpstreamStatus.tsx";

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

/** The columns of the list of upstreams; `back` is its address. */
function upstreamColumns(
  view: AccountView,
  back: string,
): ColumnsOf<typeof upstreamList> {
  const { catalog: { upstreams, upstreamAdmin: texts, upstreamPage }, formats } = view;
  return [
    {
      head: upstreams.name,
      at: "name",
      sort: "name",
      type: "name",
      cell: ({ upstream }) => <Name view={view} upstream={upstream} />,
    },
    {
      head: upstreams.state,
      at: "below",
      cell: ({ status: { state, untilMs } }) => (
        <StateWords view={view} state={state} untilMs={untilMs} />
      ),
    },
    {
      head: upstreamPage.lastDay,
      cell: ({ figures }) =>
        figures && <HealthStrip view={view} marks={figures.hours.map(({ counts }) => counts)} />,
    },
    {
      head: texts.success,
      at: "second",
      sort: "success",
      type: "number",
      cell: ({ figures: { successShare } = {} }) =>
        successShare === undefined
          ? texts.none
          : <Success share={successShare} text={percent(successShare, view)} />,
    },
    {
      head: texts.firstByte,
      sort: "firstByte",
      type: "number",
      cell: ({ figures: { firstByteMs } = {} }) =>
        firstByteMs
          ? `${formats.span(firstByteMs.p50)} · ${formats.span(firstByteMs.p95)}`
          : texts.none,
    },
    {
      head: upstreamPage.calls,
      sort: "calls",
      type: "number",
      cell: ({ figures }) => figures ? formats.count(figures.calls) : texts.none,
    },
    {
      head: upstreams.order,
      sort: "order",
      cell: ({ upstream }) => <UpstreamOrder view={view} upstream={upstream} back={back} />,
    },
    {
      head: upstreamPage.spend,
      at: "first",
      sort: "spend",
      type: "number",
      cell: dollarsCell(formats, ({ figures }) => figures?.spentNanoUsd),
    },
  ];
}

function Name(
  { view: { catalog: { upstreams } }, upstream: { id, origin } }:
    & Pick<ListedUpstream, "upstream">
    & {
      view: AccountView;
    },
) {
  return (
    <span>
      <A href={`/console/admin/upstreams/${id}`} {...untranslated}>{id}</A>
      {origin === "config" && <span class="tag">{upstreams.declared}</span>}
    </span>
  );
}

export function percent(share: number, { locale }: AccountView): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(
    share,
  );
}

interface UpstreamOrderProps {
  readonly view: AccountView;
  readonly upstream: UpstreamRecord;
  /** The address of the current list, to return to. */
  readonly back: string;
}

/** Priority and weight, with a small form if the reader may change them. */
function UpstreamOrder({ view, upstream, back }: UpstreamOrderProps) {
  const { upstreams, upstreamAdmin: texts } = view.catalog;
  const { id, priority, weight, origin } = upstream;
  const shown = `${priority} · ${weight}`;
  if (origin === "config") return <>{shown}</>;
  return (
    <details class="row-order">
      <summary aria-label={texts.orderOf(id, shown)}>
        {shown}
        <Icon name="pencil" small />
      </summary>
      <Form action={`/console/admin/upstreams/${id}/order`}>
        <input type="hidden" name="back" value={back} />
        {(["priority", "weight"] as const).map((name) => (
          <label key={name}>
            <span>{upstreams[name]}</span>
            <input
              class="input"
              name={name}
              inputMode="numeric"
              autocomplete="off"
              value={upstream[name]}
            />
          </label>
        ))}
        <button class="button small" type="submit">{texts.saveOrder}</button>
        <button
          class="button small"
          type="submit"
          name="move"
          value="earlier"
          aria-label={texts.earlierOf(id)}
        >
          <Icon name="arrow-up" small />
          {texts.earlier}
        </button>
        <button
          class="button small"
          type="submit"
          name="move"
          value="later"
          aria-label={texts.laterOf(id)}
        >
          <Icon name="arrow-down" small />
          {texts.later}
        </button>
      </Form>
    </details>
  );
}
