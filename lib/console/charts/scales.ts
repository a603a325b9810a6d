import type { Formats } from "../page/format.ts";
import type { ChartScale } from "./chart.ts";

/** Nano-dollars. */
export function moneyScale(formats: Formats): ChartScale {
  return {
    write: (amount) => formats.money(BigInt(Math.round(amount))),
    tick: (amount) => amount === 0 ? "0" : formats.price(BigInt(Math.round(amount))),
  };
}

/** Whole numbers, such as of calls and tokens. */
export function countScale(formats: Formats): ChartScale {
  return { write: formats.count, tick: formats.short, stepMin: 1 };
}

/** Milliseconds. */
export function durationScale(formats: Formats): ChartScale {
  return {
    write: formats.span,
    tick: (ms) => ms === 0 ? "0" : ms < 1_000 ? `${ms} ms` : `${formats.count(ms / 1_000)} s`,
    stepMin: 1,
  };
}

/** Shares from 0 to 100. */
export function percentScale(formats: Formats): ChartScale {
  const write = (share: number) => `${formats.count(Math.floor(share * 10) / 10)}%`;
  return { write, tick: write, stepMin: 0.5 };
}
