import type { UpstreamTest } from "../../lib/admin/upstreams/upstream_state.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { LateParts } from "../../lib/console/upstreams/streamed.tsx";
import { upstreamFaultWords } from "../../lib/console/upstreams/upstream_words.ts";
import type { ModelReport } from "../../lib/upstreams/mod.ts";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";

/** The result of a connection test, with its remedy. */
export function ConnectionResult(
  { view, report, remark }: {
    view: AccountView;
    report: UpstreamTest;
    /** The consequence of the result. */
    remark?: string;
  },
) {
  const { catalog: { upstreams: texts, upstreamWords, clouds }, formats } = view;
  const { isReady, state, url, status, tookMs, said, models, suggestedBaseUrl } = report;
  const { identity, advice } = report;
  const took = formats.span(tookMs);
  return (
    <Panel id="tested" title={texts.testTitle}>
      <div class="body fields" role="status">
        <p>
          <Status tone={isReady ? "ok" : "bad"}>
            {upstreamWords.connection[state]}
          </Status>
        </p>
        {remark && <p>{remark}</p>}
        {advice && <p>{clouds.advice[advice]}</p>}
        {identity && <p class="soft breakable">{clouds.signedInAs(identity)}</p>}
        <p class="soft">
          {status === undefined ? texts.testedWithout(took) : texts.tested(took, String(status))}
          {models !== undefined && ` ${texts.listed(models)}`}
          {suggestedBaseUrl !== undefined && ` ${texts.suggested(suggestedBaseUrl)}`}
        </p>
        {url && (
          <p>
            <code class="breakable" {...untranslated}>{url}</code>
          </p>
        )}
        {said && <p class="soft breakable" {...untranslated}>{said}</p>}
      </div>
    </Panel>
  );
}

/** A table that gains a row whenever a model has answered. */
export function ModelReports(
  { view, count, cutTo }: {
    view: AccountView;
    /** The number of models tested. */
    count: number;
    /** Set to the limit if more models were selected. */
    cutTo?: number;
  },
) {
  const { upstreamAdmin: texts } = view.catalog;
  return (
    <Panel id="reports" title={texts.result}>
      <p class="working" role="status">
        <Icon name="refresh-cw" small />
        {texts.testing(count)}
      </p>
      {cutTo !== undefined && <p class="hint below">{texts.testMany(cutTo)}</p>}
      <Table
        oneLine
        caption={texts.result}
        label={texts.result}
        head={
          <>
            <Column>{texts.modelName}</Column>
            <Column>{texts.result}</Column>
            <Column number>{texts.took}</Column>
            <Column number>{texts.tokens}</Column>
          </>
        }
      >
        <LateParts />
      </Table>
    </Panel>
  );
}

/** The answer of one model. */
export function ModelReportRow({ view, report }: { view: AccountView; report: ModelReport }) {
  const { catalog: { upstreamAdmin: texts }, formats } = view;
  const { model, tookMs, fault, tokens } = report;
  const status = fault?.status === undefined ? "" : ` (${fault.status})`;
  return (
    <Row>
      <NameCell>
        <span {...untranslated}>{model}</span>
      </NameCell>
      <Cell label={texts.result} class="said parts">
        <Status tone={fault ? "bad" : "ok"}>
          {fault ? `${upstreamFaultWords(fault.code, view)}${status}` : texts.answered}
        </Status>
        {fault && <span class="part" {...untranslated}>{fault.said}</span>}
      </Cell>
      <Cell label={texts.took} class="number">{formats.span(tookMs)}</Cell>
      <Cell label={texts.tokens} class="number">
        {tokens ? `${formats.count(tokens.input)} · ${formats.count(tokens.output)}` : texts.none}
      </Cell>
    </Row>
  );
}

/** The totals, in the last row. */
export function ModelReportsEnd(
  { view, well, count }: { view: AccountView; well: number; count: number },
) {
  const { upstreamAdmin: texts } = view.catalog;
  return (
    <tr role="row">
      <td role="cell" class="arrived" colSpan={4}>
        <Status tone={well === count ? "ok" : "warn"}>{texts.tested(well, count)}</Status>
      </td>
    </tr>
  );
}
