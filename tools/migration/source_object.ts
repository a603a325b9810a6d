/** A row of a table or an object of a file, as others wrote it. */
export type SourceFields = Readonly<Record<string, unknown>>;

/**
 * Reads the fields of one object of the source and remembers what became of each: `taken` once it
 * is read, unless `changed` or `unknown` says otherwise. `finish` reports all of them.
 */
export class SourceObject {
  readonly #outcomes = new Map<string, readonly [outcome: Outcome, how?: string]>();
  readonly #malformed = new Map<string, string>();

  constructor(
    readonly fields: SourceFields,
    readonly owner: FieldOwner,
    readonly report: FieldReport,
  ) {}

  /** A text without its outer spaces; a number as text. Undefined if it is absent or empty. */
  text(field: string): string | undefined {
    const value = this.#read(field);
    if (typeof value === "string") return value.trim() || undefined;
    if (typeof value === "number" || typeof value === "bigint") return String(value);
    return value === undefined ? undefined : this.#cannotRead(field, "it is not a text");
  }

  /** A finite number, also if it is written as text. */
  number(field: string): number | undefined {
    const value = this.#read(field);
    if (value === undefined) return undefined;
    const isNumeric = typeof value === "number" || typeof value === "bigint" ||
      (typeof value === "string" && /^\s*[-+]?(\d+[.]?\d*|[.]\d+)(e[-+]?\d+)?\s*$/i.test(value));
    const number = isNumeric ? Number(value) : NaN;
    return Number.isFinite(number) ? number : this.#cannotRead(field, "it is not a number");
  }

  /** True or false, also as the databases write them. */
  flag(field: string): boolean | undefined {
    const value = this.#read(field);
    if (value === undefined) return undefined;
    const text = String(value).toLowerCase();
    if (["true", "t", "1", "yes"].includes(text)) return true;
    if (["false", "f", "0", "no"].includes(text)) return false;
    return this.#cannotRead(field, "it is neither true nor false");
  }

  /** A list of texts: a list, JSON of one, an array of PostgreSQL, or texts between `separator`. */
  list(field: string, separator?: string | RegExp): readonly string[] {
    const value = this.#read(field);
    if (value === undefined) return [];
    return readList(value, separator) ?? this.#cannotRead(field, "it is not a list") ?? [];
  }

  /** An object, or JSON of one. */
  object(field: string): SourceFields | undefined {
    const value = this.#read(field);
    if (value === undefined) return undefined;
    const object = typeof value === "string" ? parsed(value) : value;
    return isFields(object) ? object : this.#cannotRead(field, "it is not an object");
  }

  /** A moment in milliseconds; a time without zone is UTC. */
  time(field: string): number | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const hasZone = /(z|[-+]\d\d(:?\d\d)?)$/i.test(text.replace(/^\d{4}-\d\d-\d\d/, ""));
    const iso = text.replace(" ", "T");
    const atMs = Date.parse(
      hasZone
        ? iso.replace(/([-+]\d\d)$/, "$1:00")
        : `${iso.includes("T") ? iso : `${iso}T00:00`}Z`,
    );
    return Number.isNaN(atMs) ? this.#cannotRead(field, "it is not a time") : atMs;
  }

  changed(field: string, how: string): void {
    this.#outcomes.set(field, ["changed", how]);
  }

  unknown(field: string, why: string): undefined {
    this.#outcomes.set(field, ["unknown", why]);
  }

  /**
   * Returns true if one of these fields, which restrict the object, could not be read. Nobody knows
   * then what it forbids, so that the object may do nothing. `instead` names its end, as `disabled`.
   */
  isUnclear(fields: readonly string[], instead: string): boolean {
    const unclear = fields.filter((field) => this.#malformed.has(field));
    for (const field of unclear) this.changed(field, `${instead}: ${this.#malformed.get(field)}`);
    return unclear.length > 0;
  }

  /** Reports every field that holds something; `reasons` say why others are not known. */
  finish(reasons: Readonly<Partial<Record<string, string>>> = {}): void {
    for (const [field, value] of Object.entries(this.fields)) {
      const known = this.#outcomes.get(field);
      if (isEmpty(value) || (!known && isOff(value))) continue;
      const reason = Object.hasOwn(reasons, field) ? reasons[field] : undefined;
      const [outcome, how] = known ?? ["unknown", reason];
      this.report.add(this.owner, field, outcome, how);
    }
  }

  #read(field: string): unknown {
    const value = Object.hasOwn(this.fields, field) ? this.fields[field] : undefined;
    if (isEmpty(value)) return undefined;
    if (!this.#outcomes.has(field)) this.#outcomes.set(field, ["taken"]);
    return value;
  }

  #cannotRead(field: string, why: string): undefined {
    this.#malformed.set(field, why);
    return this.unknown(field, why);
  }
}

/** A reason for each field of an object that is left out as a whole. */
export function leftOutWith(
  { fields }: SourceObject,
  whole: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, `left out with ${whole}`]));
}

/** True for an object that is no list. */
export function isFields(value: unknown): value is SourceFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value === "string") return ["{}", "[]", "null"].includes(value);
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isOff(value: unknown): boolean {
  return ["false", "f", "0"].includes(String(value));
}

/**
 * Reads a list of texts: a list, JSON of one (`["a"]`), an array of PostgreSQL (`{a,"b c"}`), or
 * texts between separators. Undefined if it is none of them.
 */
export function readList(
  value: unknown,
  separator?: string | RegExp,
): readonly string[] | undefined {
  if (Array.isArray(value)) return texts(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (separator !== undefined) return trimmed(text.split(separator));
  if (text.startsWith("[")) return parsedList(text);
  if (text.startsWith("{") && text.endsWith("}")) return arrayItems(text.slice(1, -1));
  return undefined;
}

function texts(values: readonly unknown[]): readonly string[] | undefined {
  const found = values.filter((one) => typeof one === "string" || typeof one === "number");
  return found.length === values.length ? trimmed(found.map(String)) : undefined;
}

function parsedList(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? texts(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The items between the braces of a PostgreSQL array, where quoted items escape with `\`. */
function arrayItems(inner: string): readonly string[] {
  const items = inner.matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gs);
  return trimmed(
    Array.from(items, ([, quoted, bare]) => quoted?.replace(/\\(.)/gs, "$1") ?? bare),
  );
}

function trimmed(values: readonly string[]): readonly string[] {
  return [...new Set(values.map((one) => one.trim()).filter((one) => one !== ""))];
}

/** The fate of a field of the source: taken as it is, taken in another form, or not known here. */
export type Outcome = "taken" | "changed" | "unknown";

/** The kind of object that has a field, such as `model_list[]`, and the name of one such object. */
interface FieldOwner {
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
