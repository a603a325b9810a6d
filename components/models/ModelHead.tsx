import { logHref, periodSteps } from "../../lib/console/charts/steps.ts";
import { setPricePath } from "../../lib/console/models/model_list.ts";
import { speedOf, successShare } from "../../lib/console/models/model_measures.ts";
import type { Availability, ModelPageData } from "../../lib/console/models/model_page.ts";
import { modelCharts, type ModelPerformance } from "../../lib/console/models/model_performance.ts";
import type { Retirement } from "../../lib/catalog/mod.ts";
import { changeInPercent } from "../../lib/console/overview/figures.ts";
import type { PeriodSpan } from "../../lib/console/page/period.ts";
import { periodWords } from "../../lib/console/page/period_words.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { percentile } from "../../lib/store/usage/mod.ts";
import { A } from "../A.tsx";
import { CopyButton } from "../CopyButton.tsx";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { PeriodMenu } from "../PeriodMenu.tsx";
import { Failed, Status, type StatusTone } from "../States.tsx";
import { NothingInPeriod, SmallCharts } from "../chart/Chart.tsx";
import { untranslated } from "../untranslated.ts";
import { Figure } from "../values.tsx";

const toneOf = { available: "ok", out: "bad", unserved: "off" } as const satisfies Record<
  Availability,
  StatusTone
>;

/** The state and facts of a model, and its actions. */
export function ModelHead({ view, data }: { view: AccountView; data: ModelPageData }) {
  const { modelPage: texts, copy } = view.catalog;
  const { row: { id }, availability, managed, retirement } = data;
  return (
    <div class="state-line">
      <Status tone={toneOf[availability]}>{texts[availability]}</Status>
      <p>
        {availability === "available"
          ? factsOf(view, data)
          : availability === "out"
          ? texts.outText
          : texts.unservedText}
        <CopyButton text={id} label={texts.copyName} texts={copy} />
        {retirement && <b>{retirementText(view, retirement)}</b>}
      </p>
      <div class="actions">
        {managed && managed.row.source !== "declared" && view.may("prices:write") && (
          <A class="button" href={setPricePath(id)}>
            <Icon name="tags" small />
            {texts.setPrice}
          </A>
        )}
        {availability !== "unserved" && (
          <A
            class="button primary"
            href={`/console/playground?${new URLSearchParams({ model: id })}`}
          >
            <Icon name="message-square" small />
            {texts.tryIt}
          </A>
        )}
      </div>
    </div>
  );
}

function retirementText(
  { catalog: { modelPage: texts } }: AccountView,
  { date, successor }: Retirement,
): string {
  const end = texts.retires(date); // a day of the vendor, not of the reader's time zone
  return successor === undefined ? end : `${end} ${texts.successor(successor)}`;
}

function factsOf({ catalog, formats }: AccountView, { row }: ModelPageData) {
  const { modelPage: texts, modelList } = catalog;
  const { id, displayName, vendor, aliases, contextWindow, maxOutputTokens, capabilities } = row;
  const facts = [
    displayName !== id && displayName,
    vendor,
    contextWindow !== undefined && texts.context(formats.short(contextWindow)),
    maxOutputTokens !== undefined && texts.maxOutput(formats.short(maxOutputTokens)),
    formats.list(capabilities.map((one) => modelList.capabilities[one])),
    aliases.length > 0 && texts.aliases(formats.list(aliases)),
  ];
  return <span {...untranslated}>{facts.filter(Boolean).join(" · ")}</span>;
}

interface ModelFiguresProps {
  readonly view: AccountView;
  readonly performance: ModelPerformance;
  /** True if the spend is the reader's own. */
  readonly isOwnSpend: boolean;
}

/** Success, first byte, speed and spend of a model in the last days. */
export function ModelFigures(props: ModelFiguresProps) {
  const { view: { catalog: { modelPage: texts }, formats }, performance, isOwnSpend } = props;
  const { counts, times, spentNanoUsd } = performance;
  const share = successShare(counts);
  const { firstByteMs, tokensPerSecond } = speedOf(counts, times);
  const p95 = percentile(times.firstByte, 0.95);
  const [requests, failures] = [counts.requests, counts.failures].map(formats.count);
  return (
    <section class="strip" aria-label={texts.figures}>
      <Figure
        name={texts.inPeriod(texts.success, periodWords(performance.span, props.view))}
        value={share === undefined ? texts.none : formats.percent(share)}
      >
        {counts.failures > 0 ? texts.failures(failures, requests) : texts.noFailures(requests)}
      </Figure>
      <Figure
        name={texts.firstByteMedian}
        value={firstByteMs === undefined ? texts.none : formats.span(firstByteMs)}
      >
        {p95 !== undefined && texts.p95(formats.span(p95))}
      </Figure>
      <Figure
        name={texts.tokensPerSecond}
        value={tokensPerSecond === undefined
          ? texts.none
          : formats.count(Math.round(tokensPerSecond))}
      >
        {tokensPerSecond !== undefined && texts.mean}
      </Figure>
      <Figure
        name={texts.inPeriod(
          isOwnSpend ? texts.yourSpend : texts.spend,
          periodWords(performance.span, props.view),
        )}
        value={formats.money(spentNanoUsd)}
      >
        {changeText(props)}
      </Figure>
    </section>
  );
}

function changeText({ view, performance }: ModelFiguresProps) {
  const { catalog: { spend, periods } } = view;
  const { span, spentNanoUsd, beforeNanoUsd } = performance;
  const former = periods.before[span.name];
  const change = changeInPercent(Number(spentNanoUsd), Number(beforeNanoUsd));
  return change === undefined ? spend.nothingBefore(former) : spend.change(change, former);
}

/** Spend, first byte, success and speed by day. A day links to its calls. */
export function PerformancePanel(
  { view, model, span, performance, isOwnSpend }: {
    view: AccountView;
    model: string;
    span: PeriodSpan;
    /** Undefined if reading failed. */
    performance: ModelPerformance | undefined;
    isOwnSpend: boolean;
  },
) {
  const { modelPage: texts } = view.catalog;
  return (
    <Panel
      id="performance"
      title={texts.performance}
      end={<PeriodMenu view={view} span={span} />}
    >
      {performance === undefined
        ? <Failed view={view} title={texts.failed} />
        : performance.counts.requests === 0
        ? <NothingInPeriod view={view} period={span} />
        : (
          <SmallCharts
            id="measured"
            steps={periodSteps(span, {
              locale: view.locale,
              formats: view.formats,
              href: logHref({ model }),
              marksMax: 5,
            })}
            charts={modelCharts(performance, { view, isOwnSpend })}
            chosen={lastUsed(performance)}
          />
        )}
    </Panel>
  );
}

/** The last whole day with calls: a day without says nothing. */
function lastUsed({ steps }: ModelPerformance): number | undefined {
  const at = steps.slice(0, -1).findLastIndex(({ counts }) => counts.requests > 0);
  return at < 0 ? undefined : at;
}
