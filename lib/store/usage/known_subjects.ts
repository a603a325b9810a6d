import { BoundedMap } from "../kv/bounded_map.ts";
import type { RollupSubject } from "./rollup_subject.ts";

/** How long a list is believed: another isolate may settle the first call of a subject. */
const believedMs = 60_000;
const listsMax = 500;

interface Known {
  readonly readAtMs: number;
  readonly values: ReadonlySet<string>;
}

/**
 * Which subjects of a dimension ever had calls, in memory, so that pages need not look for them one
 * by one again and again. Those whose first call this isolate adds are known at once.
 */
export class KnownSubjects {
  readonly #lists = new BoundedMap<string, Known>(listsMax);
  #additions = 0;

  /** The values of a dimension and scope; read where they are not known. */
  async values(
    { dimension, scope }: Pick<RollupSubject, "dimension" | "scope">,
    read: () => Promise<readonly string[]>,
  ): Promise<Iterable<string>> {
    const name = nameOf({ dimension, scope });
    const known = this.#lists.get(name);
    const readAtMs = Date.now();
    if (known && readAtMs < known.readAtMs + believedMs) return known.values;
    const additions = this.#additions;
    const values = new Set(await read());
    if (additions === this.#additions) this.#lists.set(name, { readAtMs, values });
    return values;
  }

  /** To be told of the subjects to which something was added. */
  noteAdded(subjects: readonly RollupSubject[]): void {
    const isNew = (subject: RollupSubject) =>
      !(this.#lists.get(nameOf(subject))?.values.has(subject.value) ?? true);
    this.#additions++; // what is being read now may lack one
    if (subjects.some(isNew)) this.#lists.clear();
  }
}

function nameOf({ dimension, scope }: Pick<RollupSubject, "dimension" | "scope">): string {
  return `${dimension} ${scope}`;
}
