import { counted } from "../counted.ts";

interface Summary {
  readonly calls: number;
  readonly newestAtMs?: number;
  readonly keys: number;
  readonly differences: readonly string[];
}

/** The contents of a store, and the faults of its ledger, as `restore` and `import` print them. */
export function summaryLines({ calls, newestAtMs, keys, differences }: Summary): string[] {
  const newest = newestAtMs === undefined
    ? ""
    : `, the newest of ${new Date(newestAtMs).toISOString()}`;
  return [
    `The store holds ${counted(calls, "call")}${newest}, and ${counted(keys, "API key")}`,
    ...differences.map((difference) => `  difference: ${difference}`),
  ];
}
