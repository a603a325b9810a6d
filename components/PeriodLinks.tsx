import { periodHref, type PeriodName, periodNames } from "../lib/console/page/period.ts";
import type { AccountView } from "../lib/console/page/view.ts";
import { A } from "./A.tsx";

/** The choice of the period that a page's usage covers. */
export function PeriodLinks({ view, period }: { view: AccountView; period: PeriodName }) {
  const { catalog: { spend }, path } = view;
  return (
    <nav class="choice-links periods" aria-label={spend.period}>
      {periodNames.map((one) => (
        <A
          key={one}
          href={periodHref(path, one)}
          current={one === period}
          title={spend.periods[one]}
        >
          {spend.shortPeriods[one]}
        </A>
      ))}
    </nav>
  );
}
