import type { ChartColor } from "../../lib/console/charts/chart.ts";

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
  return share >= 0.8 ? "warn" : 5;
}
