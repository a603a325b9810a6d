import { type KeyRow, type KeyStatus, shownSecret } from "../lib/console/key_rows.ts";
import type { AccountView } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";
import { untranslated } from "./untranslated.ts";
import { Status, type StatusTone } from "./States.tsx";
import { Cell, NameCell, Row } from "./Table.tsx";
import { Time } from "./Time.tsx";

/** How a key stands, for an icon beside the word. */
export const keyTones = {
  active: "ok",
  expiring: "warn",
  expired: "bad",
  disabled: "off",
  groupless: "bad",
} as const satisfies Record<KeyStatus, StatusTone>;

interface KeyTableRowProps {
  readonly view: AccountView;
  readonly row: KeyRow;
  /** The list as it is now, to come back to after a change. */
  readonly back: string;
}

export function KeyTableRow(props: KeyTableRowProps) {
  const { view: { catalog: { keys, keyStatus }, formats }, row: { apiKey, status } } = props;
  const { name, groupId, createdAtMs, lastUsedAtMs, expiresAtMs, origin } = apiKey;
  return (
    <Row off={status === "disabled" || status === "expired"}>
      <NameCell>
        <span>
          <a href={`/console/token/${apiKey.id}`} aria-current="false">{name}</a>
          {origin === "config" && <span class="tag" title={keys.declaredHint}>{keys.declared}
          </span>}
        </span>
        <code {...untranslated}>{shownSecret(apiKey)}</code>
      </NameCell>
      <Cell label={keys.status}>
        <Status tone={keyTones[status]}>{keyStatus[status]}</Status>
      </Cell>
      <Cell label={keys.group} class="quiet">{groupId}</Cell>
      <Cell label={keys.created} class="quiet side">
        <Time atMs={createdAtMs} formats={formats} as="day" />
      </Cell>
      <Cell label={keys.lastUsed} class="quiet">
        {lastUsedAtMs === undefined
          ? keys.neverUsed
          : <Time atMs={lastUsedAtMs} formats={formats} />}
      </Cell>
      <Cell label={keys.expires} class="quiet">
        {expiresAtMs === undefined
          ? keys.neverExpires
          : <Time atMs={expiresAtMs} formats={formats} as="day" />}
      </Cell>
      <Cell class="act">{origin === "console" && <Actions {...props} />}</Cell>
    </Row>
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
        <a class="item" href={`${path}/edit`}>
          <Icon name="pencil" />
          {keyPage.edit}
        </a>
        <a class="item" href={`${path}/rotate`}>
          <Icon name="refresh-cw" />
          {keyPage.rotate}
        </a>
        <a
          class="item danger"
          href={`${path}/delete`}
          data-delete-title={deleteKey.title(apiKey.name)}
          data-delete-confirm={deleteKey.confirm(apiKey.name)}
        >
          <Icon name="trash-2" />
          {keys.remove}
        </a>
      </div>
    </>
  );
}
