import { keys } from "../keys.ts";
import { getEntries } from "../kv/entries.ts";
import type { Store } from "../kv/store.ts";
import type { RowLocation } from "./log_query.ts";
import { unpackRowsAt } from "./request_log_pack.ts";
import type { RequestLogRow } from "./request_log_row.ts";

export interface LocatedRow {
  readonly location: RowLocation;
  readonly row: RequestLogRow;
}

export async function rowsAtLocations(
  store: Store,
  locations: readonly RowLocation[],
): Promise<RequestLogRow[]> {
  return (await locatedRows(store, locations)).map(({ row }) => row);
}

/**
 * Returns the rows at these locations, in order, without rows that have expired meanwhile and those
 * whose lines `mayMatch` rejects.
 */
export async function locatedRows(
  store: Store,
  locations: readonly RowLocation[],
  mayMatch?: (lines: string) => boolean,
): Promise<LocatedRow[]> {
  const byPage = Map.groupBy(locations, ({ pageId }) => pageId);
  const pageIds = [...byPage.keys()];
  const pages = await getEntries(store, pageIds.map((id) => keys.logPage(id)));
  const rows = new Map<RowLocation, RequestLogRow | undefined>();
  for (const [at, wanted] of [...byPage.values()].entries()) {
    const { value } = pages[at];
    if (value === null) continue;
    const positions = wanted.map(({ position }) => position);
    const found = unpackRowsAt(value as Uint8Array, positions, mayMatch); // addPage wrote it
    for (const [index, location] of wanted.entries()) rows.set(location, found[index]);
  }
  return locations.flatMap((location) => {
    const row = rows.get(location);
    return row === undefined ? [] : [{ location, row }];
  });
}
