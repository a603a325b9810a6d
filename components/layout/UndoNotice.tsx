import Notice from "../../islands/Notice.tsx";
import type { AccountView } from "../../lib/console/page/view.ts";

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
