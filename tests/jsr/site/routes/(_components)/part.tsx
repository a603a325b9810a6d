import type { ComponentChildren } from "preact";

export function Part({ children }: { children: ComponentChildren }) {
  return <h1>{children}</h1>;
}
