import Notice from "../../islands/Notice.tsx";
import type { AccountView } from "../../lib/console/page/view.ts";
import { Icon } from "../Icon.tsx";
import { untranslated } from "../untranslated.ts";

/** Warns administrators on every page that the store cannot record calls, with the remedy. */
export function StoreNotice({ view: { catalog, storeFault } }: { view: AccountView }) {
  if (storeFault === undefined) return null;
  const { label, faults, refused } = catalog.store;
  return (
    <aside class="site-notice" role="alert" aria-label={label}>
      <Icon name="triangle-alert" />
      <p>
        <b>{label}.</b> {faults[storeFault]} {refused}
      </p>
    </aside>
  );
}

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

/** The form that reverses a change. */
export interface Undo {
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** The result of the last change, and for ten seconds the button that reverses it. */
export function UndoNotice(
  { view, text, undo }: { view: AccountView; text: string; undo?: Undo },
) {
  if (undo === undefined) return <Notice text={text} />;
  return (
    <form class="undo" method="post" action={undo.path}>
      <Notice text={text} />
      {undo.fields.map(([name, value]) => (
        <input key={name + value} type="hidden" name={name} value={value} />
      ))}
      <button class="button small" type="submit">{view.catalog.lists.undo}</button>
    </form>
  );
}
