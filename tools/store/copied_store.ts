import { summaryOf } from "../../lib/audit/mod.ts";
import { secretPathOf } from "../../lib/store/file/store_files.ts";
import type { StoreLocation } from "../../lib/store/kv/open.ts";
import type { Store } from "../../lib/store/mod.ts";
import { hasRightSecret } from "../../lib/store/transfer/mod.ts";
import { counted, unlessMissing } from "../task.ts";

/** The secret of a store that is opened without creating one. */
export interface FoundSecret {
  readonly secret: string;
  /** A line for the operator if there is none yet; `secret` opens nothing then. */
  readonly notice?: string;
}

/** Returns the configured secret, or the one in the file beside a local store. */
export function findSecret(
  { store: location, secret }: { readonly store: StoreLocation; readonly secret?: string },
): FoundSecret {
  const found = secret ?? (location.type === "file" ? secretBeside(location.path) : undefined);
  return found === undefined ? { secret: crypto.randomUUID(), notice: missing } : { secret: found };
}

const missing = "There is no secret yet. Before the gateway starts, put the secret file of the " +
  "former store beside the store, or set TESSERA_SECRET to the former one";

const wrong =
  "The store was sealed under another secret than the present one. Before the gateway " +
  "starts, set TESSERA_SECRET to the former one, or put the former secret file in the place of the " +
  "one beside the store: upstreams' credentials and stored responses are lost otherwise";

/** Names the secret that a copy of a store needs: the copy contains only what it sealed. */
export function secretAdvice(
  { store: location, secret }: { readonly store: StoreLocation; readonly secret?: string },
): string {
  const isFile = secret === undefined && location.type === "file";
  const what = isFile ? `Copy ${secretPathOf(location.path)}` : "Keep TESSERA_SECRET";
  return `${what} too, in another place: upstreams' credentials and stored responses cannot be read without it`;
}

function secretBeside(path: string): string | undefined {
  return unlessMissing(() => Deno.readTextFileSync(secretPathOf(path)).trim()) || undefined;
}

/**
 * The contents of a copied store, and the faults of its ledger and of its secret, in lines for the
 * operator. A fault of the ledger makes the task exit with 1.
 */
export async function contentsOf(store: Store, { notice }: FoundSecret): Promise<string[]> {
  const { calls, newestAtMs, keys, differences } = await summaryOf(store);
  if (differences.length > 0) Deno.exitCode = 1;
  const newest = newestAtMs === undefined
    ? ""
    : `, the newest of ${new Date(newestAtMs).toISOString()}`;
  const isSealed = notice === undefined && await hasRightSecret(store) === false;
  return [
    `The store holds ${counted(calls, "call")}${newest}, and ${counted(keys, "API key")}`,
    ...differences.map((difference) => `  difference: ${difference}`),
    ...(notice === undefined ? [] : [notice]),
    ...(isSealed ? [wrong] : []),
  ];
}
