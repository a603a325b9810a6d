import { type KeyStatus, shownSecret } from "../../lib/admin/keys/key_status.ts";
import type { BudgetUse } from "../../lib/console/keys/budget_use.ts";
import { periodText, resetWords } from "../../lib/console/keys/budget_words.ts";
import type { ListColumn } from "../../lib/console/keys/key_columns.ts";
import { type keyList, keyListDays, type KeyListRow } from "../../lib/console/keys/key_list.ts";
import { shortEmail } from "../../lib/console/page/format.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import type { ApiKey, FormerSecretUse } from "../../lib/store/api_keys/mod.ts";
import { Icon } from "../Icon.tsx";
import type { StatusTone } from "../States.tsx";
import { limitColor, Meter, Sparkline } from "../chart/TinyCharts.tsx";
import { A, type ColumnsOf, Status, Time, untranslated } from "../list.ts";
import { dollarsCell } from "../values.tsx";
import { bulkForm, rowForm } from "./KeyBulk.tsx";

/** The tone of each status. */
export const keyTones = {
  active: "ok",
  near: "warn",
  exhausted: "bad",
  expiring: "warn",
  expired: "bad",
  disabled: "off",
  groupless: "bad",
} as const satisfies Record<KeyStatus, StatusTone>;

interface KeyCellProps {
  readonly view: AccountView;
  readonly row: KeyListRow;
}

type KeyTableColumn = ColumnsOf<typeof keyList>[number];

interface KeyTableOptions {
  readonly chosen: readonly ListColumn[];
  /** True for the keys of all accounts. */
  readonly everyone: boolean;
  /** The number of keys that the head's box selects. */
  readonly found: number;
}

/** The columns of the list: the name and the status, and those that the user chose. */
export function keyTableColumns(
  view: AccountView,
  { chosen, everyone, found }: KeyTableOptions,
): readonly KeyTableColumn[] {
  const { catalog: { keys, keyStatus, keyList: texts } } = view;
  const optional = optionalColumns(view);
  const isChanged = view.opens("/console/token/bulk", "POST");
  const choice: KeyTableColumn = {
    head: texts.bulk,
    headCell: <ChooseAll view={view} found={found} />,
    class: "choose",
    unseen: true,
    cell: (row) => choose(row, view),
  };
  return [
    ...isChanged ? [choice] : [],
    {
      head: keys.name,
      sort: "name",
      type: "name",
      at: "name",
      cell: (row) => <Name view={view} row={row} />,
    },
    ...everyone ? [ownerColumn(view)] : [],
    {
      head: keys.status,
      at: everyone ? "second" : "below",
      cell: ({ statuses: [status] }) => <Status tone={keyTones[status]}>{keyStatus[status]}
      </Status>,
    },
    {
      head: view.catalog.keyAdmin.trend,
      class: "trend",
      from: 1040,
      cell: ({ days = [] }) => <Sparkline amounts={days.map(Number)} />,
    },
    ...chosen.map((column) => optional[column]),
    {
      head: keys.actions,
      unseen: true,
      class: "act",
      cell: (row) =>
        isChanged && row.apiKey.origin === "console" && <Actions view={view} row={row} />,
    },
  ];
}

/** Selects the keys of all pages. */
function ChooseAll(
  { view: { catalog: { keyAdmin } }, found }: { view: AccountView; found: number },
) {
  const label = keyAdmin.selectAll(found);
  return <input type="checkbox" name="all" value="yes" form={bulkForm} aria-label={label} />;
}

function ownerColumn({ catalog: { keyAdmin }, user }: AccountView): KeyTableColumn {
  return {
    head: keyAdmin.owner,
    sort: "owner",
    class: "quiet owner",
    at: "below",
    cell: ({ apiKey, owner }) => (
      <A href={`/console/admin/users/${apiKey.accountId}`} title={owner} {...untranslated}>
        {shortEmail(owner ?? "", user)}
      </A>
    ),
  };
}

function choose({ apiKey: { id, name, origin } }: KeyListRow, { catalog }: AccountView) {
  const label = catalog.keyList.choose(name);
  return origin === "console" &&
    <input type="checkbox" name="key" value={id} form={bulkForm} aria-label={label} />;
}

function Name({ view, row: { apiKey, former } }: KeyCellProps) {
  return (
    <>
      <span>
        <A href={`/console/token/${apiKey.id}`}>{apiKey.name}</A>
        <KeyTag view={view} apiKey={apiKey} />
      </span>
      {!apiKey.device && <code {...untranslated}>{shownSecret(apiKey)}</code>}
      <FormerSecret view={view} apiKey={apiKey} former={former} />
    </>
  );
}

/** Marks a key of the configuration, and a device; nothing for any other key. */
export function KeyTag(
  { view: { catalog: { keys } }, apiKey: { origin, device } }: {
    view: AccountView;
    apiKey: ApiKey;
  },
) {
  if (device) return <span class="tag" title={keys.deviceHint}>{keys.device}</span>;
  if (origin === "console") return null;
  return <span class="tag" title={keys.declaredHint}>{keys.declared}</span>;
}

function optionalColumns(view: AccountView): Readonly<Record<ListColumn, KeyTableColumn>> {
  const { catalog: { keys, keyList: texts, log }, formats } = view;
  return {
    group: {
      head: keys.group,
      class: "quiet short",
      cell: ({ apiKey: { groupId } }) => <span title={groupId} {...untranslated}>{groupId}</span>,
    },
    spend: {
      head: texts.spend(keyListDays),
      sort: "spend",
      at: "first",
      type: "number",
      cell: dollarsCell(formats, ({ counts }) => counts?.costNanoUsd),
    },
    calls: {
      head: texts.calls(keyListDays),
      type: "number",
      cell: ({ counts }) => counts ? <Calls view={view} counts={counts} /> : log.none,
    },
    limit: { head: texts.limit, cell: ({ budget }) => <Limit view={view} budget={budget} /> },
    created: {
      head: keys.created,
      sort: "created",
      class: "quiet side",
      cell: ({ apiKey }) => <Time atMs={apiKey.createdAtMs} formats={formats} as="day" />,
    },
    used: {
      head: keys.lastUsed,
      sort: "used",
      class: "quiet",
      cell: ({ apiKey: { lastUsedAtMs: atMs } }) =>
        atMs === undefined ? keys.neverUsed : <Time atMs={atMs} formats={formats} />,
    },
    expires: {
      head: keys.expires,
      sort: "expires",
      class: "quiet",
      cell: ({ apiKey: { expiresAtMs: atMs } }) =>
        atMs === undefined ? keys.neverExpires : <Time atMs={atMs} formats={formats} as="day" />,
    },
  };
}

function Calls(
  { view: { catalog: { keyList: texts }, formats }, counts: { requests, failures } }: {
    view: AccountView;
    counts: NonNullable<KeyListRow["counts"]>;
  },
) {
  return (
    <>
      {formats.count(requests)}
      {failures > 0 && <span class="second">{texts.failed(formats.count(failures))}</span>}
    </>
  );
}

/** Calls with the secret that a rotation replaced; nothing for a device, or once its grace ended. */
export function FormerSecret(
  { view: { catalog: { keyList, logPage }, formats, nowMs }, apiKey: { previous, device }, former }:
    {
      view: AccountView;
      apiKey: ApiKey;
      former: FormerSecretUse | undefined;
    },
) {
  if (previous === undefined || device || previous.expiresAtMs <= nowMs) return null;
  const until = formats.moment(previous.expiresAtMs);
  if (former === undefined) return <span class="second">{keyList.formerSilent(until)}</span>;
  const calls = logPage.calls(formats.count(former.count));
  return (
    <span class="second">
      {keyList.former(calls, formats.ago(former.atMs), former.ip, until)}
    </span>
  );
}

/** The used share of the fullest budget, and when that budget resets. */
export function Limit({ view, budget }: { view: AccountView; budget: BudgetUse | undefined }) {
  const { catalog, formats } = view;
  const { keyList, keyAdmin } = catalog;
  if (budget === undefined) return <span class="soft">{keyList.noLimit}</span>;
  const { spentNanoUsd, budget: { nanoUsd, period }, share } = budget;
  return (
    <span class="limit-used" title={resetWords(budget, view)}>
      <span>
        {keyList.of(formats.money(spentNanoUsd), formats.money(nanoUsd))}{" "}
        {periodText(keyAdmin.per, period, catalog)}
      </span>
      <Meter share={share} color={limitColor(share)} />
    </span>
  );
}

function Actions(
  { view: { catalog: { keys, keyPage, keyAdmin, deleteKey } }, row: { apiKey } }: KeyCellProps,
) {
  const menu = `menu-${apiKey.id}`;
  const path = `/console/token/${apiKey.id}`;
  return (
    <>
      <button
        class="icon-button"
        type="button"
        popovertarget={menu}
        aria-label={keys.actionsFor(apiKey.name)}
      >
        <Icon name="ellipsis" />
      </button>
      <div class="menu of-row" id={menu} popover="auto">
        <button
          class="item"
          type="submit"
          form={rowForm}
          formAction={`${path}/enabled`}
          name="enabled"
          value={String(!apiKey.enabled)}
        >
          <Icon name={apiKey.enabled ? "ban" : "power"} />
          {apiKey.enabled ? keys.disable : keys.enable}
        </button>
        <A class="item" href={`${path}/edit`}>
          <Icon name="pencil" />
          {keyPage.edit}
        </A>
        {!apiKey.device && (
          <A class="item" href={`${path}/rotate`}>
            <Icon name="refresh-cw" />
            {keyPage.rotate}
          </A>
        )}
        <button class="item" type="submit" form={rowForm} name="key" value={apiKey.id}>
          <Icon name="sliders-horizontal" />
          {keyAdmin.limit}
        </button>
        <A
          class="item danger"
          href={`${path}/delete`}
          data-delete-title={deleteKey.title(apiKey.name)}
          data-delete-confirm={deleteKey.confirm(apiKey.name)}
        >
          <Icon name="trash-2" />
          {keys.remove}
        </A>
      </div>
    </>
  );
}
