import {
  periodHref,
  type PeriodName,
  periodNames,
  type PeriodSpan,
} from "../lib/console/page/period.ts";
import { spanTitle, zoneText } from "../lib/console/page/period_words.ts";
import type { AccountView } from "../lib/console/page/view.ts";
import { A } from "./A.tsx";
import { Icon } from "./Icon.tsx";

interface PeriodProps {
  readonly view: AccountView;
  readonly span: PeriodSpan;
}

/** The periods that are one click away. */
const quick = ["24h", "7d", "14d", "30d"] as const satisfies readonly PeriodName[];

/** The choice of the period that a page's usage covers: one with a name, or a range of days. */
export function PeriodMenu({ view, span }: PeriodProps) {
  const { catalog: { periods }, path } = view;
  const isQuick = quick.some((name) => name === span.name);
  const text = isQuick ? periods.more : spanTitle(span, view);
  return (
    <div class="period">
      <nav class="choice-links" aria-label={periods.quick}>
        {quick.map((name) => (
          <A
            key={name}
            href={periodHref(path, name)}
            current={name === span.name}
            title={periods.titles[name]}
          >
            {periods.short[name]}
          </A>
        ))}
      </nav>
      <button
        class="button small"
        type="button"
        popovertarget="periods"
        aria-label={`${periods.label}: ${text}`}
      >
        {text}
        <Icon name="chevrons-up-down" small />
      </button>
      <div class="menu of-periods" id="periods" popover="auto">
        <nav aria-label={periods.label}>
          {periodNames.map((name) => (
            <A key={name} class="item" href={periodHref(path, name)} current={name === span.name}>
              {periods.titles[name]}
            </A>
          ))}
        </nav>
        <hr />
        <RangeForm view={view} span={span} />
        <p class="hint">{zoneText(span, view)}</p>
      </div>
    </div>
  );
}

/** Fields of the address that another period leaves behind. */
const left: ReadonlySet<string> = new Set(["period", "since", "until", "at", "done"]);

function RangeForm({ view: { catalog: { periods }, path }, span }: PeriodProps) {
  const url = new URL(path, "http://localhost");
  const others = [...url.searchParams].filter(([name]) => !left.has(name));
  return (
    <form action={url.pathname}>
      {others.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
      <label>
        <span>{periods.from}</span>
        <input class="input" type="date" name="since" value={span.since} required />
      </label>
      <label>
        <span>{periods.until}</span>
        <input class="input" type="date" name="until" value={span.until} required />
      </label>
      <button class="button small" type="submit">{periods.show}</button>
    </form>
  );
}
