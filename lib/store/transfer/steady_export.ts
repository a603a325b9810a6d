import { StoreError } from "../kv/error.ts";
import type { Store } from "../kv/store.ts";
import { exportLines } from "./export.ts";
import { remoteEntries } from "./remote_entries.ts";

interface SteadyOptions {
  readonly nowMs: number;
  /** Retention of stored responses and conversations. */
  readonly responseRetentionMs: number;
  /** Writes the lines of one reading, in place of those of an earlier one. */
  readonly write: (lines: AsyncIterable<string>) => Promise<number>;
}

const attemptsMax = 3;

/**
 * Exports an open store of one moment: reads it twice, and once more if anything changed in
 * between. Returns the number of lines. Throws `conflict` if it keeps changing.
 */
export async function exportSteadily(store: Store, options: SteadyOptions): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const { digest, lines } = await written(store, options);
    if (await digestOf(store, options) === digest) return lines;
  }
  throw new StoreError(
    "conflict",
    `Cannot export the store ${store.health.where}: it changes while it is read. Stop its gateways, and export again`,
  );
}

async function written(store: Store, options: SteadyOptions) {
  let digest = "";
  const entries = (async function* () {
    digest = yield* remoteEntries(store, options);
  })();
  const lines = await options.write(exportLines(entries, options.nowMs));
  return { digest, lines };
}

async function digestOf(store: Store, options: SteadyOptions): Promise<string> {
  const entries = remoteEntries(store, options);
  for (;;) {
    const { done, value } = await entries.next();
    if (done) return value;
  }
}
