import { type Check, failed, ok, skipped, warning } from "./check.ts";

const name = "clock";
/** Date headers have whole seconds, and answers take time. */
const aheadMsGood = 5_000;
/** Signed webhooks are refused beyond five minutes. */
const aheadMsMax = 60_000;
const jumpMsMax = 1_000;
const remedy = "Synchronize this machine's clock, for example with `timedatectl set-ntp true`";

/** A moment on the two clocks of this machine. */
export interface Moment {
  readonly wallMs: number;
  readonly steadyMs: number;
}

/**
 * Compares the clock with those of servers, by the median, and with the steady clock since `before`.
 */
export function checkClock(
  clocksAheadMs: readonly number[],
  { before, now }: { readonly before: Moment; readonly now: Moment },
): Check {
  const jumpMs = now.wallMs - before.wallMs - (now.steadyMs - before.steadyMs);
  if (Math.abs(jumpMs) > jumpMsMax) {
    return warning(name, `it jumped by ${seconds(jumpMs)} during these checks`, remedy);
  }
  const aheadMs = clocksAheadMs.toSorted((a, b) => a - b).at(clocksAheadMs.length >> 1);
  if (aheadMs === undefined) return skipped(name, "no upstream reported its time");
  const off = Math.abs(aheadMs);
  if (off <= aheadMsGood) return ok(name, "it agrees with the upstreams' clocks");
  const detail = `it is ${seconds(off)} ${
    aheadMs > 0 ? "behind" : "ahead of"
  } the upstreams' clocks`;
  return (off > aheadMsMax ? failed : warning)(name, detail, remedy);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
