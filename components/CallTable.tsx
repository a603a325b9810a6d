import { callTone } from "../lib/console/call_tone.ts";
import {
  type AccountView,
  type RequestLogRow,
  totalInputTokens,
  totalOutputTokens,
} from "../lib/console/view.ts";
import { Status } from "./States.tsx";
import { Cell, Column, NameCell, Row, Table } from "./Table.tsx";
import { Time } from "./Time.tsx";
import { untranslated } from "./untranslated.ts";

/** Calls, newest first. */
export function CallTable(
  { view, calls }: { view: AccountView; calls: readonly RequestLogRow[] },
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
      {calls.map((call) => <CallRow key={call.id} view={view} call={call} />)}
    </Table>
  );
}

function CallRow({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { catalog: { log, usage: texts }, formats } = view;
  const { usage } = call;
  return (
    <Row>
      <NameCell>
        <Time atMs={call.atMs} formats={formats} as="moment" />
        <a class="id" href={`/console/log/${call.id}`} {...untranslated}>{call.id}</a>
      </NameCell>
      <Cell label={log.status}>
        <Status tone={callTone(call)}>{call.status}</Status>
        {call.errorCode && <span class="second">{call.errorCode}</span>}
      </Cell>
      <Cell label={`${log.model} · ${log.key}`} class="who-called">
        <span {...untranslated}>{call.model}</span>
        <span class="second">{call.keyName}</span>
      </Cell>
      <Cell label={log.input} class="number">
        {usage ? formats.count(totalInputTokens(usage)) : log.none}
      </Cell>
      <Cell label={log.output} class="number">
        {usage ? formats.count(totalOutputTokens(usage)) : log.none}
      </Cell>
      <Cell label={log.duration} class="number">{formats.span(call.durationMs)}</Cell>
      <Cell label={texts.cost} class="number">
        {call.costNanoUsd === undefined ? log.none : formats.money(call.costNanoUsd)}
      </Cell>
    </Row>
  );
}
