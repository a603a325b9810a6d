/** One field of a list's address. */
export interface FieldRule<Row, Value extends string = string> {
  /** Parses the field's text; returns undefined for an invalid one. */
  readonly read: (text: string) => Value | undefined;
  /** Absent if the store selects the rows, or if the field does not select any. */
  matches?(row: Row, value: Value): boolean;
  /** Absent for a filter; an `option` changes the display, a `page` pages another list. */
  readonly kind?: "option" | "page";
}

/** A field of free text. */
export function textField<Row>(matches?: (row: Row, value: string) => boolean): FieldRule<Row> {
  return { read: (value) => value, ...(matches && { matches }) };
}

/** A field that selects rows in which a word contains its text, case-insensitive. */
export function search<Row>(wordsOf: (row: Row) => readonly string[]): FieldRule<Row> {
  return textField((row, value) => containsText(wordsOf(row), value));
}

export function containsText(words: readonly string[], value: string): boolean {
  return words.some((word) => word.toLowerCase().includes(value.toLowerCase()));
}

/** A field with one of several values. */
export function choice<Row, const Value extends string>(
  values: readonly Value[],
  matches?: (row: Row, value: Value) => boolean,
): FieldRule<Row, Value> {
  return { read: (value) => values.find((one) => one === value), ...(matches && { matches }) };
}

/** A field that changes the display of the list. */
export function option<Row, const Value extends string>(
  values: readonly Value[],
): FieldRule<Row, Value> {
  return { ...choice(values), kind: "option" };
}

/** A field with the page number of another list on the same page. */
export function otherPage<Row>(): FieldRule<Row> {
  return { read: readPageNumber, kind: "page" };
}

/** Reads a page number, from 1. */
export function readPageNumber(text: string): string | undefined {
  return /^[1-9]\d{0,5}$/.exec(text)?.[0];
}
