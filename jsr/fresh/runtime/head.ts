import { type ComponentChildren, toChildArray, type VNode } from "preact";
import { useEffect } from "preact/hooks";

/** Collects what a server rendering adds to the head; the server sets it, a browser never does. */
export const collector: { collect: ((children: VNode[]) => void) | null } = {
  collect: null,
};

/** Adds elements to the document's head. In the browser it only keeps the title current. */
export function Head({ children }: { children?: ComponentChildren }): null {
  const elements = toChildArray(children).filter((child) => typeof child === "object");
  collector.collect?.(elements);
  useEffect(() => {
    const title = elements.find(({ type }) => type === "title");
    if (title !== undefined) {
      document.title = toChildArray(title.props.children).join("");
    }
  });
  return null;
}
