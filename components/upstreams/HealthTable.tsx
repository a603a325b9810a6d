import type { AccountView, HealthRow } from "../../lib/console/page/view.ts";
import { upstreamFaultWords } from "../../lib/console/upstreams/upstream_fault_words.ts";
import { Panel } from "../Panel.tsx";
import { Empty } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { untranslated } from "../untranslated.ts";
import { PlaceState } from "./UpstreamStatus.tsx";
import { percent } from "./UpstreamTable.tsx";

/** The health of an upstream: as a whole, by credential and by model. */
export function HealthTable(
  { view, health }: { view: AccountView; health: readonly HealthRow[] },
) {
  const { upstreams: texts } = view.catalog;
  return (
    <Panel id="health" title={texts.health}>
      {health.length === 0
        ? <Empty icon="server" title={texts.healthEmpty} text={texts.here} />
        : (
          <>
            <Table
              caption={texts.health}
              label={texts.healthLabel}
              head={
                <>
                  <Column>{texts.place}</Column>
                  <Column>{texts.state}</Column>
                  <Column number>{texts.calls}</Column>
                  <Column number>{texts.errors}</Column>
                  <Column number>{texts.firstByte}</Column>
                  <Column>{texts.lastError}</Column>
                </>
              }
            >
              {health.map((row) => (
                <HealthTableRow
                  key={`${row.credentialId} ${row.model}`}
                  view={view}
                  row={row}
                />
              ))}
            </Table>
            <p class="hint below">{texts.here}</p>
          </>
        )}
    </Panel>
  );
}

function HealthTableRow({ view, row }: { view: AccountView; row: HealthRow }) {
  const { catalog: { upstreams: texts }, formats } = view;
  const { credentialId, model, windowCalls, observed, lastError } = row;
  const credential = credentialId && texts.credential(credentialId);
  return (
    <Row>
      <NameCell>
        <span {...(model ? untranslated : {})}>{model ?? credential ?? texts.whole}</span>
        {model && credential && <code>{credential}</code>}
      </NameCell>
      <Cell label={texts.state} class="wrap">
        <PlaceState view={view} health={row} />
      </Cell>
      <Cell label={texts.calls} class="number">{formats.count(windowCalls)}</Cell>
      <Cell label={texts.errors} class="number">
        {observed ? percent(observed.errorShare, view) : texts.none}
      </Cell>
      <Cell label={texts.firstByte} class="number">
        {observed?.firstByteMs === undefined ? texts.none : formats.span(observed.firstByteMs)}
      </Cell>
      <Cell label={texts.lastError} class="quiet">
        {lastError
          ? (
            <>
              <span>{upstreamFaultWords(lastError.code, view)}</span>
              {", "}
              <Time atMs={lastError.atMs} formats={formats} />
            </>
          )
          : texts.none}
      </Cell>
    </Row>
  );
}
