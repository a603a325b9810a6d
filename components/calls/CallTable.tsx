import { callTone } from "../../lib/console/calls/call_tone.ts";
import { causeOf, chainOf } from "../../lib/console/calls/call_words.ts";
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
  { view, calls, accounts, hrefOf = callPath, openId }: {
    view: AccountView;
    calls: readonly RequestLogRow[];
    /** The e-mail addresses of accounts by id, if the list has calls of several accounts. */
    accounts?: ReadonlyMap<string, string>;
    /** The address that a row opens, if that is not the call's page. */
    hrefOf?: (id: string) => string;
    /** The id of the call that is open beside the table. */
    openId?: string;
  },
) {
  const { log, logPage } = view.catalog;
  const hasAccounts = (accounts?.size ?? 0) > 0;
  return (
    <Table
      caption={log.caption}
      label={log.tableLabel}
      head={
        <>
          <Column>{log.time}</Column>
          <Column>{log.status}</Column>
          <Column>{log.model}</Column>
          <Column>{log.key}</Column>
          {hasAccounts && <Column from={1040}>{logPage.account}</Column>}
          <Column number from={880}>{log.input}</Column>
          <Column number from={880}>{log.output}</Column>
          <Column number from={1040}>{logPage.firstByte}</Column>
          <Column number>{log.duration}</Column>
          <Column number>{view.catalog.usage.cost}</Column>
        </>
      }
    >
      {calls.map((call) => (
        <CallRow
          key={call.id}
          view={view}
          call={call}
          href={hrefOf(call.id)}
          isOpen={call.id === openId}
          account={hasAccounts ? accounts?.get(call.accountId) ?? log.none : undefined}
        />
      ))}
    </Table>
  );
}

interface CallRowProps {
  readonly view: AccountView;
  readonly call: RequestLogRow;
  readonly href: string;
  readonly isOpen: boolean;
  readonly account: string | undefined;
}

function callPath(id: string): string {
  return `/console/log/${id}`;
}

function CallRow({ view, call, href, isOpen, account }: CallRowProps) {
  const { catalog: { log, usage: texts, logPage }, formats } = view;
  const { usage, firstByteMs } = call;
  const output = usage && totalOutputTokens(usage);
  const came = `${call.status} ${causeOf(call, view) ?? texts.statuses[call.outcome]}`;
  return (
    <Row>
      <NameCell class="name at-below">
        <A class="id" href={href} title={call.id} current={isOpen}>
          <Time atMs={call.atMs} formats={formats} as="moment" />
        </A>
      </NameCell>
      <Cell label={log.status} class="what-came short at-second">
        <span title={came}>
          <Status tone={callTone(call)}>{came}</Status>
        </span>
      </Cell>
      <Cell label={log.model} class="at-name short">
        <Model view={view} call={call} />
      </Cell>
      <Cell label={log.key} class="quiet short">
        <span title={call.keyName} {...untranslated}>{call.keyName}</span>
      </Cell>
      {account !== undefined && (
        <Cell label={logPage.account} class="quiet short from-1040">
          <span title={account} {...untranslated}>{account}</span>
        </Cell>
      )}
      <Cell label={log.input} class="number quiet from-880">
        {usage ? formats.count(totalInputTokens(usage)) : log.none}
      </Cell>
      <Cell label={log.output} class="number quiet from-880">
        {output === undefined ? log.none : formats.count(output)}
      </Cell>
      <Cell label={logPage.firstByte} class="number quiet from-1040">
        {firstByteMs === undefined ? log.none : formats.span(firstByteMs)}
      </Cell>
      <Cell label={log.duration} class="number quiet">{formats.span(call.durationMs)}</Cell>
      <Cell label={texts.cost} class="number at-first">
        <Charge view={view} call={call} />
      </Cell>
    </Row>
  );
}

/** The requested model. Its title has what else is known about the caller. */
function Model({ view, call }: Pick<CallRowProps, "view" | "call">) {
  const { model, upstreamModel, userAgent } = call;
  const chain = view.user.role === "administrator" ? chainOf(call) : [];
  const name = upstreamModel && upstreamModel !== model ? `${model} → ${upstreamModel}` : model;
  const title = [name, clientName(userAgent), chain.join(" → ")].filter(Boolean).join(" · ");
  return <span title={title} {...untranslated}>{name}</span>;
}

/** The charge of a call. A failed call without one says so instead of `$0.00`. */
function Charge({ view: { catalog, formats }, call }: Pick<CallRowProps, "view" | "call">) {
  const { costNanoUsd: charged, outcome } = call;
  if (charged === undefined) return <>{catalog.log.none}</>;
  if (charged === 0n && failureOf[outcome]) {
    return <span class="quiet">{catalog.playground.notCharged}</span>;
  }
  return <Dollars nanoUsd={charged} formats={formats} aligned />;
}
