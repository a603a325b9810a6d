import CreateKey from "../../islands/CreateKey.tsx";
import type { Catalog } from "../../lib/console/i18n/mod.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import { CreateLink } from "../A.tsx";

/** The button that creates a key, with the texts for its dialog. */
export function CreateKeyAction(
  { view, groups }: { view: AccountView; groups: readonly string[] },
) {
  if (!view.opens("/console/token/new")) return null;
  return (
    <CreateKey
      open={view.catalog.keys.create}
      groups={groups}
      texts={keyFormTexts(view)}
    />
  );
}

/** The texts of a key's form. The budget warning names the models that a budget would refuse. */
export function keyFormTexts(
  { catalog: { keyForm }, unpricedWarning }: AccountView,
): Catalog["keyForm"] {
  const warning = unpricedWarning();
  if (warning === undefined) return keyForm;
  return { ...keyForm, budgetsHint: `${keyForm.budgetsHint} ${warning}` };
}

/** The same as a plain link, for pages whose script budget goes to the connection check. */
export function CreateKeyLink({ view: { catalog } }: { view: AccountView }) {
  return <CreateLink href="/console/token/new">{catalog.keys.create}</CreateLink>;
}
