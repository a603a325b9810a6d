import type { ComponentChildren, JSX } from "preact";

/** A list of names, each with its value. */
export function Facts({ class: style, children }: { class?: string; children: ComponentChildren }) {
  return <dl class={style ? `facts ${style}` : "facts"}>{children}</dl>;
}

/** A name with its value; nothing if there is no value. Further attributes go to the value. */
export function Fact(
  { name, children, ...value }: Omit<JSX.HTMLAttributes<HTMLElement>, "name" | "children"> & {
    name: ComponentChildren;
    children: ComponentChildren;
  },
) {
  if (children === undefined || children === false || children === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd {...value}>{children}</dd>
    </div>
  );
}
