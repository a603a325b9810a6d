/** The fate of a field of the source: taken as it is, taken in another form, or not known here. */
export type Outcome = "taken" | "changed" | "unknown";

/** The kind of object that has a field, such as `model_list[]`, and the name of one such object. */
export interface FieldOwner {
  readonly place: string;
  readonly name: string;
}

/** One field of one kind of object, with its outcome and the number of objects. */
export interface FieldLine {
  readonly place: string;
  readonly field: string;
  readonly outcome: Outcome;
  /** The kind of change, or the reason why it is not known. Never a value of the source. */
  readonly how?: string;
  /** The number of objects. */
  readonly count: number;
  /** The names of the first of them. */
  readonly examples: readonly string[];
}

const examplesMax = 3;

/** Counts the outcomes of each field, so that 100,000 keys need a line per field only. */
export class FieldReport {
  readonly #lines = new Map<string, FieldLine & { count: number; examples: string[] }>();

  add({ place, name }: FieldOwner, field: string, outcome: Outcome, how?: string): void {
    const id = [place, field, outcome, how].join("\0");
    const line = this.#lines.get(id) ??
      { place, field, outcome, ...(how !== undefined && { how }), count: 0, examples: [] };
    line.count++;
    if (line.examples.length < examplesMax && name !== "") line.examples.push(name);
    this.#lines.set(id, line);
  }

  /** All lines: objects in the order of the source, each with its fields by name. */
  lines(): readonly FieldLine[] {
    const places = [...new Set([...this.#lines.values()].map(({ place }) => place))];
    return [...this.#lines.values()].toSorted((a, b) =>
      places.indexOf(a.place) - places.indexOf(b.place) || a.field.localeCompare(b.field)
    );
  }
}
