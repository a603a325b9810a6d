import { offeredNames } from "../../catalog/mod.ts";
import { upstreamNameOf } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";

/** An upstream that serves a model. */
export interface ModelUpstream {
  readonly id: string;
  readonly enabled: boolean;
  /** The upstream's own name of the model, if it differs. */
  readonly upstreamModel?: string;
}

/** The upstreams of each model by its public name, disabled ones included. */
export function upstreamsByModel(
  directory: Pick<Directory, "models" | "upstreams" | "upstreamLists">,
): ReadonlyMap<string, readonly ModelUpstream[]> {
  const found = new Map<string, ModelUpstream[]>();
  for (const { id, enabled, models } of directory.upstreams()) {
    for (const served of models) {
      for (const name of offeredNames({ id, models: [served] }, directory)) {
        const known = found.get(name) ?? [];
        found.set(name, known);
        if (known.at(-1)?.id === id) continue; // the first entry of an upstream serves it
        const own = served.upstreamModel === undefined ? name : upstreamNameOf(served, name);
        known.push({ id, enabled, ...(own !== name && { upstreamModel: own }) });
      }
    }
  }
  return found;
}
