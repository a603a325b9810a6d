import { isDeepStrictEqual } from "node:util";
import type { Upstream } from "../upstreams/upstream.ts";

/**
 * Returns the same upstreams, and calls `onChange` for each that changed since the last read, so
 * that its health can be reset. A list keeps its identity until it changes.
 */
export function withChanges(
  upstreams: () => readonly Upstream[],
  onChange: (upstreamId: string) => void,
): () => readonly Upstream[] {
  const known = { list: upstreams() };
  return () => {
    const list = upstreams();
    if (list === known.list) return list;
    const byId = new Map(list.map((upstream) => [upstream.id, upstream]));
    for (const before of known.list) {
      if (!isDeepStrictEqual(byId.get(before.id), before)) onChange(before.id);
    }
    known.list = list;
    return list;
  };
}
