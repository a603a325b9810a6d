import { longestPeriod, periodHref, type PeriodName } from "../../lib/console/page/period.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";

/** A chart without amounts: a sentence in place of a scale. */
export function NoData({ text }: { text: string }) {
  return (
    <div class="no-data">
      <p>{text}</p>
    </div>
  );
}

/** A period without calls: the last call, and a button to the longest period. */
export function NothingInPeriod(
  { view, period, lastCallMs }: {
    view: AccountView;
    period: PeriodName;
    /** Absent if there is none, or if it is unknown. */
    lastCallMs?: number;
  },
) {
  const { catalog: { spend }, formats, path } = view;
  return (
    <div class="no-data">
      <p>
        {spend.none(spend.periods[period])}
        {lastCallMs !== undefined && ` ${spend.lastCall(formats.ago(lastCallMs))}`}
      </p>
      {period !== longestPeriod && (
        <A class="button small" href={periodHref(path, longestPeriod)}>{spend.widen}</A>
      )}
    </div>
  );
}
