import type { VNode } from "preact";
import type { BuildCache, BuiltIsland } from "../build_cache.ts";

/** The state of one rendering. */
export interface RenderState {
  readonly url: URL;
  readonly cache: BuildCache | null;
  readonly nonce: string;
  /** The islands met, in order, each with its props. */
  readonly islands: { island: BuiltIsland; props: unknown }[];
  /** The elements that `<Head>` adds, by identity; the last wins. */
  readonly headAdditions: Map<string, VNode>;
  /** The elements of a document that were rendered. */
  readonly seen: Set<string>;
}

export function newRenderState(
  url: URL,
  cache: BuildCache | null,
): RenderState {
  return {
    url,
    cache,
    nonce: crypto.randomUUID().replaceAll("-", ""),
    islands: [],
    headAdditions: new Map(),
    seen: new Set(),
  };
}

/** Renders with this state in reach of the hooks; rendering never waits, so none can interleave. */
export function withState<T>(state: RenderState, render: () => T): T {
  const outer = current.state;
  current.state = state;
  try {
    return render();
  } finally {
    current.state = outer;
  }
}

export function currentState(): RenderState | null {
  return current.state;
}

const current: { state: RenderState | null } = { state: null };
