import type { AccountView, HealthRow, UpstreamRecord } from "../lib/console/view.ts";
import { Status, type StatusTone } from "./States.tsx";
import { Cell, Column, NameCell, Row, Table } from "./Table.tsx";
import { untranslated } from "./untranslated.ts";

/** An upstream, and what this process has seen of it. */
export interface UpstreamRow {
  readonly upstream: UpstreamRecord;
  readonly health: readonly HealthRow[];
}

/** All upstreams, those first that are tried first. */
export function UpstreamTable(
  { view, rows }: { view: AccountView; rows: readonly UpstreamRow[] },
) {
  const { upstreams: texts } = view.catalog;
  return (
    <Table
      caption={texts.caption}
      label={texts.tableLabel}
      head={
        <>
          <Column>{texts.name}</Column>
          <Column>{texts.state}</Column>
          <Column>{texts.models}</Column>
          <Column>{texts.groups}</Column>
          <Column number>{texts.order}</Column>
          <Column number>{texts.calls}</Column>
          <Column number>{texts.errors}</Column>
          <Column number>{texts.firstByte}</Column>
        </>
      }
    >
      {rows.map((row) => <UpstreamTableRow key={row.upstream.id} view={view} row={row} />)}
    </Table>
  );
}

function UpstreamTableRow({ view, row }: { view: AccountView; row: UpstreamRow }) {
  const { catalog: { upstreams: texts }, formats } = view;
  const { upstream, health } = row;
  const { id, models, groups, priority, weight } = upstream;
  const calls = wholeOf(health)?.windowCalls ?? 0;
  const { errorShare, firstByteMs } = seenOf(health);
  return (
    <Row off={!upstream.enabled}>
      <NameCell>
        <span>
          <a href={`/console/admin/upstreams/${id}`} aria-current="false" {...untranslated}>{id}</a>
          {upstream.origin === "config" && <span class="tag">{texts.declared}</span>}
        </span>
        <code {...untranslated}>{upstream.preset ?? Object.keys(upstream.endpoints)[0]}</code>
      </NameCell>
      <Cell label={texts.state} class="wrap">
        <UpstreamStatus view={view} row={row} />
      </Cell>
      <Cell label={texts.models} class="wrap quiet">
        <span {...untranslated}>{shortList(models.map((model) => model.id))}</span>
      </Cell>
      <Cell label={texts.groups} class="quiet">
        {groups.includes("*") ? texts.all : shortList(groups)}
      </Cell>
      <Cell label={texts.order} class="number">{`${priority} · ${weight}`}</Cell>
      <Cell label={texts.calls} class="number">{formats.count(calls)}</Cell>
      <Cell label={texts.errors} class="number">
        {errorShare === undefined ? texts.none : percent(errorShare, view)}
      </Cell>
      <Cell label={texts.firstByte} class="number">
        {firstByteMs === undefined ? texts.none : formats.span(firstByteMs)}
      </Cell>
    </Row>
  );
}

const listShown = 3;

function shortList(names: readonly string[]): string {
  const rest = names.length - listShown;
  return names.slice(0, listShown).join(", ") + (rest > 0 ? ` +${rest}` : "");
}

export function percent(share: number, { locale }: AccountView): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(
    share,
  );
}

function wholeOf(health: readonly HealthRow[]): HealthRow | undefined {
  return health.find((row) => row.credentialId === undefined && row.model === undefined);
}

/** The worst error share and the slowest first byte of the models that were called. */
function seenOf(health: readonly HealthRow[]) {
  const seen = health.flatMap(({ observed }) => observed ? [observed] : []);
  const times = seen.flatMap(({ firstByteMs }) => firstByteMs === undefined ? [] : [firstByteMs]);
  return {
    errorShare: seen.length > 0 ? Math.max(...seen.map((one) => one.errorShare)) : undefined,
    firstByteMs: times.length > 0 ? Math.max(...times) : undefined,
  };
}

const toneOf = {
  closed: "ok",
  "half-open": "warn",
  cooling: "warn",
  open: "bad",
} as const satisfies Record<HealthRow["state"], StatusTone>;
const severity = { closed: 0, "half-open": 1, cooling: 2, open: 3 } as const satisfies Record<
  HealthRow["state"],
  number
>;

/** Whether it is called: the worst that is known of it. */
export function UpstreamStatus({ view, row }: { view: AccountView; row: UpstreamRow }) {
  const { upstreams: texts } = view.catalog;
  const { upstream, health } = row;
  if (upstream.credentialsFault !== undefined) return <Status tone="bad">{texts.sealed}</Status>;
  if (!upstream.enabled) return <Status tone="off">{texts.disabled}</Status>;
  const [worst] = health.toSorted((a, b) => severity[b.state] - severity[a.state]);
  return <HealthStatus view={view} health={worst} />;
}

export function HealthStatus({ view, health }: { view: AccountView; health?: HealthRow }) {
  const { catalog: { upstreams: texts }, formats } = view;
  const { state = "closed", untilMs } = health ?? {};
  const words = texts.states[state];
  return (
    <Status tone={toneOf[state]}>
      {untilMs === undefined ? words : texts.until(words, formats.moment(untilMs))}
    </Status>
  );
}
