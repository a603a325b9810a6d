import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

/** A panel that most readers never open: its first line says the value already. */
export function Fold(
  { id, title, value, open = false, children }: {
    /** The id of the panel, for links to it. */
    id?: string;
    title: string;
    value?: ComponentChildren;
    open?: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <details class="panel fold" id={id} open={open}>
      <summary>
        <Icon name="chevron-right" small />
        <h2>{title}</h2>
        <span class="hint">{value}</span>
      </summary>
      {children}
    </details>
  );
}
