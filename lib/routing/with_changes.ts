import { isDeepStrictEqual } from "node:util";
import type { Upstream } from "../upstreams/upstream.ts";

/**
 * The same upstreams; `onChange` hears of each that was changed or removed since the last time they
 * were asked for, since what is known of it may be true no longer. Lists keep their identity until
 * something in them changes.
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
