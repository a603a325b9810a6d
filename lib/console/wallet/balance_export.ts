import { csvLine, decimalUsd } from "../../canonical/mod.ts";
import type { Store } from "../../store/mod.ts";
import { changeOf, type EntryType, listEntries } from "../../store/money/mod.ts";

const names = ["id", "time", "kind", "about", "reference", "amount_usd", "balance_usd"];
const pageRows = 500;

/**
 * The entries of an account, newest first, as CSV in pieces. Times are ISO 8601 in UTC, amounts are
 * USD to the nano-dollar; the balance is the one after the entry.
 */
export async function* exportEntries(
  store: Store,
  accountId: string,
  type: EntryType | undefined,
): AsyncGenerator<string> {
  yield csvLine(names);
  let before: string | undefined;
  do {
    const page = await listEntries(store, accountId, { before, type, limit: pageRows });
    yield page.entries.map((entry) => {
      const { id, atMs, reason, reference, balanceNanoUsd } = entry;
      const [amount, balance] = [changeOf(entry), balanceNanoUsd].map(decimalUsd);
      const time = new Date(atMs).toISOString();
      return csvLine([id, time, entry.type, reason, reference, amount, balance]);
    }).join("");
    before = page.next;
  } while (before !== undefined);
}
