import type { ComponentChildren, ComponentProps } from "preact";
import { Icon } from "./Icon.tsx";
import { Empty } from "./States.tsx";
import type { IconName } from "./icon_names.ts";

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

/** A panel that most readers never open: its first line says the value already. */
export function Fold(
  { id, title, value, open = false, children }: {
    /** For links to the content, which open the panel. */
    id?: string;
    title: string;
    value?: ComponentChildren;
    open?: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <details class="panel fold" open={open}>
      <summary>
        <Icon name="chevron-right" small />
        <h2>{title}</h2>
        <span class="hint">{value}</span>
      </summary>
      {id && <span class="target" id={id} />}
      {children}
    </details>
  );
}

/** A part of a panel or a form that few readers need, behind its title. */
export function More(
  { title, open, class: style = "more", children }: {
    title: ComponentChildren;
    open?: boolean;
    class?: string;
    children: ComponentChildren;
  },
) {
  return (
    <details class={style} open={open}>
      <summary>
        <Icon name="chevron-right" small />
        {title}
      </summary>
      {children}
    </details>
  );
}

/**
 * The button that opens a sheet on small screens, without a script. Wide screens always show the
 * sheet.
 */
export function SheetOpener(
  { sheet, icon, children }: { sheet: string; icon: IconName; children: ComponentChildren },
) {
  return (
    <button class="button sheet-opener" type="button" popovertarget={sheet}>
      <Icon name={icon} />
      {children}
    </button>
  );
}

/** The first line of a sheet on small screens: its name and the close button. */
export function SheetHead(
  { sheet, title, close }: { sheet: string; title: string; close: string },
) {
  return (
    <div class="sheet-head">
      <b>{title}</b>
      <button
        class="icon-button"
        type="button"
        popovertarget={sheet}
        popovertargetaction="hide"
        aria-label={close}
      >
        <Icon name="x" />
      </button>
    </div>
  );
}
