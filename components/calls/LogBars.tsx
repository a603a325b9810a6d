import type { LogBar } from "../../lib/console/calls/log_bars.ts";
import { type LogSearch, logSearchPath, without } from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";

interface LogBarsProps {
  readonly view: AccountView;
  readonly search: LogSearch;
  readonly bars: readonly LogBar[];
}

const heightPx = 44;
const dayMs = 86_400_000;

/** Small bars of calls over time with failures at the bottom. Each bar links to its time range. */
export function LogBars({ view, search, bars }: LogBarsProps) {
  const most = Math.max(...bars.map(({ requests }) => requests));
  if (bars.length < 2 || most <= 0) return null;
  const { catalog: { logPage }, formats } = view;
  const timeless = without(search, "period");
  const width = 100 / bars.length;
  return (
    <nav class="log-bars" aria-label={logPage.bars}>
      <svg width="100%" height={heightPx} role="presentation">
        {bars.map((bar, at) =>
          bar.requests > 0 && (
            <A
              href={logSearchPath({
                ...timeless,
                filter: { ...timeless.filter, fromMs: bar.fromMs, toMs: bar.toMs },
              })}
              aria-label={logPage.bar(
                nameOf(bar, formats),
                formats.count(bar.requests),
                formats.count(bar.failures),
              )}
            >
              <title>
                {logPage.bar(
                  nameOf(bar, formats),
                  formats.count(bar.requests),
                  formats.count(bar.failures),
                )}
              </title>
              <rect class="reach" x={`${at * width}%`} width={`${width}%`} height={heightPx} />
              <Part class="part" at={at} width={width} share={bar.requests / most} />
              {bar.failures > 0 && (
                <Part class="failed" at={at} width={width} share={bar.failures / most} />
              )}
            </A>
          )
        )}
      </svg>
      <p class="axis">
        <span>{nameOf(bars[0], formats)}</span>
        <span>{nameOf(bars[bars.length - 1], formats)}</span>
      </p>
    </nav>
  );
}

function Part(
  { class: style, at, width, share }: { class: string; at: number; width: number; share: number },
) {
  const height = Math.max(2, Math.round(share * heightPx));
  return (
    <rect
      class={style}
      x={`${(at + 0.1) * width}%`}
      y={heightPx - height}
      width={`${0.8 * width}%`}
      height={height}
    />
  );
}

function nameOf({ fromMs, toMs }: LogBar, formats: AccountView["formats"]): string {
  return toMs - fromMs >= dayMs ? formats.utcDay(fromMs) : formats.moment(fromMs);
}
