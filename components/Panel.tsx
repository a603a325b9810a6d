import type { ComponentChildren, ComponentProps } from "preact";
import { Empty } from "./States.tsx";

/** A section of a page, named by its heading. */
export function Panel(
  { id, title, beside, end, class: style, focused = false, children }: {
    /** The id of the heading. */
    id: string;
    title: ComponentChildren;
    /** Next to the heading. */
    beside?: ComponentChildren;
    /** At the other end of the heading's line. */
    end?: ComponentChildren;
    class?: string;
    /** Moves the focus to the heading when the page loads. */
    focused?: boolean;
    children: ComponentChildren;
  },
) {
  const focus = focused && { tabIndex: -1, autofocus: true };
  return (
    <section class={style ? `panel ${style}` : "panel"} aria-labelledby={id}>
      <header>
        <h2 id={id} {...focus}>{title}</h2>
        {beside}
        {end && <span class="spacer" />}
        {end}
      </header>
      {children}
    </section>
  );
}

/** An empty state in place of the page's content. */
export function EmptyPanel(props: Omit<ComponentProps<typeof Empty>, "heading">) {
  return (
    <section class="panel">
      <Empty heading="h2" {...props} />
    </section>
  );
}
