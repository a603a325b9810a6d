import { speedOf, successShare } from "../../lib/console/models/model_measures.ts";
import type { ModelPerformance } from "../../lib/console/models/model_performance.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { percentile } from "../../lib/store/usage/mod.ts";
import { Figure } from "../values.tsx";

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
        name={texts.inPeriod(texts.success)}
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
        name={texts.inPeriod(isOwnSpend ? texts.yourSpend : texts.spend)}
        value={formats.money(spentNanoUsd)}
      >
        {changeText(props)}
      </Figure>
    </section>
  );
}

function changeText({ view: { catalog: { modelPage: texts } }, performance }: ModelFiguresProps) {
  const { spentNanoUsd, beforeNanoUsd } = performance;
  if (beforeNanoUsd === 0n) return texts.noneBefore;
  const percent = Number((spentNanoUsd - beforeNanoUsd) * 100n / beforeNanoUsd);
  return texts.change(percent < 0 ? `−${-percent}%` : `+${percent}%`);
}
