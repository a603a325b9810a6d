import { type ListColumn, listColumns } from "../../lib/console/keys/key_columns.ts";
import { keyListDays } from "../../lib/console/keys/key_list.ts";
import type { AccountView } from "../../lib/console/page/view.ts";

/** Selects the columns of the list, and stores them for the user. */
export function KeyColumns(
  { view, columns }: { view: AccountView; columns: readonly ListColumn[] },
) {
  const { catalog: { keyList }, path } = view;
  return (
    <>
      <button class="button" type="button" popovertarget="key-columns">{keyList.columns}</button>
      <div class="menu of-columns" id="key-columns" popover="auto">
        <form method="post" action="/console/token/columns">
          <input type="hidden" name="back" value={path} />
          {listColumns.map((column) => (
            <label>
              <input
                type="checkbox"
                name="column"
                value={column}
                checked={columns.includes(column)}
              />
              {nameOf(column, view)}
            </label>
          ))}
          <button class="button small" type="submit">{keyList.saveColumns}</button>
        </form>
      </div>
    </>
  );
}

function nameOf(column: ListColumn, { catalog: { keys, keyList } }: AccountView): string {
  const names = {
    group: keys.group,
    spend: keyList.spend(keyListDays),
    calls: keyList.calls(keyListDays),
    limit: keyList.limit,
    created: keys.created,
    used: keys.lastUsed,
    expires: keys.expires,
  } as const satisfies Record<ListColumn, string>;
  return names[column];
}
