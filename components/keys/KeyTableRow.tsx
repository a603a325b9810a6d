import type { BudgetUse } from "../../lib/console/keys/budget_use.ts";
import type { ListColumn } from "../../lib/console/keys/key_columns.ts";
import { keyListDays, type KeyListRow } from "../../lib/console/keys/key_list.ts";
import { type KeyStatus, shownSecret } from "../../lib/console/keys/key_rows.ts";
import type { AccountView, ApiKey, FormerSecretUse } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";
import { bulkForm } from "./KeyBulk.tsx";
import { untranslated } from "../untranslated.ts";
import { Status, type StatusTone } from "../States.tsx";
import { Cell, NameCell, Row } from "../Table.tsx";
import { Time } from "../Time.tsx";

/** How a key stands, for an icon beside the word. */
export const keyTones = {
  active: "ok",
  near: "warn",
  exhausted: "bad",
  expiring: "warn",
  expired: "bad",
  disabled: "off",
  groupless: "bad",
} as const satisfies Record<KeyStatus, StatusTone>;

interface KeyTableRowProps {
  readonly view: AccountView;
  readonly row: KeyListRow;
  readonly columns: readonly ListColumn[];
  /** The list as it is now, to come back to after a change. */
  readonly back: string;
}

export function KeyTableRow(props: KeyTableRowProps) {
  const { view: { catalog: { keys, keyStatus, keyList } }, row: { apiKey, status }, columns } =
    props;
  const { id, name, origin } = apiKey;
  return (
    <Row off={status === "disabled" || status === "expired"}>
      <Cell class="choose">
        {origin === "console" && (
          <input
            type="checkbox"
            name="key"
            value={id}
            form={bulkForm}
            aria-label={keyList.choose(name)}
          />
        )}
      </Cell>
      <NameCell>
        <span>
          <A href={`/console/token/${id}`}>{name}</A>
          {origin === "config" && <span class="tag" title={keys.declaredHint}>{keys.declared}
          </span>}
        </span>
        <code {...untranslated}>{shownSecret(apiKey)}</code>
        <FormerSecret view={props.view} apiKey={apiKey} former={props.row.former} />
      </NameCell>
      <Cell label={keys.status}>
        <Status tone={keyTones[status]}>{keyStatus[status]}</Status>
      </Cell>
      {columns.map((column) => <ChosenCell key={column} {...props} column={column} />)}
      <Cell class="act">{origin === "console" && <Actions {...props} />}</Cell>
    </Row>
  );
}

/** Who still uses the secret that a rotation replaced; nothing once it has ended. */
export function FormerSecret(
  { view: { catalog: { keyList, logPage }, formats, nowMs }, apiKey: { previous }, former }: {
    view: AccountView;
    apiKey: ApiKey;
    former: FormerSecretUse | undefined;
  },
) {
  if (previous === undefined || previous.expiresAtMs <= nowMs) return null;
  const until = formats.moment(previous.expiresAtMs);
  if (former === undefined) return <span class="second">{keyList.formerSilent(until)}</span>;
  const calls = logPage.calls(formats.count(former.count));
  return (
    <span class="second">
      {keyList.former(calls, formats.ago(former.atMs), former.ip, until)}
    </span>
  );
}

function ChosenCell(
  { view, row: { apiKey, counts, budget }, column }: KeyTableRowProps & { column: ListColumn },
) {
  const { catalog: { keys, keyList, log }, formats } = view;
  switch (column) {
    case "group":
      return <Cell label={keys.group} class="quiet">{apiKey.groupId}</Cell>;
    case "spend":
      return (
        <Cell label={keyList.spend(keyListDays)} class="number">
          {counts ? formats.money(counts.costNanoUsd) : log.none}
        </Cell>
      );
    case "calls":
      return (
        <Cell label={keyList.calls(keyListDays)} class="number">
          {counts ? formats.count(counts.requests) : log.none}
          {counts && counts.failures > 0 && (
            <span class="second">{keyList.failed(formats.count(counts.failures))}</span>
          )}
        </Cell>
      );
    case "limit":
      return (
        <Cell label={keyList.limit}>
          <Limit view={view} budget={budget} />
        </Cell>
      );
    case "created":
      return (
        <Cell label={keys.created} class="quiet side">
          <Time atMs={apiKey.createdAtMs} formats={formats} as="day" />
        </Cell>
      );
    case "used":
      return (
        <Cell label={keys.lastUsed} class="quiet">
          {apiKey.lastUsedAtMs === undefined
            ? keys.neverUsed
            : <Time atMs={apiKey.lastUsedAtMs} formats={formats} />}
        </Cell>
      );
    case "expires":
      return (
        <Cell label={keys.expires} class="quiet">
          {apiKey.expiresAtMs === undefined
            ? keys.neverExpires
            : <Time atMs={apiKey.expiresAtMs} formats={formats} as="day" />}
        </Cell>
      );
    default:
      return column satisfies never;
  }
}

/** What is used of the budget that is used most, and when it is whole again. */
export function Limit({ view, budget }: { view: AccountView; budget: BudgetUse | undefined }) {
  const { catalog: { keyList }, formats } = view;
  if (budget === undefined) return <span class="soft">{keyList.noLimit}</span>;
  const { spentNanoUsd, budget: { nanoUsd }, endsAtMs, share } = budget;
  return (
    <>
      {keyList.of(formats.money(spentNanoUsd), formats.money(nanoUsd))}
      <svg class={share >= 0.8 ? "bar near" : "bar"} width="96" height="4" aria-hidden="true">
        <rect class="track" width="100%" height="4" rx="2" />
        <rect class="part" width={`${Math.min(100, 100 * share)}%`} height="4" rx="2" />
      </svg>
      <span class="second">
        {endsAtMs === undefined ? keyList.never : keyList.resets(formats.ahead(endsAtMs))}
      </span>
    </>
  );
}

function Actions(
  { view: { catalog: { keys, keyPage, deleteKey } }, row: { apiKey }, back }: KeyTableRowProps,
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
        <form method="post" action={`${path}/enabled`}>
          <input type="hidden" name="back" value={back} />
          <button class="item" type="submit" name="enabled" value={String(!apiKey.enabled)}>
            <Icon name={apiKey.enabled ? "ban" : "power"} />
            {apiKey.enabled ? keys.disable : keys.enable}
          </button>
        </form>
        <A class="item" href={`${path}/edit`}>
          <Icon name="pencil" />
          {keyPage.edit}
        </A>
        <A class="item" href={`${path}/rotate`}>
          <Icon name="refresh-cw" />
          {keyPage.rotate}
        </A>
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
