import type { GroupCell, MatrixRow } from "../../lib/console/groups/group_form.ts";
import { type GroupQuery, matrixHref, matrixQuery } from "../../lib/console/groups/group_list.ts";
import type { ListPage } from "../../lib/console/page/define_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { Group } from "../../lib/store/catalog/mod.ts";
import { Panel } from "../Panel.tsx";
import { Empty, Status } from "../States.tsx";
import { ListTable, Pager } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";

/** The price of each model in each group, or the reason why it has none. */
export function GroupMatrix({ view, query, groups, page }: {
  view: AccountView;
  query: GroupQuery;
  groups: readonly Group[];
  page: ListPage<MatrixRow>;
}) {
  const { groups: texts, lists } = view.catalog;
  const { page: at } = matrixQuery(query);
  return (
    <Panel id="matrix" title={texts.matrix}>
      {page.rows.length === 0
        ? <Empty icon="layers" title={texts.empty} text={texts.emptyText} />
        : (
          <>
            <ListTable
              oneLine
              caption={texts.matrix}
              rows={page.rows}
              keyOf={({ model }) => model}
              columns={[
                {
                  head: texts.model,
                  type: "name",
                  cell: ({ model }) => <span {...untranslated}>{model}</span>,
                },
                ...groups.map(({ id }, place) => ({
                  head: id,
                  cell: ({ cells }: MatrixRow) => <CellText view={view} cell={cells[place]} />,
                })),
              ]}
            />
            <p class="hint below">{texts.matrixText}</p>
          </>
        )}
      <Pager
        lists={lists}
        of={texts.matrix}
        previous={at > 1 ? matrixHref(query, at - 1) : undefined}
        next={page.hasMore ? matrixHref(query, at + 1) : undefined}
      />
    </Panel>
  );
}

const toneOf = { free: "warn", noPrice: "bad", noUpstream: "warn", outside: "off" } as const;

function CellText({ view, cell }: { view: AccountView; cell: GroupCell }) {
  const { catalog: { groups: texts }, formats } = view;
  if (cell.type !== "priced") return <Status tone={toneOf[cell.type]}>{texts[cell.type]}</Status>;
  const { input, output } = cell.price;
  return <>{texts.priceText(formats.usd(input), formats.usd(output))}</>;
}
