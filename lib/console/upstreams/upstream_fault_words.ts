import type { View } from "../page/view.ts";

/** What failed at an upstream, in the reader's words; a code that has none as it is. */
export function upstreamFaultWords(code: string, { catalog }: Pick<View, "catalog">): string {
  const words: Readonly<Partial<Record<string, string>>> = catalog.upstreamAdmin.faults;
  return words[code] ?? code;
}
