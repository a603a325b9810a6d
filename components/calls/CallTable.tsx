import { totalInputTokens, totalOutputTokens } from "../../lib/canonical/mod.ts";
import {
  callTone,
  causeOf,
  chainOf,
  clientName,
  hasFailedOver,
} from "../../lib/console/calls/call_words.ts";
import { type LogColumn, type LogLook, usualLook } from "../../lib/console/calls/log_look.ts";
import { shortEmail } from "../../lib/console/page/format.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { withWho } from "../../lib/console/page/who.ts";
import { failureOf, type RequestLogRow } from "../../lib/store/log/mod.ts";
import { A, Onward } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Failed, Status } from "../States.tsx";
import { ListTable, type TableColumn } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";
import { Dollars, Time } from "../values.tsx";
import { logColumnNames } from "./LogTools.tsx";

interface CallTableProps {
  readonly view: AccountView;
  readonly calls: readonly RequestLogRow[];
  /** The e-mail addresses of accounts by id, if the list has calls of several accounts. */
  readonly accounts?: ReadonlyMap<string, string>;
  readonly look?: LogLook;
  /** The address that a row opens, if that is not the call's page. */
  readonly hrefOf?: (id: string) => string;
  /** The id of the call that is open beside the table. */
  readonly openId?: string;
  /** The ends of keys' secrets, by the ids of the keys. */
  readonly lastFour?: ReadonlyMap<string, string>;
  /** True for a list with a head above the calls of each day but today. */
  readonly hasDays?: boolean;
}

type CallColumn = TableColumn<RequestLogRow>;

/** Calls, newest first. */
export function CallTable(props: CallTableProps) {
  const { view, calls, accounts, hasDays = false, look = usualLook } = props;
  const hasAccounts = (accounts?.size ?? 0) > 0;
  const chosen = look.columns.filter((one) => one !== "account" || hasAccounts);
  const optional = optionalColumns(props);
  return (
    <ListTable
      caption={view.catalog.log.caption}
      dense={look.density === "compact"}
      columns={[...fixedColumns(props), ...chosen.map((column) => optional[column])]}
      rows={calls}
      groupOf={hasDays ? ({ atMs }) => dayOf(atMs, view) : undefined}
      keyOf={({ id }) => id}
    />
  );
}

/** The day of a call; undefined for today. */
function dayOf(atMs: number, { formats }: AccountView): string | undefined {
  const day = formats.day(atMs);
  return day === formats.day(formats.nowMs) ? undefined : day;
}

function callPath(id: string): string {
  return `/console/log/${id}`;
}

function fixedColumns(
  { view, hrefOf = callPath, openId, hasDays }: CallTableProps,
): readonly CallColumn[] {
  const { catalog: { call: { replayed }, log, usage }, formats } = view;
  return [
    {
      head: log.time,
      type: "name",
      at: "below",
      cell: ({ id, atMs }) => (
        <A class="id" href={hrefOf(id)} title={id} current={id === openId}>
          <Time atMs={atMs} formats={formats} as={hasDays ? "clock" : "brief"} />
        </A>
      ),
    },
    {
      head: log.status,
      class: "what-came short",
      at: "second",
      cell: (call) => {
        const kind = call.replayOf ? replayed : hasFailedOver(call) ? usage.failedOver : undefined;
        const cause = causeOf(call, view) ?? kind;
        const came = cause ?? usage.statuses[call.outcome];
        return (
          <span title={`${call.status} ${came}`}>
            <Status tone={callTone(call)}>
              {call.status} <span class={isQuiet(call, cause) ? "unseen" : undefined}>{came}</span>
            </Status>
          </span>
        );
      },
    },
    {
      head: log.model,
      class: "short",
      at: "name",
      cell: (call) => <Model view={view} call={call} />,
    },
  ];
}

/** A healthy row is quiet: its icon and number say it all. */
function isQuiet({ outcome }: RequestLogRow, cause: string | undefined): boolean {
  return outcome === "completed" && cause === undefined;
}

function optionalColumns(
  { view, accounts, lastFour }: CallTableProps,
): Readonly<Record<LogColumn, CallColumn>> {
  const { catalog: { log: { none } }, formats: { count, span } } = view;
  const names = logColumnNames(view);
  return {
    key: { head: names.key, class: "quiet short", cell: (call) => keyCell(call, lastFour) },
    account: {
      head: names.account,
      class: "quiet short",
      from: 1040,
      cell: ({ accountId }) => {
        const email = accounts?.get(accountId) ?? none;
        return titled(shortEmail(email, view.user), email);
      },
    },
    input: {
      ...quiet(names.input, 880),
      cell: ({ usage }) => usage ? count(totalInputTokens(usage)) : none,
    },
    output: {
      ...quiet(names.output, 880),
      cell: ({ usage }) => {
        const output = usage && totalOutputTokens(usage);
        return output === undefined ? none : count(output);
      },
    },
    firstByte: {
      ...quiet(names.firstByte, 1040),
      cell: ({ firstByteMs }) => firstByteMs === undefined ? none : span(firstByteMs),
    },
    duration: { ...quiet(names.duration), cell: ({ durationMs }) => span(durationMs) },
    cost: {
      head: names.cost,
      type: "number",
      at: "first",
      cell: (call) => <Charge view={view} call={call} />,
    },
  };
}

/** The name of a key and the end of its secret, because names may be alike. */
function keyCell(
  { keyId, keyName }: RequestLogRow,
  lastFour?: ReadonlyMap<string, string>,
) {
  const end = lastFour?.get(keyId);
  if (end === undefined) return titled(keyName);
  return (
    <span class="key-name" title={`${keyName} …${end}`} {...untranslated}>
      <span>{keyName}</span> <span class="soft">…{end}</span>
    </span>
  );
}

function quiet(head: string, from?: CallColumn["from"]) {
  return { head, type: "number", class: "quiet", from } as const;
}

function titled(text: string, title = text) {
  return <span title={title} {...untranslated}>{text}</span>;
}

interface CallProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
}

/** The requested model. Its title has what else is known about the caller. */
function Model({ view, call }: CallProps) {
  const { model, upstreamModel, userAgent } = call;
  const chain = view.may("calls:read") ? chainOf(call) : [];
  const name = upstreamModel && upstreamModel !== model ? `${model} → ${upstreamModel}` : model;
  const title = [name, clientName(userAgent), chain.join(" → ")].filter(Boolean).join(" · ");
  return <span title={title} {...untranslated}>{name}</span>;
}

/** The charge of a call. One without a charge says so instead of `$0.00`. */
function Charge({ view: { catalog, formats }, call }: CallProps) {
  const { costNanoUsd: charged, outcome, replayOf } = call;
  if (charged === undefined || (charged === 0n && (failureOf[outcome] || replayOf))) {
    return <span class="faint">{catalog.modelList.notCharged}</span>;
  }
  return <Dollars nanoUsd={charged} formats={formats} decimals={6} />;
}

/** The last few calls, each leading to its own page. */
export function LatestCalls(
  { view, calls }: {
    view: AccountView;
    /** Absent if reading failed. */
    calls: readonly RequestLogRow[] | undefined;
  },
) {
  const { overview, log } = view.catalog;
  return (
    <Panel
      id="latest"
      class="across"
      title={overview.latest}
      end={calls && calls.length > 0 && (
        <Onward href={withWho("/console/log", view.path)}>{overview.latestAll}</Onward>
      )}
    >
      {calls === undefined
        ? <Failed view={view} title={log.failed} />
        : calls.length === 0
        ? <p class="body soft">{overview.latestNone}</p>
        : <CallTable view={view} calls={calls} />}
    </Panel>
  );
}
