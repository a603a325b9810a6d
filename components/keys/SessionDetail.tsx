import { cacheWriteTokens, totalInputTokens } from "../../lib/canonical/mod.ts";
import { moneyScale } from "../../lib/console/charts/chart.ts";
import { logHref } from "../../lib/console/charts/steps.ts";
import { sessionChart } from "../../lib/console/keys/session_chart.ts";
import { modelPath } from "../../lib/console/models/model_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { CacheReport, SessionUsage } from "../../lib/ledger/mod.ts";
import type { ApiKey } from "../../lib/store/api_keys/mod.ts";
import { sessionText } from "../../lib/store/log/mod.ts";
import { A, Onward } from "../A.tsx";
import { Panel } from "../Panel.tsx";
import { Chart, NoData } from "../chart/Chart.tsx";
import { untranslated } from "../untranslated.ts";
import { Dollars, Figure } from "../values.tsx";
import { CacheFigure, SessionCaches } from "./CacheUse.tsx";
import { keyLog } from "./KeyDetail.tsx";
import { SessionTable } from "./SessionTable.tsx";

interface SessionDetailProps {
  readonly view: AccountView;
  readonly apiKey: ApiKey;
  readonly id: string;
  readonly usage: SessionUsage;
  readonly report: CacheReport;
}

/** One session: its figures, its cost over time, its agents and its models. */
export function SessionDetail(props: SessionDetailProps) {
  return (
    <>
      <SessionFigures {...props} />
      <SessionCost {...props} />
      <SessionCaches view={props.view} report={props.report} />
      <SessionAgents {...props} />
      <SessionModels {...props} />
    </>
  );
}

/** The filters of the log for the calls of a session, or of a part of it. */
function logOf(apiKey: ApiKey, tag: string) {
  return { ...keyLog(apiKey), tag };
}

function SessionFigures({ view, apiKey, id, usage }: SessionDetailProps) {
  const { catalog: { keyPage: { sessions: texts }, usage: words }, formats } = view;
  const { counts, turns, parts } = usage;
  const { hostedToolCalls } = counts;
  const agents = new Set(parts.map(({ agent }) => agent).filter(Boolean)).size;
  const failed = { ...logOf(apiKey, id), status: "failed", period: "30d" };
  return (
    <section class="strip of-five" aria-label={texts.summary}>
      <Figure
        name={texts.cost}
        value={<Dollars nanoUsd={counts.costNanoUsd} formats={formats} />}
      >
        {turns > 0 && texts.perTurn(formats.money(counts.costNanoUsd / BigInt(turns)))}
      </Figure>
      <Figure name={texts.turns} value={formats.count(turns)}>
        {formats.list([
          texts.agents(agents),
          ...(hostedToolCalls > 0 ? [texts.hosted(formats.count(hostedToolCalls))] : []),
        ])}
      </Figure>
      <Figure name={texts.calls} value={formats.count(counts.requests)}>
        {counts.failures === 0
          ? words.noFailures
          : (
            <A href={`/console/log?${new URLSearchParams(failed)}`}>
              {words.failures(formats.count(counts.failures))}
            </A>
          )}
      </Figure>
      <Figure name={texts.input} value={formats.short(totalInputTokens(counts))}>
        {texts.cacheUse(
          formats.short(counts.cacheReadTokens),
          formats.short(cacheWriteTokens(counts)),
        )}
      </Figure>
      <CacheFigure view={view} counts={counts} />
    </section>
  );
}

function SessionCost({ view, apiKey, id, usage }: SessionDetailProps) {
  const { catalog: { keyPage: { sessions: texts }, periods, spend }, formats } = view;
  const log = logOf(apiKey, id);
  return (
    <Panel
      id="session-cost"
      title={texts.overTime}
      end={
        <Onward href={`/console/log?${new URLSearchParams({ ...log, period: "30d" })}`}>
          {texts.showCalls}
        </Onward>
      }
    >
      {usage.counts.costNanoUsd === 0n
        ? <NoData text={spend.nothing.cost(periods.names["30d"])} />
        : (
          <Chart
            view={view}
            id="session-chart"
            label={texts.overTime}
            {...sessionChart(usage, view, logHref(log))}
            scale={moneyScale(formats)}
            heightPx={170}
          />
        )}
    </Panel>
  );
}

function SessionAgents({ view, apiKey, id, usage: { parts } }: SessionDetailProps) {
  const { keyPage: { sessions: texts } } = view.catalog;
  return (
    <Panel id="session-agents" title={texts.parts}>
      <SessionTable
        view={view}
        caption={texts.part}
        rows={parts.map(({ counts, ...part }) => {
          const tag = sessionText({ id, ...part });
          const log = new URLSearchParams({ ...logOf(apiKey, tag), period: "30d" });
          const name = [part.agent ?? texts.rest, part.requestClass].filter(Boolean).join(" · ");
          return { id: tag, counts, name: <A href={`/console/log?${log}`}>{name}</A> };
        })}
      />
    </Panel>
  );
}

function SessionModels({ view, usage: { models } }: SessionDetailProps) {
  const { keyPage: { sessions: texts } } = view.catalog;
  return (
    <Panel id="session-models" title={texts.models}>
      <SessionTable
        view={view}
        caption={texts.model}
        rows={models.map(({ model, counts }) => ({
          id: model ?? "",
          name: model === undefined
            ? texts.noModel
            : <A href={modelPath(model)} {...untranslated}>{model}</A>,
          counts,
        }))}
      />
    </Panel>
  );
}
