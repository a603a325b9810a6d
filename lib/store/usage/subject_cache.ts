import { BoundedMap } from "../../bounded_map.ts";
import type { RollupSubject } from "./rollup_subject.ts";

/** Short, because another isolate may settle the first call of a subject. */
const lifetimeMs = 60_000;
const listsMax = 500;

interface Known {
  readonly readAtMs: number;
  readonly values: ReadonlySet<string>;
}

/**
 * Caches which subjects of a dimension ever had calls, so that pages need not search for them each
 * time. Subjects whose first call this isolate adds are visible at once.
 */
export class SubjectCache {
  readonly #lists = new BoundedMap<string, Known>(listsMax);
  #additions = 0;

  /** Returns the values of a dimension and scope. */
  async values(
    { dimension, scope }: Pick<RollupSubject, "dimension" | "scope">,
    read: () => Promise<readonly string[]>,
  ): Promise<Iterable<string>> {
    const name = nameOf({ dimension, scope });
    const known = this.#lists.get(name);
    const readAtMs = Date.now();
    if (known && readAtMs < known.readAtMs + lifetimeMs) return known.values;
    const additions = this.#additions;
    const values = new Set(await read());
    if (additions === this.#additions) this.#lists.set(name, { readAtMs, values });
    return values;
  }

  /** Notes the subjects of additions; a new subject clears the cache. */
  noteAdded(subjects: readonly RollupSubject[]): void {
    const isNew = (subject: RollupSubject) =>
      !(this.#lists.get(nameOf(subject))?.values.has(subject.value) ?? true);
    this.#additions++; // a read in progress may lack one
    if (subjects.some(isNew)) this.#lists.clear();
  }
}

function nameOf({ dimension, scope }: Pick<RollupSubject, "dimension" | "scope">): string {
  return `${dimension} ${scope}`;
}
