import type { ComponentChildren } from "preact";
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
import { Cell, Column, NameCell, Row as TableRow, Table } from "./Table.tsx";

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
  readonly cell: (row: Row) => ComponentChildren;
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
  readonly oneLine?: boolean;
  readonly dense?: boolean;
  readonly columns: readonly TableColumn<Row, Name>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Returns true for a row that is disabled or has ended. */
  readonly isOff?: (row: Row) => boolean;
  /** The head of a column that sorts; absent in a table without an order. */
  readonly sorted?: (column: TableColumn<Row, Name>, name: Name) => ComponentChildren;
}

/** A table whose columns are declared once, for their heads and for their cells. */
export function ListTable<Row, Name extends string>(props: ListTableProps<Row, Name>) {
  const { columns, rows, keyOf, isOff, sorted, ...table } = props;
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
    <Table {...table} label={table.caption} head={heads}>
      {rows.map((row) => (
        <TableRow key={keyOf(row)} off={isOff?.(row)}>
          {columns.map((column) => <ListCell key={column.head} column={column} row={row} />)}
        </TableRow>
      ))}
    </Table>
  );
}

function ListCell<Row, Name extends string>(
  { column: { type, head, unseen, class: style, at, from, cell }, row }: {
    column: TableColumn<Row, Name>;
    row: Row;
  },
) {
  const places = [at && `at-${at}`, from && `from-${from}`];
  const classes = [type, style, ...places].filter(Boolean).join(" ") || undefined;
  if (type === "name") return <NameCell class={classes}>{cell(row)}</NameCell>;
  return <Cell label={unseen ? undefined : head} class={classes}>{cell(row)}</Cell>;
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
