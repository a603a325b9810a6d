import type { Counts } from "../../store/usage/mod.ts";
import type { Formats } from "../page/format.ts";

/** The share of calls that did not fail; undefined without calls. */
export function successOf(
  { requests, failures }: Counts,
  formats: Pick<Formats, "percent">,
): string | undefined {
  return requests === 0 ? undefined : formats.percent((requests - failures) / requests);
}

/** The change between two periods, such as `+8%`; undefined if there was nothing before. */
export function changeInPercent(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const percent = Math.round(100 * (now - before) / before);
  return percent < 0 ? `−${-percent}%` : `+${percent}%`;
}
