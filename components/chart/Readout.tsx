import type { ChartColor, ChartSeries } from "../../lib/console/charts/chart.ts";
import { untranslated } from "../untranslated.ts";

/** Legend and amounts of the chosen step in one line above the plot. */
export function Readout(
  { at, series, texts, sum }: {
    /** The name of the step. */
    at: string;
    series: readonly ChartSeries[];
    /** The amounts of the series, then their sum. */
    texts: readonly string[];
    /** The word for the sum; absent for no sum. */
    sum?: string;
  },
) {
  return (
    <ul class="readout">
      <li class="at">{at}</li>
      {series.map(({ name, color }, place) => (
        <li key={name}>
          {series.length > 1 && (
            <>
              <Swatch color={color} />
              <span {...untranslated}>{name}</span>
              {" "}
            </>
          )}
          <b>{texts[place]}</b>
        </li>
      ))}
      {sum && (
        <li class="sum">
          {sum} <b>{texts[series.length]}</b>
        </li>
      )}
    </ul>
  );
}

/** The color of a series, beside its name in a legend or in a table. */
export function Swatch({ color }: { color: ChartColor }) {
  return (
    <svg class="swatch" width="10" height="10" aria-hidden="true">
      <rect class={`data-${color}`} width="10" height="10" rx="2" />
    </svg>
  );
}
