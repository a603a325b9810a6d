import { type ComponentChildren, toChildArray, type VNode } from "preact";

/** Collects what a server rendering adds to the head; the server sets it, a browser never does. */
export const collector: { collect: ((children: VNode[]) => void) | null } = {
  collect: null,
};

/** Adds elements to the document's head when the server renders it. */
export function Head({ children }: { children?: ComponentChildren }): null {
  collector.collect?.(toChildArray(children).filter((child) => typeof child === "object"));
  return null;
}
