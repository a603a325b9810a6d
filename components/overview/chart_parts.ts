/** One day of the chart: all of it as text, and where its bars end, in hundredths of the plot. */
export interface ChartDay {
  readonly name: string;
  /** Beside the axis; some days have none. */
  readonly mark: string;
  readonly parts: readonly { readonly from: number; readonly share: number }[];
  readonly texts: readonly string[];
  readonly total: string;
  readonly href: string;
}

/** All that the chart draws and says; plain, as it goes to the browser. */
export interface SpendChart {
  readonly days: readonly ChartDay[];
  readonly names: readonly string[];
  readonly sums: readonly string[];
  readonly sum: string;
  /** From the bottom upward. */
  readonly ticks: readonly { readonly text: string; readonly at: number }[];
  readonly texts: Readonly<Record<"day" | "whole" | "total" | "model" | "label" | "calls", string>>;
}
