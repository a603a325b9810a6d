import type { CostLine, RequestLogRow } from "../store/log/mod.ts";

/**
 * A row as one line of JSON: its fields under their own names, absent ones left out, and amounts as
 * decimal text, because JSON has no integers of that size.
 */
export function rowJson(row: RequestLogRow): string {
  const { costNanoUsd, uncoveredNanoUsd, costLines, refusedBy } = row;
  return JSON.stringify({
    ...row,
    ...(costNanoUsd !== undefined && { costNanoUsd: String(costNanoUsd) }),
    ...(uncoveredNanoUsd !== undefined && { uncoveredNanoUsd: String(uncoveredNanoUsd) }),
    ...(costLines && { costLines: costLines.map(lineWithText) }),
    ...(refusedBy && { refusedBy: { ...refusedBy, ...amountsOf(refusedBy, String) } }),
  });
}

/** Reads a line of `rowJson`. */
export function readRow(line: string): RequestLogRow {
  const row = JSON.parse(line);
  const { costLines, refusedBy } = row;
  return {
    ...row,
    ...("costNanoUsd" in row && { costNanoUsd: BigInt(row.costNanoUsd) }),
    ...("uncoveredNanoUsd" in row && { uncoveredNanoUsd: BigInt(row.uncoveredNanoUsd) }),
    ...(costLines && { costLines: costLines.map(lineWithAmount) }),
    ...(refusedBy && { refusedBy: { ...refusedBy, ...amountsOf(refusedBy, BigInt) } }),
  };
}

type TextLine = Omit<CostLine, "nanoUsd"> & { readonly nanoUsd: string };

function lineWithText(line: CostLine): TextLine {
  return { ...line, nanoUsd: String(line.nanoUsd) };
}

function lineWithAmount(line: TextLine): CostLine {
  return { ...line, nanoUsd: BigInt(line.nanoUsd) };
}

/** The amounts of a limit's state, converted. */
function amountsOf<From, To>(
  { limit, remaining }: { readonly limit?: From; readonly remaining: From },
  converted: (amount: From) => To,
) {
  return {
    remaining: converted(remaining),
    ...(limit !== undefined && { limit: converted(limit) }),
  };
}
