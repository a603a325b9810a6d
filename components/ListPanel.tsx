import type { ComponentChildren } from "preact";
import {
  type FieldRules,
  filterCount,
  type List,
  listHref,
  type ListPage,
  type ListQuery,
  optionFields,
  presentFields,
  sortText,
  withoutField,
} from "../lib/console/page/define_list.ts";
import type { AccountView } from "../lib/console/page/view.ts";
import { A } from "./A.tsx";
import { Panel, SheetHead, SheetOpener } from "./Panel.tsx";
import { Empty, Failed, NoMatch } from "./States.tsx";
import { ListTable, Pager, SortHead, type TableColumn } from "./Table.tsx";
import { Choice, SearchField } from "./controls.tsx";
import type { IconName } from "./icon_names.ts";

/** One control of the filter form: a select if it has options. */
interface FilterField<Name> {
  readonly name: Name;
  readonly label: string;
  /** The option that filters nothing. */
  readonly any?: string;
  readonly options?: readonly (readonly [value: string, text: string])[];
  readonly isDay?: boolean;
  /** True if the page has the control elsewhere, such as links above the table. */
  readonly elsewhere?: boolean;
}

/** The texts of one list; `Catalog["lists"]` has those of all lists. */
interface ListTexts {
  /** The heading of a list that the store pages, whose length is unknown. */
  readonly title?: string;
  /** The heading of all other lists, with the number of rows. */
  readonly count?: (count: number) => string;
  readonly caption: string;
  readonly failed?: string;
  readonly empty?: string;
  readonly emptyText?: string;
  readonly noMatch?: string;
  /** Shown for an empty page of a list that the store pages, whose later pages may have rows. */
  readonly emptySoFar?: string;
  readonly emptySoFarText?: string;
  readonly emptyOlder?: string;
}

interface ListPanelProps<Row, Fields extends FieldRules<Row>, Name extends string> {
  readonly view: Pick<AccountView, "catalog" | "formats" | "path">;
  /** The id of the heading. */
  readonly id: string;
  readonly list: List<Row, Fields, Name>;
  readonly query: ListQuery<Fields, Name>;
  /** Undefined if reading failed. */
  readonly page: ListPage<Row> | undefined;
  readonly texts: ListTexts;
  readonly icon: IconName;
  readonly columns: readonly TableColumn<Row, Name>[];
  readonly keyOf: (row: Row) => string;
  readonly isOff?: (row: Row) => boolean;
  readonly oneLine?: boolean;
  readonly filters?: readonly (FilterField<keyof Fields & string> | false)[];
  /** Puts the filters below the heading's line. */
  readonly filtersBelow?: boolean;
  /** The names of the sort orders; if set, the filter form offers them. */
  readonly orders?: Readonly<Record<Name, string>>;
  /** In the filter form, after its controls. */
  readonly filterEnd?: ComponentChildren;
  /** Beside the filter form. */
  readonly besideFilters?: ComponentChildren;
  /** At the end of the heading's line. */
  readonly end?: ComponentChildren;
  /** Shown between the filters and the table. */
  readonly above?: ComponentChildren;
  /** Below the table; not shown without rows. */
  readonly below?: ComponentChildren;
  /** In the empty panel, beside its text. */
  readonly firstStep?: ComponentChildren;
}

/** A list page: heading, filters, table or the reason for its absence, and pager. */
export function ListPanel<Row, Fields extends FieldRules<Row>, Name extends string>(
  props: ListPanelProps<Row, Fields, Name>,
) {
  const { view: { catalog: { lists } }, list, query, page, texts, filtersBelow, end } = props;
  const filters = props.filters && page?.total !== 0 && <Filters {...props} />;
  const inHead = !filtersBelow && filters;
  return (
    <Panel
      id={props.id}
      title={titleOf(props)}
      end={(inHead || end) && [inHead, end]}
    >
      {filtersBelow && filters}
      {props.above}
      {page && page.rows.length > 0 ? <Rows {...props} page={page} /> : <NoRows {...props} />}
      <Pager
        lists={lists}
        of={texts.caption}
        previous={query.page > 1 ? listHref(list, query, { page: query.page - 1 }) : undefined}
        newest={query.before && listHref(list, query)}
        next={page?.next
          ? listHref(list, query, { before: page.next })
          : page?.hasMore
          ? listHref(list, query, { page: query.page + 1 })
          : undefined}
      />
    </Panel>
  );
}

function titleOf<Row, Fields extends FieldRules<Row>, Name extends string>(
  { view: { catalog: { lists } }, page, texts: { title, count } }: ListPanelProps<
    Row,
    Fields,
    Name
  >,
): string {
  if (count === undefined) return title ?? "";
  const { found = 0, total = 0 } = page ?? {};
  return found === total ? count(total) : lists.countOf(found, count(total));
}

function Filters<Row, Fields extends FieldRules<Row>, Name extends string>(
  props: ListPanelProps<Row, Fields, Name>,
) {
  const { view, list, query, filters = [], filtersBelow, orders, filterEnd, besideFilters } = props;
  const { lists } = view.catalog;
  const used = filterCount(list, query);
  const values = new Map(presentFields(query));
  const form = (
    <FilterSheet
      view={view}
      label={view.formats.pair(lists.filter, props.texts.caption)}
      used={used}
      action={query.path}
      class={filtersBelow && !besideFilters ? "filters below-head" : "filters"}
    >
      {filters.map((field) =>
        field && !field.elsewhere && (
          <FilterControl key={field.name} field={field} value={values.get(field.name)} />
        )
      )}
      {orders
        ? (
          <Choice
            name="sort"
            label={lists.order}
            value={sortText(list, query.sort)}
            options={Object.entries<string>(orders)}
          />
        )
        : list.sort && <input type="hidden" name="sort" value={sortText(list, query.sort)} />}
      {optionFields(list, query).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button class="button" type="submit">{lists.filter}</button>
      {filterEnd}
      {filtersBelow && used > 0 && <A class="link" href={query.path}>{lists.clear}</A>}
    </FilterSheet>
  );
  return besideFilters ? <div class="filter-bar">{form}{besideFilters}</div> : form;
}

function FilterControl(
  { field: { name, label, any, options, isDay }, value }: {
    field: FilterField<string>;
    value: string | undefined;
  },
) {
  if (options) {
    return <Choice name={name} label={label} any={any} value={value} options={options} />;
  }
  if (!isDay) return <SearchField name={name} label={label} value={value} />;
  return (
    <label class="day">
      <span>{label}</span>
      <input class="input" type="date" name={name} value={value} />
    </label>
  );
}

function Rows<Row, Fields extends FieldRules<Row>, Name extends string>(
  props: ListPanelProps<Row, Fields, Name> & { readonly page: ListPage<Row> },
) {
  const { list, query, page, texts, columns, keyOf, isOff, oneLine, below } = props;
  return (
    <>
      <ListTable
        caption={texts.caption}
        rows={page.rows}
        {...{ columns, keyOf, isOff, oneLine }}
        sorted={(column, name) => (
          <SortHead key={name} list={list} query={query} column={column} name={name} />
        )}
      />
      {below}
    </>
  );
}

function NoRows<Row, Fields extends FieldRules<Row>, Name extends string>(
  props: ListPanelProps<Row, Fields, Name>,
) {
  const { view, list, query, page, texts, icon, firstStep } = props;
  if (page === undefined) return <Failed view={view} title={texts.failed ?? ""} />;
  if (page.next) {
    return <Empty icon={icon} title={texts.emptySoFar ?? ""} text={texts.emptySoFarText} />;
  }
  if (query.before) return <Empty icon={icon} title={texts.emptyOlder ?? ""} />;
  if (page.total === 0 || (page.total === undefined && filterCount(list, query) === 0)) {
    return <Empty icon={icon} title={texts.empty ?? ""} text={texts.emptyText}>{firstStep}</Empty>;
  }
  return (
    <NoMatch
      lists={view.catalog.lists}
      count={filterCount(list, query)}
      title={texts.noMatch ?? ""}
      clear={query.path}
      hiding={page.hiding && hidingOf(props, page.hiding)}
    />
  );
}

/** The filter that hides most rows, in words. */
function hidingOf<Row, Fields extends FieldRules<Row>, Name extends string>(
  { view: { formats }, list, query, texts, filters = [] }: ListPanelProps<Row, Fields, Name>,
  { name, found }: NonNullable<ListPage<Row>["hiding"]>,
) {
  const field = filters.find((one) => one && one.name === name);
  const value = new Map(presentFields(query)).get(name);
  if (!field || value === undefined) return undefined;
  const [, option = value] = field.options?.find(([one]) => one === value) ?? [];
  return {
    filter: field.options ? formats.pair(field.label, option) : `“${value}”`,
    rows: texts.count?.(found) ?? formats.count(found),
    href: listHref(list, withoutField(query, name)),
  };
}

interface FilterSheetProps {
  readonly view: Pick<AccountView, "catalog">;
  /** Names the form, such as "Filter keys". */
  readonly label: string;
  /** The number of filters in use. */
  readonly used: number;
  /** The address that the form submits to; absent for the page itself. */
  readonly action?: string;
  /** The class of the form, for its layout on wide screens. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

const id = "filters";

/**
 * The filters of a page's list. Wide screens always show them; on small screens a button with the
 * number of filters in use opens them as a sheet, without a script.
 */
function FilterSheet(props: FilterSheetProps) {
  const { view: { catalog: { sheets: texts } }, label, used, action, children } = props;
  return (
    <div class="filtering">
      <SheetOpener sheet={id} icon="sliders-horizontal">
        {texts.filters}
        {used > 0 && (
          <>
            <span class="badge" aria-hidden="true">{used}</span>
            <span class="unseen">{texts.used(used)}</span>
          </>
        )}
      </SheetOpener>
      <form
        id={id}
        class={`sheet ${props.class ?? "filters"}`}
        action={action}
        role="search"
        aria-label={label}
        popover="auto"
      >
        <SheetHead sheet={id} title={texts.filters} close={texts.close} />
        {children}
      </form>
    </div>
  );
}
