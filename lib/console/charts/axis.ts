/** A vertical axis: its ends, and round amounts from the bottom upward. */
export interface Axis {
  readonly bottom: number;
  readonly top: number;
  readonly ticks: readonly number[];
}

interface AxisOptions {
  readonly heightPx: number;
  /** The least distance between two ticks, such as 1 for counts. */
  readonly stepMin?: number;
}

const intervalsMax = 4;
/** Lower plots have room for two ticks only. */
const lowPlotPx = 90;

/** An axis from zero. Its top is at most one step above the largest amount. */
export function axisTo(most: number, { heightPx, stepMin = 0 }: AxisOptions): Axis {
  const step = roundStep(Math.max(most / intervalsMax, stepMin));
  return { bottom: 0, ...ticksOver(0, most, { step, heightPx }) };
}

/**
 * An axis that ends at `top`, for amounts near it such as shares of successful calls. Its bottom is
 * at most one step below the smallest amount.
 */
export function axisBelow(
  top: number,
  least: number,
  { heightPx, stepMin = 0 }: AxisOptions,
): Axis {
  const step = roundStep(Math.max((top - least) / intervalsMax, stepMin));
  const bottom = exact(top - intervalsOver(top - least, step) * step);
  return { bottom, ...ticksOver(bottom, top, { step, heightPx }) };
}

function ticksOver(
  bottom: number,
  most: number,
  { step, heightPx }: { readonly step: number; readonly heightPx: number },
): Pick<Axis, "top" | "ticks"> {
  const intervals = intervalsOver(most - bottom, step);
  const ticks = Array.from({ length: intervals + 1 }, (_, at) => exact(bottom + at * step));
  const top = ticks[intervals];
  return { top, ticks: heightPx < lowPlotPx ? [bottom, top] : ticks };
}

function intervalsOver(range: number, step: number): number {
  return Math.max(2, Math.ceil(exact(range / step)));
}

/** The smallest of 1, 2 and 5 times a power of ten that is not below the amount. */
function roundStep(least: number): number {
  if (least <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return exact(
    [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? least,
  );
}

/** Removes the errors of binary fractions, such as of 3 × 0.1. */
function exact(amount: number): number {
  return Number(amount.toPrecision(12));
}
