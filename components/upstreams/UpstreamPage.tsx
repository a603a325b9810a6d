import type { UpstreamFaults, UpstreamValues } from "../../lib/admin/upstreams/upstream_form.ts";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import { modelPath } from "../../lib/console/models/model_list.ts";
import type { Flash } from "../../lib/console/page/flash.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type {
  UpstreamDetail,
  UpstreamModelRow,
} from "../../lib/console/upstreams/upstream_detail.ts";
import type { UpstreamRow } from "../../lib/console/upstreams/upstream_list.ts";
import type { ConnectionReport } from "../../lib/upstreams/mod.ts";
import { Onward } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { Fold, Panel } from "../Panel.tsx";
import { ListTable, type TableColumn } from "../Table.tsx";
import { HealthStrip, Sparkline } from "../chart/TinyCharts.tsx";
import { ConsolePage } from "../layout/ConsolePage.tsx";
import { type Undo, UndoNotice } from "../layout/notices.tsx";
import { A, untranslated } from "../list.ts";
import { Figure } from "../values.tsx";
import { ConnectionResult } from "./ConnectionResult.tsx";
import { ServedPrice } from "./ServedModels.tsx";
import { UpstreamAdvice, UpstreamLastError } from "./UpstreamAdvice.tsx";
import { UpstreamChart } from "./UpstreamChart.tsx";
import { UpstreamHead } from "./UpstreamHead.tsx";
import { UpstreamKeys } from "./UpstreamKeys.tsx";
import { percent } from "./UpstreamPanel.tsx";
import { UpstreamSettings } from "./UpstreamSettings.tsx";
import { StateWords } from "./UpstreamStatus.tsx";

/** The data of the page of one upstream. */
export interface UpstreamPageData {
  readonly detail: UpstreamDetail;
  /** The upstream that was just disabled. */
  readonly flash?: Flash;
  readonly values: UpstreamValues;
  readonly faults?: UpstreamFaults;
  readonly report?: ConnectionReport;
  /** Set if the entered keys cannot be added. */
  readonly hasKeyFault?: boolean;
}

interface UpstreamPageProps {
  readonly view: AccountView;
  readonly data: UpstreamPageData;
  /** The last action. */
  readonly done?: keyof Catalog["upstreams"]["done"];
}

/** One upstream: its state and figures, what can be done, then its settings in folds. */
export function UpstreamPage({ view, data, done }: UpstreamPageProps) {
  const { upstreams: texts } = view.catalog;
  const { detail, values, faults = {}, hasKeyFault = false } = data;
  const { row } = detail;
  return (
    <ConsolePage view={view} title={row.upstream.id} place="upstreams" split>
      {done && (
        <div class="across">
          <UndoNotice view={view} text={texts.done[done]} undo={undoOf(data)} />
        </div>
      )}
      <Tested view={view} data={data} />
      <UpstreamHead view={view} detail={detail} />
      <UpstreamStrip view={view} detail={detail} />
      <div class="stack">
        <UpstreamChart view={view} detail={detail} />
        <UpstreamModels view={view} detail={detail} />
        <div class="folds">
          <UpstreamKeys view={view} row={row} hasFault={hasKeyFault} />
          <UpstreamSettings view={view} upstream={row.upstream} values={values} faults={faults} />
          <UpstreamLife view={view} row={row} />
        </div>
      </div>
      <aside class="stack">
        <UpstreamAdvice view={view} detail={detail} />
        <UpstreamLastError view={view} detail={detail} />
      </aside>
    </ConsolePage>
  );
}

function Tested({ view, data: { report, detail } }: Omit<UpstreamPageProps, "done">) {
  if (report === undefined) return null;
  const isOff = !detail.row.upstream.enabled && !report.isReady;
  return (
    <div class="across">
      <ConnectionResult
        view={view}
        report={report}
        remark={isOff ? view.catalog.upstreamAdmin.stillDisabled : undefined}
      />
    </div>
  );
}

/** Enables an upstream that was just disabled, and still is. */
function undoOf({ flash, detail: { row: { upstream } } }: UpstreamPageData): Undo | undefined {
  const { id, enabled, origin } = upstream;
  if (flash?.type !== "upstream-disabled" || flash.id !== id) return undefined;
  if (enabled || origin === "config") return undefined;
  return { path: `/console/admin/upstreams/${id}/enabled`, fields: [["enabled", "true"]] };
}

const steps = ["well", "degraded", "open", "cooling", "probing"] as const satisfies readonly (
  keyof Catalog["upstreamAdmin"]["life"]
)[];

/** The states of an upstream, with the current one marked. */
function UpstreamLife({ view, row }: { view: AccountView; row: UpstreamRow }) {
  const { catalog: { upstreams, upstreamAdmin: texts, upstreamPage }, formats } = view;
  const { state, untilMs } = row.status;
  return (
    <Fold id="life" title={upstreamPage.health} value={upstreamPage.healthValue}>
      <div class="body fields">
        <ol class="life">
          {steps.map((step) => {
            const isNow = step === state;
            const name = isNow && untilMs !== undefined
              ? texts.until(texts.states[step], formats.moment(untilMs))
              : texts.states[step];
            return (
              <li key={step} aria-current={isNow ? "step" : undefined}>
                <Icon name={isNow ? "circle-check" : "circle"} small />
                <b>{name}</b>
                <span>{texts.life[step]}</span>
              </li>
            );
          })}
        </ol>
        <p class="hint">{`${texts.lifeText} ${upstreams.here}`}</p>
      </div>
    </Fold>
  );
}

/** The figures of an upstream: its last day, and its spend of two weeks. */
function UpstreamStrip(
  { view, detail: { row, figures, spend } }: { view: AccountView; detail: UpstreamDetail },
) {
  const { catalog: { upstreamPage: texts, upstreamAdmin }, formats } = view;
  if (figures === undefined) return null;
  const { calls, successShare, firstByteMs, hours, spentNanoUsd } = figures;
  return (
    <section class="strip across" aria-label={texts.figures}>
      <Figure
        name={texts.success}
        value={successShare === undefined ? texts.noCalls : percent(successShare, view)}
      >
        <HealthStrip view={view} marks={hours.map(({ counts }) => counts)} />
      </Figure>
      <Figure
        name={texts.firstByte}
        value={firstByteMs ? formats.span(firstByteMs.p50) : upstreamAdmin.none}
      >
        {firstByteMs && texts.p95(formats.span(firstByteMs.p95))}
      </Figure>
      <Figure name={texts.calls} value={formats.count(calls)}>
        {texts.inProgress(formats.count(row.running))}
      </Figure>
      <Figure name={texts.spend} value={formats.money(spentNanoUsd)}>
        {spend && <Spend {...{ view, spend, spentNanoUsd }} />}
      </Figure>
    </section>
  );
}

function Spend(
  { view, spend: { byDay, allNanoUsd, beforeNanoUsd }, spentNanoUsd }: {
    view: AccountView;
    spend: NonNullable<UpstreamDetail["spend"]>;
    spentNanoUsd: bigint;
  },
) {
  const { upstreamPage: texts } = view.catalog;
  const parts = [
    ...(allNanoUsd > 0n ? [texts.share(whole(spentNanoUsd, allNanoUsd))] : []),
    ...(beforeNanoUsd > 0n ? [texts.change(changeOf(spentNanoUsd, beforeNanoUsd))] : []),
  ];
  return (
    <>
      {parts.join(", ")}
      <Sparkline amounts={byDay.map(Number)} color={1} />
    </>
  );
}

function whole(part: bigint, all: bigint): string {
  return `${Math.round(Number(part * 1_000n / all) / 10)}%`;
}

function changeOf(now: bigint, before: bigint): string {
  const share = Math.round(100 * (Number(now) / Number(before) - 1));
  return `${share < 0 ? "−" : "+"}${Math.abs(share)}%`;
}

const modelsShown = 12;

/** The models of an upstream, those that need attention first. */
function UpstreamModels(
  { view, detail: { row: { upstream: { id } }, models, newest } }: {
    view: AccountView;
    detail: UpstreamDetail;
  },
) {
  const { catalog: { upstreams, upstreamAdmin, upstreamPage: texts }, formats } = view;
  const counted = newest?.newest === undefined
    ? texts.lastDay
    : texts.newestCalls(formats.count(newest.newest));
  return (
    <Panel
      id="models"
      title={upstreams.models}
      beside={<span class="faint">{counted}</span>}
      end={
        <Onward href={`/console/admin/upstreams/${id}/models`}>
          {models.length > modelsShown ? texts.allModels(models.length) : upstreamAdmin.modelsOpen}
        </Onward>
      }
    >
      {models.length === 0 ? <p class="body soft">{texts.catchAll}</p> : (
        <ListTable
          oneLine
          caption={upstreamAdmin.modelsOf(id)}
          columns={columns(view)}
          rows={models.slice(0, modelsShown)}
          keyOf={(model) => model.id}
        />
      )}
    </Panel>
  );
}

function columns(view: AccountView): readonly TableColumn<UpstreamModelRow>[] {
  const { catalog: { upstreams, upstreamAdmin, upstreamPage: texts }, formats } = view;
  return [
    {
      head: upstreamAdmin.modelName,
      type: "name",
      at: "name",
      cell: ({ id }) => <A href={modelPath(id)} {...untranslated}>{id}</A>,
    },
    {
      head: upstreams.state,
      at: "below",
      cell: ({ state, untilMs }) => <StateWords view={view} state={state} untilMs={untilMs} />,
    },
    {
      head: upstreams.calls,
      type: "number",
      cell: ({ used }) => formats.count(used?.calls ?? 0),
    },
    {
      head: upstreams.errors,
      type: "number",
      cell: ({ used }) => used ? percent(used.errorShare, view) : upstreams.none,
    },
    {
      head: upstreams.firstByte,
      type: "number",
      cell: ({ used: { firstByteMs } = {} }) =>
        firstByteMs === undefined ? upstreams.none : formats.span(firstByteMs),
    },
    {
      head: texts.fallback,
      cell: ({ fallbacks }) =>
        fallbacks.length === 0
          ? <span class="faint">{texts.noFallback}</span>
          : <span {...untranslated}>{fallbacks.slice(0, 2).join(", ")}</span>,
    },
    {
      head: upstreamAdmin.modelPrice,
      type: "number",
      at: "first",
      cell: ({ id, price }) => <ServedPrice view={view} price={price} model={id} />,
    },
  ];
}
