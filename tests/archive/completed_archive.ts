import { assert, assertEquals } from "@std/assert";
import { fileName } from "../../lib/archive/part_file.ts";
import { listArchiveParts } from "../../lib/store/archive/mod.ts";
import { streamRequestLogs } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { verifyLog } from "../../lib/store/settling/mod.ts";
import {
  archive,
  callAt,
  fileRows,
  logged,
  type MemoryPlace,
  newestFirst,
} from "./archived_store.ts";

/** Two archived days, one of two files; pages with rows of both and of a kept day; late rows. */
export const movedRows = Array.from({ length: 44 }, (_, n) => callAt(n, 1 + n / 22));

/** A call of an archived day that ended late. */
export const lateRow = callAt(99, 2.5);

/**
 * Archives what is left, and checks that each call is in the store or in one of the files that
 * count. Returns the number of other files, which killed runs leave: their calls are in these, too.
 */
export async function completes(store: Store, place: MemoryPlace): Promise<number> {
  await archive(store, place, { partRowsMax: 10 });
  const all = newestFirst([...movedRows, lateRow]);
  const parts = await listArchiveParts(store);
  const rows = await fileRows(place);
  const files = parts.flatMap((part) => rows.get(fileName(part)) ?? []);
  const stored = (await Array.fromAsync(streamRequestLogs(store))).flat().map(({ id }) => id);
  assertEquals([...files, ...stored].sort().reverse(), all.map(({ id }) => id));
  assertEquals(
    stored,
    all.filter(({ atMs }) => atMs >= Date.UTC(2026, 10, 20)).map(({ id }) => id),
  );
  assertEquals(await logged(store, place), all);
  assertEquals(parts.filter(({ state }) => state === "verified"), []);
  const unreadDays = new Set(parts.map(({ day }) => day));
  assertEquals(await verifyLog(store, Date.UTC(2026, 10, 21, 12), { unreadDays }), []);
  const ids = new Set(files);
  assert([...rows.values()].flat().every((id) => ids.has(id)));
  return rows.size - parts.length;
}
