/**
 * Returns true if a model pattern matches a name. Each `*` matches any characters, even none;
 * everything else is literal and case-sensitive.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  return pattern.includes("*") ? patternMatcher(pattern)(name) : pattern === name;
}

/** Returns `matchesPattern` for one pattern and many names. */
export function patternMatcher(pattern: string): (name: string) => boolean {
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.pop();
  if (tail === undefined) return (name) => name === pattern;
  const lengthMin = head.length + tail.length;
  return (name) =>
    name.length >= lengthMin && name.startsWith(head) && name.endsWith(tail) &&
    holdsInOrder(name.slice(head.length, name.length - tail.length), rest);
}

/** Returns a function that finds the value of the first pattern that matches a name. */
export function patternLookup<Value>(
  entries: readonly (readonly [pattern: string, value: Value])[],
): (name: string) => Value | undefined {
  const rows = entries.map(([pattern, value]) => ({ matches: patternMatcher(pattern), value }));
  return (name) => rows.find(({ matches }) => matches(name))?.value;
}

/**
 * Returns the specificity of a pattern: literal names rank first, then by the number of literal
 * characters.
 */
export function patternSpecificity(pattern: string): number {
  return pattern.includes("*") ? pattern.replaceAll("*", "").length : Number.POSITIVE_INFINITY;
}

function holdsInOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = text.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return true;
}
