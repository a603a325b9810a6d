import { refundReasons } from "../../funds/mod.ts";
import type { LedgerEntry } from "../../store/money/mod.ts";
import type { Catalog } from "../i18n/mod.ts";

/** The subject of an entry: the gateway's texts in the reader's language, reasons as their authors wrote them. */
export function aboutEntry(
  { type, reason, reference }: LedgerEntry,
  { history }: Catalog,
  keyNames: ReadonlyMap<string, string>,
): string {
  switch (type) {
    case "usage":
      return keyNames.get(reference ?? "") ?? history.deletedKey;
    case "redemption":
      return reason.replace(/^Code /, "");
    case "payment":
      return reference ?? reason;
    case "refund":
      return refundWords(reason, history);
    case "grant":
    case "adjustment":
      return reason;
    default:
      return type satisfies never;
  }
}

function refundWords(reason: string, { refunds }: Catalog["history"]): string {
  for (const [name, text] of Object.entries(refundReasons)) {
    if (text === reason) return refunds[name as keyof typeof refunds]; // both tables have the same names
  }
  return reason;
}
