import type { ChartColor } from "../../lib/console/charts/chart.ts";
import type { AccountView } from "../../lib/console/page/view.ts";

const [width, heightPx, marginPx] = [84, 22, 2];

/** The shape of a series, without an axis: the amount is next to it. */
export function Sparkline(
  { amounts, color = "rest" }: { amounts: readonly number[]; color?: ChartColor },
) {
  const most = Math.max(...amounts, 0);
  if (most === 0 || amounts.length < 2) return null;
  const heights = amounts.map((amount) =>
    (heightPx - 1 - amount / most * (heightPx - 1 - marginPx)).toFixed(1)
  );
  const points = heights.flatMap((y, at) => {
    if (y === heights[at - 1] && y === heights[at + 1]) return []; // on a level line
    const x = marginPx + at * (width - 2 * marginPx) / (amounts.length - 1);
    return `${x.toFixed(1)},${y}`;
  }).join(" ");
  const [left, right] = [marginPx, width - marginPx];
  return (
    <svg class={`sparkline data-${color}`} width={width} height={heightPx} aria-hidden="true">
      <polygon points={`${left},${heightPx - 1} ${points} ${right},${heightPx - 1}`} />
      <polyline points={points} />
    </svg>
  );
}

/** A share as a bar; the number is next to it. */
export function Meter(
  { share, color, width = "100%" }: {
    share: number;
    color: ChartColor;
    width?: string;
  },
) {
  return (
    <svg class="meter" width={width} height="4" aria-hidden="true">
      <rect class="track" width="100%" height="4" rx="2" />
      <rect
        class={`data-${color}`}
        width={`${Math.round(1_000 * Math.min(1, share)) / 10}%`}
        height="4"
        rx="2"
      />
    </svg>
  );
}

/** The color of a used share: amber from 80% on, red once nothing is left. */
export function limitColor(share: number): ChartColor {
  if (share >= 1) return "bad";
  return share >= 0.8 ? "warn" : "rest";
}

/** The calls of one hour. */
interface HealthMark {
  readonly requests: number;
  readonly failures: number;
}

const heights = { none: 3, ok: 9, warn: 14, bad: 18 } as const;
const [markPx, slotPx] = [3.5, 5];
/** The share of failed calls from which an hour counts as bad. */
const badShare = 0.15;

/** One mark an hour. Hours with errors are higher, so that color is not the only sign. */
export function HealthStrip(
  { view: { catalog: { charts } }, marks }: {
    view: Pick<AccountView, "catalog">;
    marks: readonly HealthMark[];
  },
) {
  const errors = marks.filter(({ failures }) => failures > 0).length;
  return (
    <svg
      class="health-strip"
      width={marks.length * slotPx}
      height={heights.bad}
      role="img"
      aria-label={charts.hoursWithErrors(errors, marks.length)}
    >
      {marks.map((mark, at) => {
        const level = levelOf(mark);
        const height = heights[level];
        return (
          <rect
            key={at}
            class={`mark-${level}`}
            x={at * slotPx}
            y={heights.bad - height}
            width={markPx}
            height={height}
            rx="1"
          />
        );
      })}
    </svg>
  );
}

function levelOf({ requests, failures }: HealthMark): keyof typeof heights {
  if (requests === 0) return "none";
  if (failures === 0) return "ok";
  return failures < badShare * requests ? "warn" : "bad";
}
