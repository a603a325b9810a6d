import { callTone } from "../../lib/console/calls/call_tone.ts";
import { causeOf, chainOf, tokensPerSecond } from "../../lib/console/calls/call_words.ts";
import { clientName } from "../../lib/console/calls/client_name.ts";
import {
  type AccountView,
  failureOf,
  type RequestLogRow,
  totalInputTokens,
  totalOutputTokens,
} from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Dollars } from "../Dollars.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";

/** Calls, newest first. */
export function CallTable(
  { view, calls, accounts }: {
    view: AccountView;
    calls: readonly RequestLogRow[];
    /** The e-mail addresses of accounts by id, if the list has calls of several accounts. */
    accounts?: ReadonlyMap<string, string>;
  },
) {
  const { log } = view.catalog;
  return (
    <Table
      caption={log.caption}
      label={log.tableLabel}
      head={
        <>
          <Column>{log.time}</Column>
          <Column>{log.status}</Column>
          <Column>{`${log.model} · ${log.key}`}</Column>
          <Column number>{log.input}</Column>
          <Column number>{log.output}</Column>
          <Column number>{log.duration}</Column>
          <Column number>{view.catalog.usage.cost}</Column>
        </>
      }
    >
      {calls.map((call) => (
        <CallRow key={call.id} view={view} call={call} account={accounts?.get(call.accountId)} />
      ))}
    </Table>
  );
}

interface CallRowProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
  readonly account: string | undefined;
}

function CallRow({ view, call, account }: CallRowProps) {
  const { catalog: { log, usage: texts, logPage }, formats } = view;
  const { usage, firstByteMs } = call;
  const output = usage && totalOutputTokens(usage);
  const rate = tokensPerSecond(call, output ?? 0);
  return (
    <Row>
      <NameCell>
        <Time atMs={call.atMs} formats={formats} as="moment" />
        <A class="id" href={`/console/log/${call.id}`} {...untranslated}>{call.id}</A>
      </NameCell>
      <Cell label={log.status} class="what-came">
        <Status tone={callTone(call)}>{`${call.status} ${texts.statuses[call.outcome]}`}</Status>
        <Second>{causeOf(call, view)}</Second>
      </Cell>
      <Cell label={`${log.model} · ${log.key}`} class="who-called">
        <Caller view={view} call={call} account={account} />
      </Cell>
      <Cell label={log.input} class="number">
        {usage ? formats.count(totalInputTokens(usage)) : log.none}
        <Second>
          {usage && usage.cacheReadTokens > 0 &&
            logPage.cached(formats.count(usage.cacheReadTokens))}
        </Second>
      </Cell>
      <Cell label={log.output} class="number">
        {output === undefined ? log.none : formats.count(output)}
        <Second>{rate && logPage.perSecond(formats.short(rate))}</Second>
      </Cell>
      <Cell label={log.duration} class="number">
        {formats.span(call.durationMs)}
        <Second>{firstByteMs !== undefined && logPage.first(formats.span(firstByteMs))}</Second>
      </Cell>
      <Cell label={texts.cost} class="number">
        <Charge view={view} call={call} />
      </Cell>
    </Row>
  );
}

/** The charge of a call. A failed call without one says so instead of `$0.00`. */
function Charge({ view: { catalog, formats }, call }: Omit<CallRowProps, "account">) {
  const { costNanoUsd: charged, outcome } = call;
  if (charged === undefined) return <>{catalog.log.none}</>;
  if (charged === 0n && failureOf[outcome]) {
    return <span class="quiet">{catalog.playground.notCharged}</span>;
  }
  return <Dollars nanoUsd={charged} formats={formats} aligned />;
}

/** Model, key, program, account and upstreams of a call. */
function Caller({ view, call, account }: CallRowProps) {
  const { catalog: { logPage }, user } = view;
  const { model, upstreamModel, keyName, stream, userAgent } = call;
  const by = [keyName, clientName(userAgent), stream && logPage.stream].filter((part) => part);
  const chain = user.role === "administrator" ? chainOf(call) : [];
  return (
    <>
      <span {...untranslated}>
        {upstreamModel && upstreamModel !== model ? `${model} → ${upstreamModel}` : model}
      </span>
      <Second>{by.join(" · ")}</Second>
      <Second>{account}</Second>
      <Second>{chain.length > 0 && chain.join(" → ")}</Second>
    </>
  );
}

function Second({ children }: { children: string | number | false | undefined }) {
  return children ? <span class="second">{children}</span> : null;
}
