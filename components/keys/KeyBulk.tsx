import type { AccountView } from "../../lib/console/page/view.ts";

/** The id of the form that the list's check boxes belong to. */
export const bulkForm = "keys-bulk";

/** The actions for all selected keys. */
export function KeyBulk(
  { view: { catalog: { keyList } }, back }: { view: AccountView; back: string },
) {
  return (
    <form class="bulk" id={bulkForm} method="post" action="/console/token/bulk">
      <input type="hidden" name="back" value={back} />
      <span class="soft">{keyList.bulk}</span>
      <button class="button small" name="action" value="disable" type="submit">
        {keyList.disable}
      </button>
      <button class="button small" name="action" value="enable" type="submit">
        {keyList.enable}
      </button>
      <button class="button small" name="action" value="delete" type="submit">
        {keyList.remove}
      </button>
    </form>
  );
}
