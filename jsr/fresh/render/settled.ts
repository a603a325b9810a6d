import { Fragment, h, type VNode } from "preact";

/** Makes a node that the hooks leave as it is, so that what they put in place stays. */
export function settled(type: unknown, props: object): VNode {
  // Sound: the type comes from another node, where it was one that Preact accepts.
  const vnode = h(type as "div", props);
  nodes.add(vnode);
  return vnode;
}

export function isSettled(vnode: object): boolean {
  return nodes.has(vnode);
}

/** A comment in the output; the renderer knows this property of fragments. */
export function comment(text: string): VNode {
  return h(Fragment, { UNSTABLE_comment: text } as object);
}

const nodes = new WeakSet<object>();
