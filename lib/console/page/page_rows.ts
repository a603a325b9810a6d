import type { ConsoleServices } from "../session/services.ts";

const pageRows = 50;

/** How many rows a page of a list shows: 50 where nothing else is asked for, and never more than the configuration says. */
export function pageRowsOf(
  { config: { limits } }: Pick<ConsoleServices, "config">,
  asked: number = pageRows,
): number {
  return Math.min(asked, limits.pageRowsMax);
}
