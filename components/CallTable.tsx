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
      oneLine
      caption={log.caption}
      label={log.tableLabel}
      head={
        <>
          <Column>{log.time}</Column>
          <Column>{log.status}</Column>
          <Column>{log.model}</Column>
          <Column>{log.key}</Column>
          <Column number>{log.duration}</Column>
          <Column number>{log.input}</Column>
          <Column number>{log.output}</Column>
          <Column>{log.request}</Column>
        </>
      }
    >
      {calls.map((call) => <CallRow key={call.id} view={view} call={call} />)}
    </Table>
  );
}

function CallRow({ view, call }: { view: AccountView; call: RequestLogRow }) {
  const { catalog: { log }, formats } = view;
  const { usage } = call;
  return (
    <Row>
      <NameCell>
        <Time atMs={call.atMs} formats={formats} as="moment" />
      </NameCell>
      <Cell label={log.status}>
        <Status tone={callTone(call)}>
          {call.status}
          {call.errorCode && ` ${call.errorCode}`}
        </Status>
      </Cell>
      <Cell label={log.model}>
        <span {...untranslated}>{call.model}</span>
      </Cell>
      <Cell label={log.key} class="quiet">{call.keyName}</Cell>
      <Cell label={log.duration} class="number">{formats.span(call.durationMs)}</Cell>
      <Cell label={log.input} class="number">
        {usage ? formats.count(totalInputTokens(usage)) : log.none}
      </Cell>
      <Cell label={log.output} class="number">
        {usage ? formats.count(totalOutputTokens(usage)) : log.none}
      </Cell>
      <Cell label={log.request} class="whole">
        <a class="id" href={`/console/log/${call.id}`} {...untranslated}>{call.id}</a>
      </Cell>
    </Row>
  );
}
