/** Leaves out what is undefined, so that records compare and print as if it had never been named. */
export function present<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Fields>; // the same fields, less the undefined ones
}
