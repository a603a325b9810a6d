import type { ChartColor } from "../../lib/console/charts/chart.ts";

const [width, heightPx, marginPx] = [84, 22, 2];

/** The shape of a series, without an axis: the amount is next to it. */
export function Sparkline(
  { amounts, color = 5 }: { amounts: readonly number[]; color?: ChartColor },
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
