import { ArchiveError, archiveLog, type ArchivePlace } from "../../lib/archive/mod.ts";
import { readLog } from "../../lib/archive/read_log.ts";
import type { LogFilter, RequestLogRow } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";

export const dayMs = 86_400_000;
/** Noon of a day. */
export const nowMs = Date.UTC(2026, 10, 21, 12);

/** A place in memory. */
export interface MemoryPlace extends ArchivePlace {
  readonly files: Map<string, Uint8Array<ArrayBuffer>>;
}

export function memoryPlace(): MemoryPlace {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    files,
    description: "memory",
    put: (name, { bytes }) => Promise.resolve(void files.set(name, bytes)),
    get: (name) => {
      const bytes = files.get(name);
      return bytes ? Promise.resolve(bytes) : Promise.reject(new ArchiveError(`no file ${name}`));
    },
    remove: (name) => Promise.resolve(void files.delete(name)),
  };
}

/** A completed call of some account, key and model that began so many days before noon. */
export function callAt(n: number, daysAgo: number, fields: Partial<RequestLogRow> = {}) {
  const atMs = Math.floor(nowMs - daysAgo * dayMs);
  return sampleRow(n, {
    ...{ id: requestIdOf(atMs, n), atMs, upstreamId: "acme", costNanoUsd: BigInt(n) },
    ...{ keyId: `key_${n % 3}`, keyName: `key ${n % 3}`, model: n % 2 ? "odd" : "even" },
    ...fields,
  });
}

/** Archives all days but today and yesterday. */
export function archive(store: Store, place: ArchivePlace, options = {}) {
  return archiveLog({ store, place, keepDays: 1, nowMs, ...options });
}

/** The calls of store and archive, newest first. */
export async function logged(
  store: Store,
  place: ArchivePlace | undefined,
  filter: LogFilter = {},
): Promise<RequestLogRow[]> {
  return (await Array.fromAsync(readLog({ store, place }, filter))).flat();
}

/** Every row of every file, by file name. */
export async function fileRows(place: MemoryPlace): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>();
  for (const [name, bytes] of [...place.files].sort()) {
    const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const text = await new Response(unzipped).text();
    rows.set(name, text.trimEnd().split("\n").map((line) => JSON.parse(line).id));
  }
  return rows;
}

export function newestFirst(rows: readonly RequestLogRow[]): RequestLogRow[] {
  return rows.toSorted((a, b) => a.id < b.id ? 1 : -1);
}
