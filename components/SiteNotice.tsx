import type { AccountView } from "../lib/console/view.ts";
import { Icon } from "./Icon.tsx";

/** What administrators tell everybody, on every page of the console. Plain text. */
export function SiteNotice({ view: { catalog, settings: { notice } } }: { view: AccountView }) {
  if (notice === "") return null;
  return (
    <aside class="site-notice" aria-label={catalog.settings.noticeLabel}>
      <Icon name="megaphone" />
      <p>{notice}</p>
    </aside>
  );
}
