import type { Store } from "../store/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../store/log/mod.ts";
import { chargeDay } from "../store/settling/mod.ts";

const pageRows = 500;

/** Every row of the log, newest first. */
export async function* allRows(store: Store): AsyncGenerator<RequestLogRow> {
  let before: string | undefined;
  do {
    const page = await listRequestLogs(store, { limit: pageRows, ...(before && { before }) });
    yield* page.rows;
    before = page.next;
  } while (before);
}

/** Under what the ledger charges a row: account, key and UTC day. */
export function chargesByDay({ accountId, keyId, atMs }: RequestLogRow): string {
  return `${accountId} ${keyId} ${chargeDay(atMs)}`;
}
