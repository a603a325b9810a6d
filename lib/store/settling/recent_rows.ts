import type { PackedRow } from "../log/request_log_pack.ts";

/** Bounds the memory of rows that are compacted late. */
const rowsMax = 4_096;

interface RecentValue {
  /** The name of its key. */
  readonly name: string;
  readonly versionstamp: string;
  readonly rows: readonly PackedRow[];
}

/** Remembers the rows of this isolate's last settlements, so that compaction need not decode them. */
export class RecentRows {
  /** In the order of their commits, as compaction takes them. */
  readonly #values: RecentValue[] = [];
  #rows = 0;

  /** Remembers a value of waiting rows that was just committed. */
  note(key: Deno.KvKey, versionstamp: string, rows: readonly PackedRow[]): void {
    this.#values.push({ name: nameOf(key), versionstamp, rows });
    this.#rows += rows.length;
    while (this.#rows > rowsMax) this.#remove(0);
  }

  /** Returns the rows of a stored value and forgets them; undefined if they must be decoded. */
  take({ key, versionstamp }: Deno.KvEntry<unknown>): readonly PackedRow[] | undefined {
    const name = nameOf(key);
    const at = this.#values.findIndex((value) => value.name === name);
    if (at < 0) return undefined;
    const known = this.#remove(at);
    return known.versionstamp === versionstamp ? known.rows : undefined;
  }

  #remove(at: number): RecentValue {
    const [removed] = this.#values.splice(at, 1);
    this.#rows -= removed.rows.length;
    return removed;
  }
}

function nameOf(key: Deno.KvKey): string {
  return key.join(" ");
}
