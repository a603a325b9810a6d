import { type ComponentChildren, createContext, h } from "preact";

/** True inside `<Head>`. */
export const InsideHead = createContext(false);

/** Adds elements to the document's head when the server renders it. */
export function Head({ children }: { children?: ComponentChildren }): ComponentChildren {
  return h(InsideHead.Provider, { value: true }, children);
}
