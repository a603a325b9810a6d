import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

/** A panel that most readers never open: its line says what is in it. */
export function Fold(
  { id, title, hint, open, children }: {
    id?: string;
    title: string;
    hint?: ComponentChildren;
    open?: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <details class="panel fold" id={id} open={open}>
      <summary>
        <Icon name="chevron-right" small />
        <b>{title}</b>
        <span class="hint">{hint}</span>
      </summary>
      {children}
    </details>
  );
}
