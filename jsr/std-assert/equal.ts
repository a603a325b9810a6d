/**
 * Deep equality: `0` equals `-0` and NaN equals NaN; a key that holds `undefined` is not a missing
 * key; constructors must agree, save that a plain object equals one without a prototype.
 */
export function equal(a: unknown, b: unknown): boolean {
  return same(a, b, new Map());
}

type Seen = Map<object, object>;

function same(a: unknown, b: unknown, seen: Seen): boolean {
  if (a === b || (a !== a && b !== b)) return true;
  if (
    typeof a !== "object" || typeof b !== "object" || a === null || b === null
  ) return false;
  if (seen.get(a) === b) return true;
  if (constructorOf(a) !== constructorOf(b)) return false;
  seen.set(a, b);
  return sameByKind(a, b, seen);
}

function sameByKind(a: object, b: object, seen: Seen): boolean {
  if (a instanceof Date && b instanceof Date) {
    return same(a.getTime(), b.getTime(), seen);
  }
  if (a instanceof RegExp || a instanceof URL) return String(a) === String(b);
  if (a instanceof Set && b instanceof Set) {
    return sameMembers([...a], [...b], seen);
  }
  if (a instanceof Map && b instanceof Map) {
    return sameMembers([...a], [...b], seen);
  }
  if (isList(a) && isList(b)) return sameList(a, b, seen);
  return sameProperties(a, b, seen);
}

function constructorOf(value: object): unknown {
  return value.constructor ?? Object;
}

function isList(value: object): value is ArrayLike<unknown> & object {
  return Array.isArray(value) ||
    (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function sameList(
  a: ArrayLike<unknown> & object,
  b: ArrayLike<unknown> & object,
  seen: Seen,
): boolean {
  if (a.length !== b.length) return false;
  if (ArrayBuffer.isView(a)) {
    return Array.prototype.every.call(
      a,
      (item, i) => Object.is(item, b[i]) || item === b[i],
    );
  }
  return sameProperties(a, b, seen);
}

function sameProperties(a: object, b: object, seen: Seen): boolean {
  const keys = Reflect.ownKeys(a);
  if (keys.length !== Reflect.ownKeys(b).length) return false;
  return keys.every((key) =>
    Object.hasOwn(b, key) &&
    same(Reflect.get(a, key), Reflect.get(b, key), seen)
  );
}

/** Order does not count in a Set or a Map, so each member of `a` takes one equal member of `b`. */
function sameMembers(a: unknown[], b: unknown[], seen: Seen): boolean {
  if (a.length !== b.length) return false;
  const rest = [...b];
  return a.every((member, i) => {
    const inPlace = i < rest.length && same(member, rest[i], new Map(seen));
    const at = inPlace ? i : rest.findIndex((other) => same(member, other, new Map(seen)));
    if (at < 0) return false;
    rest.splice(at, 1, taken);
    return true;
  });
}

const taken = Symbol("taken");
