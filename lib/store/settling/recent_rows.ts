import type { PackedRow } from "../log/request_log_pack.ts";

/** Bounds the memory of rows that are compacted late. */
const rowsMax = 4_096;

interface RecentValue {
  readonly versionstamp: string;
  readonly rows: readonly PackedRow[];
}

/** Remembers the rows of this isolate's last settlements, so that compaction need not decode them. */
export class RecentRows {
  readonly #values = new Map<string, RecentValue>();
  #rows = 0;

  /** Remembers a value of waiting rows that was just committed. */
  note(key: Deno.KvKey, versionstamp: string, rows: readonly PackedRow[]): void {
    this.#values.set(nameOf(key), { versionstamp, rows });
    this.#rows += rows.length;
    for (const [name] of this.#values) {
      if (this.#rows <= rowsMax) return;
      this.#forget(name);
    }
  }

  /** Returns the rows of a stored value and forgets them; undefined if they must be decoded. */
  take({ key, versionstamp }: Deno.KvEntry<unknown>): readonly PackedRow[] | undefined {
    const name = nameOf(key);
    const known = this.#values.get(name);
    this.#forget(name);
    return known?.versionstamp === versionstamp ? known.rows : undefined;
  }

  #forget(name: string): void {
    this.#rows -= this.#values.get(name)?.rows.length ?? 0;
    this.#values.delete(name);
  }
}

function nameOf(key: Deno.KvKey): string {
  return key.join(" ");
}
