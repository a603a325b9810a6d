import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";

/** Says on every page that the console is another user's and can only be read, with the way back. */
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
