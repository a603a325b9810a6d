import type { ComponentChildren } from "preact";
import { tokensIn, tokensOut, type UsageSummary } from "../../lib/console/calls/usage_summary.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Dollars } from "../Dollars.tsx";

/** The totals of a period's calls, side by side. */
export function UsageStrip(
  { view, summary, failedHref }: {
    view: AccountView;
    summary: UsageSummary;
    /** Links to the failed calls. */
    failedHref: string;
  },
) {
  const { catalog: { usage, log, logPage }, formats } = view;
  const { counts, total, failed, p50Ms, p95Ms, firstByteP50Ms, firstByteP95Ms } = summary;
  const span = (ms: number | undefined) => ms === undefined ? log.none : formats.span(ms);
  const text = ({ count, more }: typeof total) => `${formats.count(count)}${more ? "+" : ""}`;
  return (
    <section class="strip of-five" aria-label={usage.summary}>
      <Figure name={usage.calls} value={text(total)}>
        {failed && (failed.count > 0
          ? <A href={failedHref}>{usage.failures(text(failed))}</A>
          : usage.noFailures)}
      </Figure>
      <Figure name={usage.cost} value={<Dollars nanoUsd={counts.costNanoUsd} formats={formats} />}>
        {counts.uncoveredNanoUsd > 0n && usage.uncovered(formats.money(counts.uncoveredNanoUsd))}
      </Figure>
      <Figure name={usage.tokens} value={formats.count(tokensIn(counts) + tokensOut(counts))}>
        {usage.inAndOut(formats.count(tokensIn(counts)), formats.count(tokensOut(counts)))}
      </Figure>
      <Figure name={logPage.medianFirst} value={span(firstByteP50Ms)}>
        {firstByteP95Ms !== undefined && usage.p95(span(firstByteP95Ms))}
      </Figure>
      <Figure name={usage.median} value={span(p50Ms)}>
        {p95Ms !== undefined && usage.p95(span(p95Ms))}
      </Figure>
    </section>
  );
}

/** A number with its name above and an explanation below. */
export function Figure(
  { name, value, children }: {
    name: string;
    value: ComponentChildren;
    children?: ComponentChildren;
  },
) {
  return (
    <div>
      <h2>{name}</h2>
      <p class="figure">{value}</p>
      <p class="sub">{children}</p>
    </div>
  );
}
