/** Removes undefined members, so that records compare and print as if those had never been set. */
export function present<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Fields>; // the same fields without the undefined ones
}
