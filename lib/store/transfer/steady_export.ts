import { StoreError } from "../kv/error.ts";
import type { Store } from "../kv/store.ts";
import { exportLines } from "./export.ts";
import { isExpiring, remoteEntries } from "./remote_entries.ts";

interface SteadyOptions {
  readonly nowMs: number;
  /** Retention of stored responses and conversations. */
  readonly responseRetentionMs: number;
  /** Writes the lines of one reading, in place of those of an earlier one. */
  readonly write: (lines: AsyncIterable<string>) => Promise<number>;
}

const attemptsMax = 3;

/**
 * Exports an open store of one moment: reads it twice, and once more if anything but the expiry of
 * entries happened in between. Returns the number of lines. Throws `conflict` if it keeps changing.
 */
export async function exportSteadily(store: Store, options: SteadyOptions): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const marks: number[] = [];
    const entries = remoteEntries(store, { ...options, note: (mark) => marks.push(mark) });
    const lines = await options.write(exportLines(entries, options.nowMs));
    if (await isSteady(store, options, marks)) return lines;
  }
  throw new StoreError(
    "conflict",
    `Cannot export the store ${store.health.where}: it changes while it is read. Stop its gateways, and export again`,
  );
}

/**
 * Returns true if a second reading finds the entries of the first one, in the same versions, without
 * others. Then nothing changed from the end of the first to the beginning of the second, so that the
 * first is of one moment. Entries that expire may be missing.
 */
async function isSteady(
  store: Store,
  options: SteadyOptions,
  marks: readonly number[],
): Promise<boolean> {
  let at = 0;
  let isSame = true;
  const note = (mark: number) => {
    while (at < marks.length && marks[at] !== mark && isExpiring(marks[at])) at++;
    isSame &&= marks[at++] === mark;
  };
  for await (const _ of remoteEntries(store, { ...options, note })) if (!isSame) return false;
  return marks.slice(at).every(isExpiring);
}
