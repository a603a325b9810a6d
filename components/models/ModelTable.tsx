import { type ModelColumn, modelsPath } from "../../lib/console/models/model_list.ts";
import { modelSpendDays } from "../../lib/console/models/model_measures.ts";
import type { Group } from "../../lib/console/page/view.ts";
import { ModelTableRow } from "./ModelTableRow.tsx";
import type { ModelPanelProps } from "./ModelPanel.tsx";
import { SortColumn } from "../SortColumn.tsx";
import { Column, Table } from "../Table.tsx";

/** Models and their prices. */
export function ModelTable(props: ModelPanelProps) {
  const { view: { catalog: { models, modelList: texts } }, list } = props;
  const others = comparedGroups(props);
  return (
    <Table
      caption={models.caption}
      label={models.tableLabel}
      head={
        <>
          <Sorted {...props} column="name" name={models.name} />
          <Sorted {...props} column="input" name={texts.input} number />
          <Sorted {...props} column="output" name={texts.output} number />
          <Column number>{texts.cached}</Column>
          <Column number>{texts.cacheWrite}</Column>
          {others.map(({ id }) => (
            <Column key={id} number>
              {texts.inGroup(`${texts.input} · ${texts.output}`, id)}
            </Column>
          ))}
          <Sorted {...props} column="context" name={texts.context} number />
          <Column>{texts.does}</Column>
          {list.measures && (
            <>
              <Sorted {...props} column="speed" name={texts.measured} />
              <Column number>{texts.spent(modelSpendDays)}</Column>
            </>
          )}
        </>
      }
    >
      {list.rows.map((row) => <ModelTableRow key={row.id} {...props} row={row} others={others} />)}
    </Table>
  );
}

/** The groups whose prices are shown beside those of the chosen one. */
function comparedGroups({ query, list: { groups } }: ModelPanelProps): readonly Group[] {
  return query.compares ? groups.filter(({ id }) => id !== (query.groupId ?? groups[0]?.id)) : [];
}

function Sorted(
  { query, column, name, number }: ModelPanelProps & {
    column: ModelColumn;
    name: string;
    number?: boolean;
  },
) {
  return (
    <SortColumn
      sort={query.sort}
      column={column}
      name={name}
      number={number}
      first={column === "context" ? "descending" : "ascending"}
      href={(sort) => modelsPath({ ...query, sort, page: 1 })}
    />
  );
}
