import type { ComponentChildren } from "preact";

/** A number with its name above and an explanation below. */
export function Figure(
  { name, value, children }: {
    name: string;
    value: ComponentChildren;
    children?: ComponentChildren;
  },
) {
  return (
    <div>
      <h2>{name}</h2>
      <p class="figure">{value}</p>
      <p class="sub">{children}</p>
    </div>
  );
}
