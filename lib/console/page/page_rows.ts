import type { AdminServices } from "../../admin/services.ts";

const pageRows = 50;

/** The number of rows of a page: 50 unless the list sets another, and at most the configured maximum. */
export function pageRowsOf(
  { config: { limits } }: Pick<AdminServices, "config">,
  asked: number = pageRows,
): number {
  return Math.min(asked, limits.pageRowsMax);
}
