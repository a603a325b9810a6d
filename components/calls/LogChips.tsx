import type { LogChip } from "../../lib/console/calls/log_chips.ts";
import { type LogSearch, logSearchPath } from "../../lib/console/calls/log_search.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { A } from "../A.tsx";
import { Icon } from "../Icon.tsx";

/** The filters in use. Each chip removes one filter, and a link clears all. */
export function LogChips(
  { view: { catalog: { logPage, lists } }, search, chips }: {
    view: AccountView;
    search: LogSearch;
    chips: readonly LogChip[];
  },
) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={logPage.active}>
      {chips.map(({ text, href }) => (
        <li>
          <A href={href} aria-label={logPage.drop(text)}>
            {text}
            <Icon name="circle-x" small />
          </A>
        </li>
      ))}
      <li>
        <A class="clear" href={clearedPath(search)}>{lists.clear}</A>
      </li>
    </ul>
  );
}

function clearedPath({ everybody }: LogSearch): string {
  return logSearchPath({ filter: {}, ...(everybody && { everybody }) });
}
