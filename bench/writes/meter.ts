/** A write unit of Deno Deploy: up to 1 KiB. */
const unitBytes = 1_024;

/** The writes to the keys that begin with the same part. */
interface KindWrites {
  readonly values: number;
  readonly units: number;
  readonly deletes: number;
}

/** All writes since a meter's reset. */
export interface Writes {
  readonly commits: number;
  /** Commits that a failed check refused. */
  readonly conflicts: number;
  /** Units of each commit as a whole, its keys included; the others count each value by itself. */
  readonly commitUnits: number;
  readonly byPrefix: Readonly<Record<string, KindWrites>>;
  /** The number of writes to each prefix's busiest key. */
  readonly busiest: Readonly<Record<string, number>>;
}

/** One change of a commit; `bytes` is absent for a delete. */
export interface Mutation {
  readonly key: Deno.KvKey;
  readonly bytes?: number;
}

const encoder = new TextEncoder();
const none: KindWrites = { values: 0, units: 0, deletes: 0 };

/** Counts the committed changes of a database, by the first part of their keys. */
export class WriteMeter {
  #commits = 0;
  #conflicts = 0;
  #commitUnits = 0;
  readonly #byPrefix = new Map<string, KindWrites>();
  readonly #byKey = new Map<string, { readonly prefix: string; writes: number }>();

  /** Notes a commit with its changes. */
  note(mutations: readonly Mutation[]): void {
    this.#commits++;
    this.#commitUnits += unitsOf(mutations.reduce((sum, mutation) => sum + sizeOf(mutation), 0));
    for (const mutation of mutations) this.#noteOne(mutation);
  }

  noteConflict(): void {
    this.#conflicts++;
  }

  reset(): void {
    this.#commits = 0;
    this.#conflicts = 0;
    this.#commitUnits = 0;
    this.#byPrefix.clear();
    this.#byKey.clear();
  }

  read(): Writes {
    const busiest: Record<string, number> = {};
    for (const { prefix, writes } of this.#byKey.values()) {
      busiest[prefix] = Math.max(busiest[prefix] ?? 0, writes);
    }
    return {
      commits: this.#commits,
      conflicts: this.#conflicts,
      commitUnits: this.#commitUnits,
      byPrefix: Object.fromEntries(this.#byPrefix),
      busiest,
    };
  }

  #noteOne({ key, bytes }: Mutation): void {
    const prefix = String(key[0]);
    const { values, units, deletes } = this.#byPrefix.get(prefix) ?? none;
    this.#byPrefix.set(
      prefix,
      bytes === undefined
        ? { values, units, deletes: deletes + 1 }
        : { values: values + 1, units: units + unitsOf(bytes), deletes },
    );
    if (bytes === undefined) return;
    const name = key.join(" ");
    const known = this.#byKey.get(name) ?? { prefix, writes: 0 };
    known.writes++;
    this.#byKey.set(name, known);
  }
}

/** The key and the value in bytes. Deno KV adds two bytes to each text of a key. */
function sizeOf({ key, bytes = 0 }: Mutation): number {
  return key.reduce((sum: number, part) => sum + encoder.encode(String(part)).length + 2, bytes);
}

/** The write units of so many bytes. */
export function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / unitBytes));
}
