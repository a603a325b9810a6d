import { deniedDays, type KeyPageData } from "../../lib/console/keys/key_page.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";
import { Panel } from "../Panel.tsx";
import { untranslated } from "../untranslated.ts";
import { Time } from "../values.tsx";

/**
 * Calls of the key that were refused before the log, by reason and with a remedy; nothing if there
 * were none.
 */
export function KeyDenied({ view, data: { denied } }: { view: AccountView; data: KeyPageData }) {
  if (denied === undefined || denied.length === 0) return null;
  const { catalog: { attention, keyPage }, formats } = view;
  return (
    <Panel
      id="key-denied"
      title={keyPage.denied}
      beside={<span class="faint">{keyPage.deniedDays(deniedDays)}</span>}
    >
      <ul class="attention">
        {denied.map(({ reason, count, more, lastMs, ip }) => (
          <li key={reason} class="bad">
            <Icon name="circle-alert" />
            <p>
              {keyPage.deniedFor[reason](
                attention.calls(more ? `${formats.count(count)}+` : formats.count(count)),
              )}
            </p>
            <p>
              {keyPage.deniedLast} <Time atMs={lastMs} formats={formats} as="moment" />
              {" · "}
              <span {...untranslated}>{ip}</span>
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
