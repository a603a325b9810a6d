import type { AccountView } from "../../lib/console/page/view.ts";
import type { ListedUpstream, upstreamList } from "../../lib/console/upstreams/upstream_list.ts";
import { HealthStrip } from "../chart/HealthStrip.tsx";
import { A, type ColumnsOf, untranslated } from "../list.ts";
import { Success } from "../Success.tsx";
import { UpstreamOrder } from "./UpstreamOrder.tsx";
import { StateWords } from "./UpstreamStatus.tsx";

/** The columns of the list of upstreams; `back` is its address. */
export function upstreamColumns(
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
      cell: ({ figures }) => figures ? formats.money(figures.spentNanoUsd) : texts.none,
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
