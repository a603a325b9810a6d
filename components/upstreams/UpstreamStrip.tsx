import type { AccountView } from "../../lib/console/page/view.ts";
import type { UpstreamDetail } from "../../lib/console/upstreams/upstream_detail.ts";
import { Figure } from "../Figure.tsx";
import { HealthStrip } from "../chart/HealthStrip.tsx";
import { Sparkline } from "../chart/Sparkline.tsx";
import { percent } from "./UpstreamTable.tsx";

/** The figures of an upstream: its last day, and its spend of two weeks. */
export function UpstreamStrip(
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
