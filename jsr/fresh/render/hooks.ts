import { h, options, type VNode } from "preact";
import { headElements, HeadSlot, RemainingHead } from "./head.ts";
import { IslandBoundary, islandOf } from "./island_boundary.ts";
import { ancestryOf } from "./links.ts";
import { isSettled } from "./settled.ts";
import { currentState, type RenderState } from "./state.ts";

/** Makes the renderer see islands, heads, links and scripts as Fresh does. */
export function installHooks(): void {
  // Preact calls `__b` for each node before it renders it.
  const hooks: typeof options & { __b?: (vnode: VNode) => void } = options;
  const previous = hooks.__b;
  hooks.__b = (vnode) => {
    const state = currentState();
    if (state !== null && !isSettled(vnode)) rewrite(vnode, state);
    previous?.(vnode);
  };
}

type Props = Record<string, unknown>;
type Shape = { type: unknown; props: Props };

/** A node kept by a module is rendered again by later requests, each from what was written. */
const originals = new WeakMap<object, Shape>();

function rewrite(vnode: VNode, state: RenderState): void {
  // Sound: a text has neither type nor props, and then no case below applies.
  const node = vnode as unknown as Shape & { key: unknown };
  const { type, props } = originals.get(node) ?? node;
  const shape = typeof type === "string"
    ? rewriteElement(type, props, node.key, state)
    : rewriteIsland(vnode, type, props, state);
  if (shape === null) return;
  if (!originals.has(node)) originals.set(node, { type, props });
  Object.assign(node, shape);
}

function rewriteElement(
  tag: string,
  props: Props,
  key: unknown,
  state: RenderState,
): Shape | null {
  state.seen.add(tag);
  switch (tag) {
    case "head":
      return {
        type: tag,
        props: {
          ...props,
          children: [props.children, h(RemainingHead, { state })],
        },
      };
    case "a":
      return {
        type: tag,
        props: { ...props, ...ancestryOf(props, state.url) },
      };
    default:
      return headElements.has(tag)
        ? {
          type: HeadSlot,
          props: { tag, attributes: props, name: key, state },
        }
        : null;
  }
}

function rewriteIsland(
  vnode: VNode,
  component: unknown,
  props: Props,
  state: RenderState,
): Shape | null {
  const island = islandOf(vnode, component, state);
  return island === null ? null : {
    type: IslandBoundary,
    props: { island, component, attributes: props, state },
  };
}
