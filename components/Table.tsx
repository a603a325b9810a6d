import type { ComponentChildren } from "preact";

/**
 * A table whose rows become cards on small screens. Its roles are explicit, because some browsers
 * drop them once a style sheet changes `display`.
 */
export function Table(
  { caption, label, oneLine, dense, head, children }: {
    caption: string;
    /** Names the group, which scrolls sideways by keyboard too. A region would repeat its panel. */
    label: string;
    oneLine?: boolean;
    /** Rows of 32 px, but not on phones. */
    dense?: boolean;
    head: ComponentChildren;
    children: ComponentChildren;
  },
) {
  const classes = ["table", oneLine && "one-line", dense && "dense"];
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table class={classes.filter(Boolean).join(" ")} role="table">
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">{head}</tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </div>
  );
}

export function Column(
  { children, number = false, from, sort }: {
    children: ComponentChildren;
    number?: boolean;
    /** The width of the list below which the column is dropped. */
    from?: 800 | 880 | 1040;
    sort?: "ascending" | "descending";
  },
) {
  const classes = [number && "number", from && `from-${from}`].filter(Boolean).join(" ");
  return (
    <th scope="col" role="columnheader" class={classes || undefined} aria-sort={sort}>
      {children}
    </th>
  );
}

export function Row({ children, off = false }: { children: ComponentChildren; off?: boolean }) {
  return <tr role="row" class={off ? "off" : undefined}>{children}</tr>;
}

/** The cell that names its row. If it begins with a link, that covers the row. */
export function NameCell(
  { children, class: style = "name" }: { children: ComponentChildren; class?: string },
) {
  return <th scope="row" role="rowheader" class={style}>{children}</th>;
}

/** `label` appears above the value if the table's head is hidden. */
export function Cell(
  { children, label, class: style }: {
    children: ComponentChildren;
    label?: string;
    class?: string;
  },
) {
  return <td role="cell" class={style} data-label={label}>{children}</td>;
}
