/** The members and types of a value: documents show examples, whose texts and numbers differ. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const members = Object.entries(value).map(([name, member]) => [name, shapeOf(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => a < b ? -1 : 1));
}
