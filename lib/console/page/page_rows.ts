import type { ConsoleServices } from "../session/services.ts";

const pageRows = 50;

/** The number of rows of a page: 50 unless the list sets another, and at most the configured maximum. */
export function pageRowsOf(
  { config: { limits } }: Pick<ConsoleServices, "config">,
  asked: number = pageRows,
): number {
  return Math.min(asked, limits.pageRowsMax);
}
