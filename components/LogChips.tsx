import type { LogChip } from "../lib/console/log_chips.ts";
import type { AccountView } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";

/** The filters in use, each taken away by a click. */
export function LogChips(
  { view: { catalog: { logPage } }, chips }: { view: AccountView; chips: readonly LogChip[] },
) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={logPage.active}>
      {chips.map(({ text, href }) => (
        <li>
          <a href={href} aria-label={logPage.drop(text)} aria-current="false">
            {text}
            <Icon name="circle-x" small />
          </a>
        </li>
      ))}
    </ul>
  );
}
