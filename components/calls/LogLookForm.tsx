import {
  densities,
  type LogColumn,
  logColumns,
  type LogLook,
} from "../../lib/console/calls/log_look.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";

/** Selects the height of the rows and the columns, and stores both in a cookie. */
export function LogLookForm({ view, look }: { view: AccountView; look: LogLook }) {
  const { catalog: { logPage: { look: texts } }, user, path } = view;
  const names = logColumnNames(view);
  const offered = logColumns.filter((one) => one !== "account" || user.role === "administrator");
  return (
    <>
      <button
        class="button small only-wide"
        type="button"
        popovertarget="log-look"
        aria-label={texts.title}
        title={texts.title}
      >
        <Icon name="columns-2" small />
      </button>
      <div class="menu of-columns" id="log-look" popover="auto">
        <form method="post" action="/preferences">
          <input type="hidden" name="back" value={path} />
          <fieldset>
            <legend>{texts.density}</legend>
            {densities.map((one) => (
              <label>
                <input type="radio" name="density" value={one} checked={one === look.density} />
                {texts.densities[one]}
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>{texts.columns}</legend>
            {offered.map((one) => (
              <label>
                <input
                  type="checkbox"
                  name="column"
                  value={one}
                  checked={look.columns.includes(one)}
                />
                {names[one]}
              </label>
            ))}
          </fieldset>
          <button class="button small" type="submit">{texts.save}</button>
        </form>
      </div>
    </>
  );
}

/** The heads of the optional columns. */
export function logColumnNames(
  { catalog: { log, logPage, usage } }: AccountView,
): Readonly<Record<LogColumn, string>> {
  return {
    key: log.key,
    account: logPage.account,
    input: log.input,
    output: log.output,
    firstByte: logPage.firstByte,
    duration: log.duration,
    cost: usage.cost,
  };
}
