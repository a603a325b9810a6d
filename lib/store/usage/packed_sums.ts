/** A sum's name, and an amount that is added to it. */
type Increment = readonly [name: string, amount: bigint];

/** Sums by name, such as `requests` or `duration.03`. */
export type Sums = Map<string, bigint>;

/** The last part of the key of a packed rollup. */
export const packedName = "sums";

/** Packs sums as a text, such as `requests=3 inputTokens=120`. */
export function packSums(sums: Sums): string {
  return [...sums].map(([name, amount]) => `${name}=${amount}`).join(" ");
}

/** Adds increments to the sums of the same names. */
export function addIncrements(sums: Sums, increments: Iterable<Increment>): void {
  for (const [name, amount] of increments) addIncrement(sums, name, amount);
}

/** Adds an amount to the sum of a name. */
export function addIncrement(sums: Sums, name: string, amount: bigint): void {
  const sum = sums.get(name);
  sums.set(name, sum === undefined ? amount : sum + amount);
}

/** Returns the sums of a stored entry. */
export function sumsOfEntry({ value }: Deno.KvEntry<unknown>): Increment[] {
  return String(value).split(" ").map(sumIn); // only packSums writes other values there
}

function sumIn(text: string): Increment {
  const [name, amount] = text.split("=");
  return [name, BigInt(amount)];
}
