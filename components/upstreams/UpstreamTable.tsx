import type { AccountView } from "../../lib/console/page/view.ts";
import { upstreamFaultWords } from "../../lib/console/upstreams/upstream_fault_words.ts";
import {
  type ListedUpstream,
  refusedCredentials,
  type upstreamList,
} from "../../lib/console/upstreams/upstream_list.ts";
import { A, type ColumnsOf, Time, untranslated } from "../list.ts";
import { UpstreamOrder } from "./UpstreamOrder.tsx";
import { UpstreamStatus } from "./UpstreamStatus.tsx";

/** The columns of the list of upstreams; `back` is its address. */
export function upstreamColumns(
  view: AccountView,
  back: string,
): ColumnsOf<typeof upstreamList> {
  const { catalog: { upstreams, upstreamAdmin: texts }, formats } = view;
  return [
    {
      head: upstreams.name,
      sort: "name",
      type: "name",
      cell: ({ upstream }) => <Name view={view} upstream={upstream} />,
    },
    {
      head: upstreams.state,
      class: "wrap parts",
      cell: (row) => <UpstreamStatus view={view} row={row} refused={refusedCredentials(row)} />,
    },
    {
      head: upstreams.models,
      class: "wrap parts quiet",
      cell: ({ upstream }) => <Serves view={view} upstream={upstream} />,
    },
    {
      head: upstreams.order,
      sort: "order",
      cell: ({ upstream }) => <UpstreamOrder view={view} upstream={upstream} back={back} />,
    },
    {
      head: texts.running,
      sort: "running",
      type: "number",
      cell: ({ running }) => formats.count(running),
    },
    {
      head: texts.success,
      sort: "success",
      type: "number",
      class: "parts",
      cell: ({ usage }) => <Success view={view} usage={usage} />,
    },
    {
      head: texts.firstByte,
      sort: "firstByte",
      type: "number",
      cell: ({ usage: { firstByteMs } = {} }) =>
        firstByteMs
          ? `${formats.span(firstByteMs.p50)} · ${formats.span(firstByteMs.p95)}`
          : texts.none,
    },
    {
      head: texts.lastError,
      class: "wrap parts quiet",
      cell: (row) => <LastError view={view} row={row} />,
    },
  ];
}

type UpstreamProps = Pick<ListedUpstream, "upstream"> & { readonly view: AccountView };

function Name({ view: { catalog: { upstreams } }, upstream }: UpstreamProps) {
  const { id, origin, preset, endpoints } = upstream;
  return (
    <>
      <span>
        <A href={`/console/admin/upstreams/${id}`} {...untranslated}>{id}</A>
        {origin === "config" && <span class="tag">{upstreams.declared}</span>}
      </span>
      <code {...untranslated}>{preset ?? Object.keys(endpoints)[0]}</code>
    </>
  );
}

function Serves({ view: { catalog: { upstreams } }, upstream: { models, groups } }: UpstreamProps) {
  return (
    <>
      <span class="clamped" {...untranslated}>{shortList(models.map(({ id }) => id))}</span>
      <span class="part">{groups.includes("*") ? upstreams.allGroups : shortList(groups)}</span>
    </>
  );
}

function Success({ view, usage }: Pick<ListedUpstream, "usage"> & { view: AccountView }) {
  const { catalog: { upstreamAdmin: texts }, formats } = view;
  return (
    <>
      {usage?.successShare === undefined ? texts.none : percent(usage.successShare, view)}
      {usage && usage.calls > 0 && (
        <span class="part">{texts.ofCalls(formats.count(usage.calls))}</span>
      )}
    </>
  );
}

function LastError({ view, row: { lastFailure } }: { view: AccountView; row: ListedUpstream }) {
  const { catalog: { upstreamAdmin: texts }, formats } = view;
  if (!lastFailure) return <>{texts.noError}</>;
  const { code, atMs, callId } = lastFailure;
  return (
    <>
      <span>{upstreamFaultWords(code, view)}</span>
      <span class="part">
        {callId
          ? (
            <A href={`/console/log/${callId}`}>
              <Time atMs={atMs} formats={formats} />
            </A>
          )
          : <Time atMs={atMs} formats={formats} />}
      </span>
    </>
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
