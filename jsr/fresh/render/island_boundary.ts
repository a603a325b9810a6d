import { type ComponentChildren, createContext, h, type VNode } from "preact";
import { useContext } from "preact/hooks";
import type { BuiltIsland } from "../build_cache.ts";
import { comment, isSettled, settled } from "./settled.ts";
import type { RenderState } from "./state.ts";

/** The island that a node starts, unless it is the island's own content. */
export function islandOf(
  vnode: VNode,
  component: unknown,
  { cache }: RenderState,
): BuiltIsland | null {
  if (typeof component !== "function" || isSettled(vnode)) return null;
  return cache?.islands.get(component) ?? null;
}

interface BoundaryProps {
  readonly island: BuiltIsland;
  readonly component: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly state: RenderState;
}

/**
 * Puts an island between two comments, by which the browser finds it again. An island that another
 * island renders is an ordinary component: the outer one hydrates it.
 */
export function IslandBoundary(
  { island, component, attributes, state }: BoundaryProps,
): ComponentChildren {
  const inside = useContext(InsideIsland);
  const content = settled(component, attributes);
  if (inside) return content;
  const index = state.islands.push({ island, props: attributes }) - 1;
  return h(
    InsideIsland.Provider,
    { value: true },
    comment(`frsh:island:${island.name}:${index}:`),
    content,
    comment("/frsh:island"),
  );
}

const InsideIsland = createContext(false);
