import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";

/** The banner of impersonation: a read-only console of another user, with the way back. */
export function ViewingNotice({ view: { catalog, user, viewer } }: { view: AccountView }) {
  if (viewer === undefined) return null;
  const { users: texts } = catalog;
  return (
    <aside class="site-notice viewing" aria-label={texts.viewingLabel}>
      <Icon name="eye" />
      <p>
        {texts.viewing} <b {...untranslated}>{user.email}</b> {texts.viewingText}
      </p>
      <form method="post" action="/console/viewing">
        <button class="button small" type="submit">{texts.viewingEnd}</button>
      </form>
    </aside>
  );
}
