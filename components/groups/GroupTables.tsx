import { type GroupCell, unpricedRule } from "../../lib/console/groups/group_form.ts";
import type { GroupUse } from "../../lib/console/groups/group_use.ts";
import { type AccountView, defaultGroupId, type Group } from "../../lib/console/page/view.ts";
import {
  type GroupColumn,
  type GroupQuery,
  groupsPath,
} from "../../lib/console/groups/group_list.ts";
import type { Sort } from "../../lib/console/page/list_query.ts";
import { A } from "../A.tsx";
import { SortColumn } from "../SortColumn.tsx";
import { Status } from "../States.tsx";
import { Cell, Column, NameCell, Row, Table } from "../Table.tsx";
import { untranslated } from "../untranslated.ts";

/** A page of groups. */
export function GroupTable(
  { view, query, groups, uses }: {
    view: AccountView;
    query: GroupQuery;
    groups: readonly Group[];
    uses: ReadonlyMap<string, GroupUse>;
  },
) {
  const { groups: texts, units } = view.catalog;
  const sorting = {
    sort: query.sort,
    href: (sort: Sort<GroupColumn>) => groupsPath({ ...query, sort, page: 1 }),
  };
  return (
    <Table
      oneLine
      caption={texts.caption}
      label={texts.tableLabel}
      head={
        <>
          <SortColumn {...sorting} column="name" name={texts.name} />
          <Column>{texts.models}</Column>
          <Column>{texts.formats}</Column>
          <SortColumn {...sorting} column="ratio" name={texts.ratio} number />
          <Column>{texts.unpriced}</Column>
          <Column>{texts.access}</Column>
          <SortColumn {...sorting} column="keys" name={texts.keys} number first="descending" />
          <Column number>{texts.users}</Column>
          <Column number>{texts.upstreams}</Column>
        </>
      }
    >
      {groups.map(({ id, origin, models, formats, priceRatio, forMembers, ...group }) => (
        <Row key={id}>
          <NameCell>
            <span>
              <A href={`/console/admin/groups/${id}`} {...untranslated}>{id}</A>
              {origin === "config" && <span class="tag">{texts.declared}</span>}
            </span>
          </NameCell>
          <Cell label={texts.models} class="wrap">
            <span {...untranslated}>{models.join(", ")}</span>
          </Cell>
          <Cell label={texts.formats} class="wrap quiet">
            {formats.map((name) =>
              name === "*" ? texts.all : units.formats[name]
            ).join(", ")}
          </Cell>
          <Cell label={texts.ratio} class="number">{view.formats.count(priceRatio)}</Cell>
          <Cell label={texts.unpriced} class="quiet">
            {texts.unpricedRule[unpricedRule({ id, ...group })]}
          </Cell>
          <Cell label={texts.access} class="quiet">
            {forMembers || id === defaultGroupId ? texts.everybody : texts.administrators}
          </Cell>
          <UseCells view={view} use={uses.get(id)} />
        </Row>
      ))}
    </Table>
  );
}

function UseCells({ view, use }: { view: AccountView; use: GroupUse | undefined }) {
  const { catalog: { groups: texts }, formats } = view;
  const { keys = [], serving = 0 } = use ?? {};
  const users = new Set(keys.map(({ owner }) => owner));
  return (
    <>
      <Cell label={texts.keys} class="number">{formats.count(keys.length)}</Cell>
      <Cell label={texts.users} class="number">{formats.count(users.size)}</Cell>
      <Cell label={texts.upstreams} class="number">{formats.count(serving)}</Cell>
    </>
  );
}

/** What each model is to each group. */
export function GroupMatrix(
  { view, groups, rows }: {
    view: AccountView;
    groups: readonly Group[];
    rows: readonly { readonly model: string; readonly cells: readonly GroupCell[] }[];
  },
) {
  const { groups: texts } = view.catalog;
  return (
    <Table
      oneLine
      caption={texts.matrix}
      label={texts.matrixLabel}
      head={
        <>
          <Column>{texts.model}</Column>
          {groups.map(({ id }) => <Column key={id}>{id}</Column>)}
        </>
      }
    >
      {rows.map(({ model, cells }) => (
        <Row key={model}>
          <NameCell>
            <span {...untranslated}>{model}</span>
          </NameCell>
          {cells.map((cell, at) => (
            <Cell key={groups[at].id} label={groups[at].id}>
              <CellText view={view} cell={cell} />
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}

const toneOf = { free: "warn", noPrice: "bad", noUpstream: "warn", outside: "off" } as const;

function CellText({ view, cell }: { view: AccountView; cell: GroupCell }) {
  const { catalog: { groups: texts }, formats } = view;
  if (cell.type !== "priced") return <Status tone={toneOf[cell.type]}>{texts[cell.type]}</Status>;
  const { input, output } = cell.price;
  return <>{texts.priceText(formats.usd(input), formats.usd(output))}</>;
}
