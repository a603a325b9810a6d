import type { CacheMiss } from "../../canonical/mod.ts";
import type { AccountView } from "../page/view.ts";

/** The cause of a cache miss in the reader's words. */
export function cacheMissText(
  miss: CacheMiss,
  { caches: { causes, tool, message } }: Pick<AccountView["catalog"], "caches">,
): string {
  const [kind, position] = miss.split(" ");
  if (kind === "tool") return tool(position);
  if (kind === "message") return message(position);
  return causes[kind as keyof typeof causes]; // the other causes are one word
}
