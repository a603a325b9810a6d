import { type BulkAction, bulkMax } from "../../lib/console/keys/key_bulk.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon, type IconName } from "../Icon.tsx";

/** The id of the form that the list's check boxes belong to. */
export const bulkForm = "keys-bulk";

/** The id of the form that the menus of all rows belong to: one form keeps the page small. */
export const rowForm = "keys-row";

/** The form of the rows' menus. A button in them names its key, or has an address of its own. */
export function RowForm({ back }: { back: string }) {
  return (
    <form id={rowForm} method="post" action="/console/token/bulk" hidden>
      <input type="hidden" name="back" value={back} />
      <input type="hidden" name="action" value="limit" />
    </form>
  );
}

/** The actions for all selected keys; shown while some are. */
export function KeyBulk(
  { view: { catalog: { keyList, keyAdmin } }, back, found }: {
    view: AccountView;
    back: string;
    /** The number of keys on all pages. */
    found: number;
  },
) {
  const actions = [
    ["disable", "ban", keyList.disable],
    ["enable", "power", keyList.enable],
    ["rotate", "refresh-cw", keyAdmin.rotate],
    ["limit", "sliders-horizontal", keyAdmin.limit],
    ["delete", "trash-2", keyList.remove],
  ] as const satisfies readonly (readonly [BulkAction, IconName, string])[];
  return (
    <form class="bulk" id={bulkForm} method="post" action="/console/token/bulk">
      <input type="hidden" name="back" value={back} />
      <b class="some-chosen">{keyAdmin.selected}</b>
      <b class="all-chosen">{keyAdmin.allSelected(Math.min(found, bulkMax))}</b>
      {actions.map(([action, icon, text]) => (
        <button key={action} class="button small" name="action" value={action} type="submit">
          <Icon name={icon} small />
          {text}
        </button>
      ))}
      <button class="icon-button" type="reset" aria-label={keyAdmin.clear}>
        <Icon name="x" small />
      </button>
    </form>
  );
}
