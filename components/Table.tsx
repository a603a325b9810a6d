import { type ComponentChildren, Fragment } from "preact";
import type { Catalog } from "../lib/console/i18n/mod.ts";
import {
  type FieldRules,
  type List,
  listHref,
  type ListPage,
  type ListQuery,
  nextSort,
  type QueryOf,
} from "../lib/console/page/define_list.ts";
import type { AccountView } from "../lib/console/page/view.ts";
import { A } from "./A.tsx";
import { Icon } from "./Icon.tsx";

/** One column: its head, and its cell in each row. */
export interface TableColumn<Row, Name extends string = never> {
  readonly head: string;
  /** In place of the head's text. */
  readonly headCell?: ComponentChildren;
  /** True if the head is for screen readers only, and cards show no label. */
  readonly unseen?: boolean;
  /** The name of the sort order by this column. */
  readonly sort?: Name;
  /** `name`: the cell names its row, for screen readers. */
  readonly type?: "name" | "number";
  /** Beside `number`. */
  readonly class?: string;
  /**
   * Its place in the two lines of a phone's row: `name` left and `first` right, `below` them and
   * `second`. Once a column has one, a phone leaves out those without.
   */
  readonly at?: "name" | "first" | "below" | "second";
  /** Dropped where the list, not the window, has fewer pixels. */
  readonly from?: 800 | 880 | 1040;
  readonly cell: (row: Row, rows: readonly Row[]) => ComponentChildren;
}

/** The columns of a list that `defineList` returned. */
export type ColumnsOf<Declared> = Declared extends List<infer Row, infer _, infer Name>
  ? readonly TableColumn<Row, Name>[]
  : never;

/** The properties of the panel of such a list. */
export interface PanelProps<Declared> {
  readonly view: AccountView;
  readonly query: QueryOf<Declared>;
  /** Undefined if reading failed. */
  readonly page: Declared extends List<infer Row, infer _, infer __> ? ListPage<Row> | undefined
    : never;
}

interface ListTableProps<Row, Name extends string = never> {
  readonly caption: string;
  /** Names the group that scrolls; absent if the caption does. */
  readonly label?: string;
  readonly oneLine?: boolean;
  readonly dense?: boolean;
  readonly columns: readonly TableColumn<Row, Name>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Returns true for a row that is disabled or has ended. */
  readonly isOff?: (row: Row) => boolean;
  /** A head above the rows that share it, such as their day; undefined for rows without one. */
  readonly groupOf?: (row: Row) => ComponentChildren;
  /** The head of a column that sorts; absent in a table without an order. */
  readonly sorted?: (column: TableColumn<Row, Name>, name: Name) => ComponentChildren;
}

/** A table whose columns are declared once, for their heads and for their cells. */
export function ListTable<Row, Name extends string>(props: ListTableProps<Row, Name>) {
  const { columns, rows, keyOf, isOff, groupOf, sorted, label = props.caption, ...table } = props;
  const heads = columns.map((column) =>
    column.sort && sorted
      ? sorted(column, column.sort)
      : (
        <Column key={column.head} number={column.type === "number"} from={column.from}>
          {column.headCell ??
            (column.unseen ? <span class="unseen">{column.head}</span> : column.head)}
        </Column>
      )
  );
  return (
    <Table {...table} label={label} head={heads}>
      {rows.map((row, at) => {
        const group = groupOf?.(row);
        const isFirst = group !== undefined && (at === 0 || groupOf?.(rows[at - 1]) !== group);
        return (
          <Fragment key={keyOf(row)}>
            {isFirst && <GroupHead columns={columns.length}>{group}</GroupHead>}
            <Row off={isOff?.(row)}>{columns.map((column) => listCell(column, row, rows))}</Row>
          </Fragment>
        );
      })}
    </Table>
  );
}

function GroupHead({ columns, children }: { columns: number; children: ComponentChildren }) {
  return (
    <tr class="group-head" role="row">
      <td role="cell" colSpan={columns}>{children}</td>
    </tr>
  );
}

/** A cell without a key, for which Fresh would write two comments. */
function listCell<Row, Name extends string>(
  { type, head, unseen, class: style, at, from, cell }: TableColumn<Row, Name>,
  row: Row,
  rows: readonly Row[],
) {
  const places = [at && `at-${at}`, from && `from-${from}`];
  const classes = [type, style, ...places].filter(Boolean).join(" ") || undefined;
  if (type === "name") return <NameCell class={classes}>{cell(row, rows)}</NameCell>;
  return <Cell label={unseen ? undefined : head} class={classes}>{cell(row, rows)}</Cell>;
}

/** The head of a sortable column. Its link sorts by the column, or reverses the order. */
export function SortHead<Row, Fields extends FieldRules<Row>, Name extends string>(
  { list, query, column, name }: {
    list: List<Row, Fields, Name>;
    query: ListQuery<Fields, Name>;
    column: Pick<TableColumn<Row, Name>, "head" | "type" | "from">;
    name: Name;
  },
) {
  const isSorted = query.sort.column === name;
  const direction = query.sort.descending ? "descending" : "ascending";
  return (
    <Column
      number={column.type === "number"}
      from={column.from}
      sort={isSorted ? direction : undefined}
    >
      <A href={listHref(list, { ...query, sort: nextSort(list, name, query) })}>
        {column.head}
        {isSorted && <Icon name={query.sort.descending ? "arrow-down" : "arrow-up"} small />}
      </A>
    </Column>
  );
}

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

interface PagerProps {
  readonly lists: Catalog["lists"];
  /** The name of the list. */
  readonly of: string;
  /** The address of the previous page, or of the newest page if the store pages the list. */
  readonly previous?: string;
  readonly newest?: string;
  readonly next?: string;
}

/** Links to other pages of a list; nothing if there is only one. */
export function Pager({ lists, of, previous, newest, next }: PagerProps) {
  if (!previous && !newest && !next) return null;
  return (
    <nav class="pager" aria-label={lists.pages(of)}>
      {previous && <A class="button small" href={previous}>{lists.previous}</A>}
      {newest && <A class="button small" href={newest}>{lists.newest}</A>}
      {next && <A class="button small" href={next}>{lists.next}</A>}
    </nav>
  );
}
