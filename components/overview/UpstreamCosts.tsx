import type { SpendQuery } from "../../lib/console/overview/spend_query.ts";
import type { UpstreamCost } from "../../lib/console/overview/upstream_costs.ts";
import { periodWords } from "../../lib/console/page/period_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { marginOf } from "../../lib/store/usage/mod.ts";
import { A, Onward } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Failed, Success } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { HealthStrip, Meter } from "../chart/TinyCharts.tsx";
import { untranslated } from "../untranslated.ts";
import { StateWords } from "../upstreams/UpstreamStatus.tsx";

interface UpstreamCostsProps {
  readonly view: AccountView;
  readonly query: SpendQuery;
  /** Absent if reading failed. */
  readonly upstreams: readonly UpstreamCost[] | undefined;
}

/** The upstreams with their health beside their cost; nothing while there are none. */
export function UpstreamCosts({ view, query, upstreams }: UpstreamCostsProps) {
  if (upstreams?.length === 0) return null;
  const { spend } = view.catalog;
  return (
    <Panel
      id="upstream-costs"
      class="across"
      title={spend.upstreams}
      beside={<span class="faint">{spend.upstreamsHint(periodWords(query.span, view))}</span>}
      end={<Onward href="/console/admin/upstreams">{spend.allUpstreams}</Onward>}
    >
      {upstreams === undefined
        ? <Failed view={view} title={spend.upstreamsFailed} />
        : <Rows view={view} query={query} upstreams={upstreams} />}
    </Panel>
  );
}

function Rows(
  { view, query, upstreams }: UpstreamCostsProps & { upstreams: readonly UpstreamCost[] },
) {
  const { spend } = view.catalog;
  const length = periodWords(query.span, view);
  const whole = upstreams.reduce((sum, { counts }) => sum + Number(counts.costNanoUsd), 0);
  return (
    <Table
      caption={spend.upstreams}
      label={spend.upstreams}
      head={
        <>
          <Column>{spend.dimensions.upstream}</Column>
          <Column>{spend.state}</Column>
          <Column from={880}>{spend.lastDay}</Column>
          <Column number>{spend.successOfDay}</Column>
          <Column number>{spend.firstByteOfDay}</Column>
          <Column number from={880}>{spend.p95}</Column>
          <Column number from={880}>{spend.callsIn(length)}</Column>
          <Column from={1040}>{spend.shareOfSpend}</Column>
          <Column number sort="descending">{spend.spent(length)}</Column>
          <Column number from={880}>{spend.measures.margin}</Column>
        </>
      }
    >
      {upstreams.map((row) => (
        <UpstreamRow key={row.id} view={view} query={query} row={row} whole={whole} />
      ))}
    </Table>
  );
}

function UpstreamRow(
  { view, query, row: { id, health, hours, counts, successShare: success, firstByteMs }, whole }: {
    view: AccountView;
    query: SpendQuery;
    row: UpstreamCost;
    whole: number;
  },
) {
  const { catalog: { spend, log, usage }, formats } = view;
  const share = whole > 0 ? Number(counts.costNanoUsd) / whole : 0;
  const span = (ms: number | undefined) => ms === undefined ? log.none : formats.span(ms);
  return (
    <Row off={health.state === "disabled"}>
      <NameCell class="name at-name">
        <A href={`/console/admin/upstreams/${encodeURIComponent(id)}`} {...untranslated}>{id}</A>
      </NameCell>
      <Cell label={spend.state} class="at-below">
        <StateWords view={view} state={health.state} untilMs={health.untilMs} />
      </Cell>
      <Cell class="trend from-880">
        <HealthStrip view={view} marks={hours.map((hour) => hour.counts)} />
      </Cell>
      <Cell label={spend.successOfDay} class="number at-second">
        {success === undefined
          ? log.none
          : <Success share={success} text={formats.percent(success)} />}
      </Cell>
      <Cell label={spend.firstByteOfDay} class="number">{span(firstByteMs?.p50)}</Cell>
      <Cell label={spend.p95} class="number from-880">{span(firstByteMs?.p95)}</Cell>
      <Cell label={usage.calls} class="number from-880">{formats.count(counts.requests)}</Cell>
      <Cell label={spend.shareOfSpend} class="share from-1040">
        <Meter share={share} color="rest" width="64" />
        {formats.percent(Math.round(100 * share) / 100)}
      </Cell>
      <Cell label={spend.spent(periodWords(query.span, view))} class="number strong at-first">
        {formats.money(counts.costNanoUsd)}
      </Cell>
      <Cell label={spend.measures.margin} class="number from-880">
        {formats.money(marginOf(counts).marginNanoUsd)}
      </Cell>
    </Row>
  );
}
