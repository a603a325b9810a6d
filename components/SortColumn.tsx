import type { Sort } from "../lib/console/page/list_query.ts";
import { A } from "./A.tsx";
import { Icon } from "./Icon.tsx";
import { Column } from "./Table.tsx";

/** The head of a column that a list can be ordered by, leading to the list so ordered, or to its other direction. */
export function SortColumn<Name extends string>(
  { sort, column, name, number, first = "ascending", href }: {
    sort: Sort<Name>;
    column: Name;
    name: string;
    number?: boolean;
    /** In which direction a first click orders. */
    first?: "ascending" | "descending";
    href: (sort: Sort<Name>) => string;
  },
) {
  const sorted = sort.column === column;
  const descending = sorted ? !sort.descending : first === "descending";
  return (
    <Column
      number={number}
      sort={!sorted ? undefined : sort.descending ? "descending" : "ascending"}
    >
      <A href={href({ column, descending })}>
        {name}
        {sorted && <Icon name={sort.descending ? "arrow-down" : "arrow-up"} small />}
      </A>
    </Column>
  );
}
