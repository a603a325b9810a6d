import type { View } from "../page/view.ts";

/** An upstream's failure in the reader's language; unknown codes are returned as they are. */
export function upstreamFaultWords(code: string, { catalog }: Pick<View, "catalog">): string {
  const words: Readonly<Partial<Record<string, string>>> = catalog.upstreamAdmin.faults;
  return words[code] ?? code;
}
