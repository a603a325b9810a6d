import { keys } from "./keys.ts";
import type { Store } from "./store.ts";

/** Resolves when the store answers a read, rejects when it does not. */
export async function pingStore({ kv }: Store): Promise<void> {
  await kv.get(keys.change);
}
