import { noticeId } from "../../lib/console/page/site_notice.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";

/**
 * The administrators' notice on every page of the console, as plain text, until the reader hides
 * it.
 */
export function SiteNotice({ view: { catalog, notice, path } }: { view: AccountView }) {
  if (notice === "") return null;
  const { noticeLabel, hideNotice } = catalog.settings;
  return (
    <aside class="site-notice" aria-label={noticeLabel}>
      <Icon name="megaphone" />
      <p>{notice}</p>
      <form method="post" action="/preferences">
        <input type="hidden" name="back" value={path} />
        <button
          class="icon-button"
          type="submit"
          name="hiddenNotice"
          value={noticeId(notice)}
          aria-label={hideNotice}
          title={hideNotice}
        >
          <Icon name="x" />
        </button>
      </form>
    </aside>
  );
}
