/**
 * Island props as one flat list: each member is a value, and members refer to others by their
 * place, so that what was shared or circular stays so. A list that begins with a name is a value
 * of that kind; a negative place is one of the values below, which JSON cannot say.
 */
export const special = {
  undefined: -1,
  null: -2,
  nan: -3,
  infinity: -4,
  negativeInfinity: -5,
  negativeZero: -6,
  hole: -7,
} as const;

export const kinds = [
  "Date",
  "BigInt",
  "URL",
  "RegExp",
  "Set",
  "Map",
  "Uint8Array",
  "Signal",
  "Computed",
] as const;

export type Kind = typeof kinds[number];
