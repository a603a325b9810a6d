import type { View } from "../page/view.ts";

/** An upstream's error in the reader's language; unknown codes are returned unchanged. */
export function upstreamFaultWords(code: string, { catalog }: Pick<View, "catalog">): string {
  const words: Readonly<Partial<Record<string, string>>> = catalog.upstreamAdmin.faults;
  return words[code] ?? code;
}
