/** A computation in steps of some milliseconds, between which other work may have its turn. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Computes all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const itemsOfStep = 2_048;

/** `items.map`, in steps. */
export function* mapped<Item, Value>(
  items: readonly Item[],
  valueOf: (item: Item, at: number) => Value,
): Steps<Value[]> {
  const values: Value[] = [];
  for (let at = 0; at < items.length; at++) {
    if (at % itemsOfStep === itemsOfStep - 1) yield;
    values.push(valueOf(items[at], at));
  }
  return values;
}
